import { sameIssuer } from '../../credentials/issuer-metadata.ts';
import { authorizationAddress } from '../../credentials/sign-in/authorization-request.ts';
import {
  askByBrowser,
  codeOf,
  endedSignIn,
  type ShowAddress,
} from '../../credentials/sign-in/browser-answer.ts';
import { EgressFailure } from '../../egress/index.ts';
import { ToolcribError } from '../../errors.ts';
import { printable } from '../../operations/text/printable.ts';
import { type Challenge, parseChallenge } from './challenge.ts';
import { type AuthorizationFacts, discoverAuthorization } from './discovery.ts';
import { clientAt, type OAuthClient, type RegistrationContext } from './registration.ts';
import type { Remote } from './remote.ts';
import { exchangeToken } from './token-exchange.ts';
import type { TokenRecord } from './token-record.ts';

export interface SignInOptions {
  readonly onUrl: ShowAddress;
  readonly signal: AbortSignal;
  /** How long a person may take; default five minutes. */
  readonly timeoutMs?: number;
}

const DEFAULT_TIMEOUT_MS = 300_000;
const MOST_REDIRECTS = 5;

/**
 * Authorization code with PKCE S256 (OAuth 2.1), state, issuer and resource checked, back to a loopback address. Throws
 * `authorization_required` when nobody agreed in time, `credentials_refused` for what breaks the rules.
 */
export async function signIn(
  context: RegistrationContext,
  remote: Remote,
  before: TokenRecord | undefined,
  options: SignInOptions,
  now: () => number,
): Promise<TokenRecord> {
  const { egress, tokenDoor, announce } = context;
  const { timeoutMs = DEFAULT_TIMEOUT_MS } = options;
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(timeoutMs)]);
  try {
    const challenge = await askForChallenge(context, remote, signal);
    const facts = await discoverAuthorization(egress, remote, challenge.resourceMetadata, signal);
    const endpoint = assertUsable(facts);
    const scopes = scopesFor(remote, challenge, facts, before);
    let client: OAuthClient | undefined;
    const { parameters, redirectUri, verifier } = await askByBrowser({
      redirectUri: remote.oauth.redirectUri,
      address: async (asked) => {
        client = await clientAt(facts, asked.redirectUri, { ...context, signal });
        assertKnownThere(client, remote, facts, before);
        const { authorizationParameters: parameters } = remote.oauth;
        const request = {
          endpoint,
          clientId: client.id,
          scopes,
          target: { resource: facts.resource },
          parameters,
        };
        return authorizationAddress(request, asked);
      },
      onUrl: options.onUrl,
      announce,
      signal,
    });
    const code = codeOf(parameters, remote.name, { is: facts.issuer, mustBeNamed: facts.issInAnswer });
    announce(code);
    const issuedAt = now();
    const grant = {
      grant_type: 'authorization_code',
      code,
      code_verifier: verifier,
      redirect_uri: redirectUri,
    };
    const issued = await exchangeToken(tokenDoor, facts, client!, grant, { now, signal });
    const { issuer, resource, tokenEndpoint, methods } = facts;
    return {
      server: remote.url,
      ...{ issuer, resource, tokenEndpoint, methods, client: client!, issuedAt },
      ...(scopes.length > 0 ? { scopes } : {}),
      ...issued,
    };
  } catch (error) {
    throw signal.aborted ? endedSignIn(remote.name, signal, error) : error;
  }
}

/**
 * What the server says to a client that it does not know: a ping changes nothing. Redirects are followed as those of
 * calls are: within the origin, many servers send `/mcp` on to `/mcp/`.
 */
async function askForChallenge(
  { egress }: RegistrationContext,
  { name, url }: Remote,
  signal: AbortSignal,
): Promise<Challenge> {
  const ping = {
    method: 'POST',
    headers: [
      ['Content-Type', 'application/json'],
      ['Accept', 'application/json, text/event-stream'],
    ],
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
    redirect: 'manual',
  } as const;
  const limits = { timeoutMs: 15_000, maxBytes: 1024 * 1024, maxRedirects: 0 };
  try {
    let at = url;
    for (let redirects = 0; ; redirects++) {
      const { status, headers } = await egress.request({ ...ping, url: at }, limits, signal);
      const next = redirects < MOST_REDIRECTS ? sentOn(status, headers['location'], at) : undefined;
      if (next === undefined)
        return status === 401 ? parseChallenge(headers['www-authenticate'] ?? null) : {};
      at = next;
    }
  } catch (error) {
    // a server that answers nothing here may still publish its metadata
    if (!(error instanceof EgressFailure) || signal.aborted) throw error;
    if (error.kind !== 'egress_blocked' && error.sent !== 'none') return {};
    const code = error.kind === 'egress_blocked' ? 'egress_blocked' : 'upstream_unreachable';
    throw new ToolcribError(code, `The server "${name}": ${error.message}.`, { cause: error });
  }
}

/** Where a POST goes on within the origin (RFC 9110 §15.4.8). */
function sentOn(status: number, location: string | undefined, from: string): string | undefined {
  if ((status !== 307 && status !== 308) || location === undefined) return undefined;
  const to = URL.parse(location, from);
  return to?.origin === new URL(from).origin ? to.href : undefined;
}

/** MCP authorization: without PKCE S256 in its metadata a client does not go on. */
function assertUsable({ issuer, authorizationEndpoint, pkce }: AuthorizationFacts): string {
  if (authorizationEndpoint !== undefined && pkce) return authorizationEndpoint;
  const what = pkce ? 'names no authorization endpoint' : 'does not offer PKCE with S256';
  throw new ToolcribError(
    'credentials_refused',
    `The authorization server ${printable(issuer, 300)} ${what}.`,
    {
      next: 'Ask whoever runs it: clients of MCP sign in by a code with PKCE (S256), and say no to anything less.',
    },
  );
}

/**
 * MCP authorization, "Authorization Server Binding": a client that somebody registered belongs to one authorization
 * server. Where the configuration does not name that one, it is the one where the client was used before.
 */
function assertKnownThere(
  { id }: OAuthClient,
  { name, oauth }: Remote,
  { issuer }: AuthorizationFacts,
  before: TokenRecord | undefined,
): void {
  if (oauth.clientId === undefined || oauth.issuer !== undefined || before?.client.id !== id) return;
  if (sameIssuer(before.issuer, issuer)) return;
  throw new ToolcribError(
    'credentials_refused',
    `The server "${name}" signs in at ${printable(issuer, 300)} now; the client that the configuration names was used at ${printable(before.issuer, 300)}.`,
    {
      next: 'Ask whoever runs the server. Where the new address is theirs, register Toolcrib there and set `oauth.issuer` to it.',
    },
  );
}

/** The configuration's, else the challenge's, else the resource's; never less than was granted or missed before. */
function scopesFor(
  { oauth }: Remote,
  challenge: Challenge,
  facts: AuthorizationFacts,
  before: TokenRecord | undefined,
): readonly string[] {
  const asked = oauth.scopes ?? challenge.scopes ?? facts.scopes;
  const earlier = before?.issuer === facts.issuer ? [...(before.scopes ?? []), ...(before.wanted ?? [])] : [];
  const scopes = new Set([...asked, ...earlier]);
  if (scopes.size > 0 && facts.offlineAccess) scopes.add('offline_access');
  return [...scopes];
}
