import { createMessageEchoes, isKeptFrom } from '../../credentials/message-echoes.ts';
import type { SecretReader } from '../../credentials/secret-reference.ts';
import type { Egress } from '../../egress/egress.ts';
import { ToolcribError } from '../../errors.ts';
import type { CertifiedDoors } from '../certified-doors.ts';
import type { TokenSource } from '../oauth/token-source.ts';
import type { UpstreamSignIns } from '../oauth/upstream-oauth.ts';
import type { UpstreamDefinition } from '../upstreams.ts';
import type { OpenTransport } from './transport.ts';

export interface OpenTransportOptions {
  /** Allows the origins of the configured servers. */
  readonly egress: Egress;
  readonly secrets: SecretReader;
  readonly signIns: UpstreamSignIns;
  /** What takes secrets out of a process's stderr. */
  readonly redact?: (text: string) => string;
}

/** Makes the transport that a definition names; each kind is loaded when it is first used. */
export function createOpenTransport(options: OpenTransportOptions): OpenTransport {
  const { egress, secrets, signIns, redact } = options;
  let doors: Promise<CertifiedDoors> | undefined;
  const certifiedDoors = () => {
    doors ??= import('../certified-doors.ts').then(({ createCertifiedDoors }) =>
      createCertifiedDoors(egress, secrets),
    );
    return doors;
  };
  return async (definition, _principalKey, signal) => {
    const { name, transport } = definition;
    requireVariables(definition);
    if (transport.kind === 'stdio') {
      const { openStdio } = await import('../stdio/open-stdio.ts');
      const { wrapCommand } = await import('../stdio/wrap-command.ts');
      return openStdio(definition, { secrets, wrap: wrapCommand, ...(redact ? { redact } : {}) }, signal);
    }
    const { staticHeaders } = await import('./static-headers.ts');
    const { upstreamFetch } = await import('./upstream-fetch.ts');
    const { openHttp } = await import('./http-transport.ts');
    const headers = await staticHeaders(definition, transport, secrets, signal);
    const kept = headers.filter(([header, value]) =>
      isKeptFrom(header, transport.headers[header] ?? '', value),
    );
    const echoes = createMessageEchoes(kept.map(([, value]) => value));
    const tokens = toldOf(signIns.tokensFor(definition), echoes.learn);
    const hasSecrets = kept.length > 0 || tokens !== undefined;
    const { kind, url, tls } = transport;
    const door = tls === undefined ? egress : (await certifiedDoors()).toServer({ name, url, tls });
    const opened = await openHttp(kind, url, upstreamFetch({ egress: door, name, url, headers, tokens }));
    return {
      ...opened,
      ...(tokens === undefined ? {} : { ready: tokens.ready }),
      ...(hasSecrets ? { conceal: echoes.conceal } : {}),
    };
  };
}

function requireVariables({ name, unset: [first, ...others] = [] }: UpstreamDefinition): void {
  if (first === undefined) return;
  const names = [...new Set([first, ...others].map(({ variable }) => variable))];
  throw new ToolcribError(
    'credentials_missing',
    `mcpServers.${name}.${first.place} reads the environment variable ${first.variable}, which is not set.`,
    { next: `Set ${names.join(' and ')} in the environment of this program and start again.` },
  );
}

/** The same tokens; each is told before it is used. */
function toldOf(tokens: TokenSource | undefined, tell: (token: string) => void): TokenSource | undefined {
  if (tokens === undefined) return undefined;
  const told = async <T extends string | undefined>(given: Promise<T>): Promise<T> => {
    const token = await given;
    if (token !== undefined) tell(token);
    return token;
  };
  return {
    ready: tokens.ready,
    current: (signal) => told(tokens.current(signal)),
    renewed: (refused, challenge, signal) => told(tokens.renewed(refused, challenge, signal)),
    steppedUp: (refused, challenge, signal) => told(tokens.steppedUp(refused, challenge, signal)),
  };
}
