import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { onTestFinished } from 'vitest';
import { createSecretReader } from '../../../src/credentials/secret-reference.ts';
import { createEgress } from '../../../src/egress/index.ts';
import { createUpstreamSignIns, type UpstreamSignIns } from '../../../src/upstreams/oauth/upstream-oauth.ts';
import { createOpenTransport } from '../../../src/upstreams/transports/open-transport.ts';
import type { UpstreamDefinition, UpstreamOAuth } from '../../../src/upstreams/upstreams.ts';
import { type McpHttpDouble, startMcpServer } from '../../doubles/mcp-http-server.ts';
import { type OAuthDouble, startOAuthServer } from '../../doubles/oauth-server.ts';
import { remote } from '../remote.ts';

/** An MCP server behind an authorization server, with what a gateway has to reach both. */
export interface Guarded {
  readonly oauth: OAuthDouble;
  readonly server: McpHttpDouble;
  /** Written over the protected resource metadata. */
  readonly resourceMetadata: Record<string, unknown>;
  /** Of the answer that holds them. */
  metadataStatus: number;
  /** Where whoever has no token is sent on to. */
  leadsTo: string | undefined;
  /** Origins beyond the two that a gateway may reach. */
  readonly allowed: string[];
  /** What the operator allows apart from addresses of sources. */
  redirects: string[] | undefined;
  /** Scope that each call of a tool needs. */
  needed: string | undefined;
  /** The `WWW-Authenticate` header says where the metadata are. */
  metadataUrl: string | undefined;
  readonly folder: string;
  readonly announced: Set<string>;
  definition(settings?: UpstreamOAuth): UpstreamDefinition;
  /** Another one is another process: it shares nothing but files. */
  signIns(now?: () => number): UpstreamSignIns;
  connect(signIns: UpstreamSignIns, settings?: UpstreamOAuth): Promise<Client>;
}

export async function guarded(): Promise<Guarded> {
  const oauth = await startOAuthServer();
  const folder = await mkdtemp(join(tmpdir(), 'toolcrib-oauth-'));
  const announced = new Set<string>();
  const metadata = () => ({
    status: state.metadataStatus,
    body: {
      resource: server.url,
      authorization_servers: [oauth.origin],
      scopes_supported: ['tools:read'],
      ...state.resourceMetadata,
    },
  });
  const server: McpHttpDouble = await startMcpServer({
    era: 'session',
    guard({ authorization }, body) {
      const scopes = oauth.scopesOf(authorization?.replace(/^Bearer /, '') ?? '');
      const where = state.metadataUrl === undefined ? '' : `resource_metadata="${state.metadataUrl}", `;
      const challenge = (rest: string) => ({ 'www-authenticate': `Bearer ${where}${rest}` });
      if (scopes === undefined && state.leadsTo !== undefined)
        return { status: 307, headers: { location: state.leadsTo } };
      if (scopes === undefined) return { status: 401, headers: challenge('scope="tools:read"') };
      const isCall = body.includes('"tools/call"');
      if (state.needed === undefined || !isCall || scopes.includes(state.needed)) return undefined;
      return { status: 403, headers: challenge(`error="insufficient_scope", scope="${state.needed}"`) };
    },
    routes: {
      '/mcp/': () => ({ status: 307, headers: { location: '/mcp' } }),
      '/.well-known/oauth-protected-resource/mcp': metadata,
      '/metadata': metadata,
    },
  });
  onTestFinished(async () => {
    await Promise.all([server.close(), oauth.close()]);
    await rm(folder, { recursive: true });
  });
  const door = () => {
    const egress = createEgress({
      allow: [server.origin, oauth.origin, ...state.allowed],
      ...(state.redirects && { redirects: state.redirects }),
    });
    onTestFinished(() => egress.close());
    const env = { CLIENT_ID: 'known-client', CLIENT_SECRET: 'known secret' };
    return { egress, secrets: createSecretReader(env, (secret) => announced.add(secret)) };
  };
  const state: Guarded = {
    oauth,
    server,
    folder,
    announced,
    resourceMetadata: {},
    metadataStatus: 200,
    leadsTo: undefined,
    allowed: [],
    redirects: undefined,
    needed: undefined,
    metadataUrl: `${server.origin}/.well-known/oauth-protected-resource/mcp`,
    definition: (settings) => remote(server.url, settings === undefined ? {} : { oauth: settings }),
    signIns: (now) =>
      createUpstreamSignIns({
        ...door(),
        announce: (secret) => announced.add(secret),
        ...(now === undefined ? {} : { now }),
      }),
    async connect(signIns, settings) {
      const open = createOpenTransport({ ...door(), signIns });
      const { transport } = await open(state.definition(settings), '', AbortSignal.timeout(5_000));
      const client = new Client({ name: 'test', version: '1' });
      onTestFinished(() => client.close());
      await client.connect(transport, { timeout: 5_000 });
      return client;
    },
  };
  return state;
}

/** Sign-ins of a process in which a person has signed in. */
export async function signedIn(
  world: Guarded,
  settings?: UpstreamOAuth,
  now?: () => number,
): Promise<UpstreamSignIns> {
  const signIns = world.signIns(now);
  const onUrl = async (url: string) => void (await world.oauth.agree(url));
  await signIns.signIn(world.definition(settings), { onUrl, signal: AbortSignal.timeout(8_000) });
  return signIns;
}
