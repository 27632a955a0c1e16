import type { Egress, OutgoingRequest } from '../egress/egress.ts';
import { ToolcribError } from '../errors.ts';
import type {
  Connection,
  NangoCredential,
  ProviderFacts,
  SecurityAlternative,
  SessionEnd,
} from '../operations/index.ts';
import type { Redactor } from '../telemetry/redactor.ts';
import { assertOrigin, originsOf } from './allowed-origins.ts';
import { configuredAlternatives } from './choose-alternative.ts';
import type { CredentialProvider } from './credential-provider.ts';
import { createEchoes } from './echoes.ts';
import { createServiceLogins } from './login/service-logins.ts';
import { isSessionEnd } from './login/session-end.ts';
import type { NangoConnection } from './nango/nango-credential.ts';
import { createNangoTokens, type NangoIssue } from './nango/nango-tokens.ts';
import { createOAuthTokens } from './oauth-tokens.ts';
import {
  applyScheme,
  type CredentialContext,
  fittingAlternative,
  plannedRequest,
} from './scheme-credential.ts';
import { createSecretReader, type Environment } from './secret-reference.ts';
import { createTlsIdentities } from './tls-identity.ts';

export interface CredentialProviderOptions {
  readonly egress: Egress;
  readonly env?: Environment;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
  /** Learns every secret that is used, so that it can be taken out of logs and events. */
  readonly redactor?: Pick<Redactor, 'add'>;
  /** Facts of the provider behind a source: a credential goes to its origin only. */
  readonly provider?: (source: string) => ProviderFacts | undefined;
  /** Replaces the origins that follow from base URL and provider; undefined: any. */
  readonly allowedOrigins?: (connection: Connection) => readonly string[] | undefined;
}

/** Credentials from the configuration, the environment, OAuth 2 providers and Nango. */
export function createCredentialProvider({
  egress,
  env = process.env,
  now = Date.now,
  redactor,
  provider,
  allowedOrigins = (connection) => originsOf(connection, provider?.(connection.source)),
}: CredentialProviderOptions): CredentialProvider {
  const announce = (secret: string) => redactor?.add(secret);
  const secrets = createSecretReader(env, announce);
  const identities = createTlsIdentities(secrets);
  const tokens = createOAuthTokens({ egress, secrets, identities, announce, now });
  const logins = createServiceLogins({ egress, secrets, identities, announce, now });
  const nango = createNangoTokens({ egress, secrets, announce, now });
  const echoes = createEchoes();
  const refusals = new WeakMap<OutgoingRequest, readonly (() => boolean)[]>();
  const ends = new WeakMap<OutgoingRequest, readonly SessionEnd[]>();
  /** The request with its certificate, and what it may be authorised by; undefined: it needs nothing. */
  const prepared = async (
    plain: OutgoingRequest,
    connection: Connection,
    security: readonly SecurityAlternative[],
    signal: AbortSignal,
  ) => {
    const tls = connection.tls === undefined ? undefined : await identities.of(connection, signal);
    if (tls !== undefined) assertOrigin(plain, connection, allowedOrigins(connection));
    const request = tls === undefined ? plain : { ...plain, tls };
    if (security.length === 0 || connection.credentials === 'none') return { request };
    const alternatives = configuredAlternatives(connection, security, env);
    if (alternatives[0].length === 0) return { request };
    assertOrigin(request, connection, allowedOrigins(connection));
    return { request, alternatives };
  };
  const contextOf = (connection: Connection, request: OutgoingRequest, signal: AbortSignal) => ({
    connection,
    requestUrl: request.url,
    base: connection.baseUrl ?? request.base ?? request.url,
    secrets,
    tokens,
    logins,
    announce,
    signal,
    sent: [],
  });
  return {
    async authorize(plain, connection, security, signal, deadline) {
      const { request, alternatives } = await prepared(plain, connection, security, signal);
      if (alternatives === undefined) return request;
      const askNango = nangoOnce((settings, place) =>
        nango.issue({ connection, settings, place }, signal, deadline),
      );
      const context: CredentialContext = {
        ...contextOf(connection, request, signal),
        askNango: askNango.connection,
        refused: askNango.refused,
        ends: [],
      };
      try {
        let authorized = request;
        for (const one of await fittingAlternative(alternatives, context)) {
          authorized = await applyScheme(authorized, one, context);
        }
        echoes.remember(authorized, context.sent);
        if (context.refused.length > 0) refusals.set(authorized, context.refused);
        if (context.ends.length > 0) ends.set(authorized, context.ends);
        return authorized;
      } catch (error) {
        throw signal.aborted ? ended(signal, connection) : error;
      }
    },
    async plan(plain, connection, security, signal) {
      const { request, alternatives } = await prepared(plain, connection, security, signal);
      if (alternatives === undefined) return request;
      return plannedRequest(request, alternatives[0], {
        ...contextOf(connection, request, signal),
        nango: (settings, place) => nango.ready({ connection, settings, place }, signal),
      });
    },
    refused(connection, request) {
      if (request === undefined)
        return [tokens, logins, nango].map((kept) => kept.forget(connection)).includes(true);
      const asked = (refusals.get(request) ?? []).map((refused) => refused());
      return asked.includes(true);
    },
    saysEnded: (answer, request) => isSessionEnd(answer, ends.get(request) ?? []),
    concealAnswer: echoes.concealAnswer,
    concealError: echoes.concealError,
  };
}

/** One question for one request, whatever schemes the credential serves. */
function nangoOnce(issue: (settings: NangoCredential, place: string) => Promise<NangoIssue>) {
  const asked = new Map<NangoCredential, Promise<NangoConnection>>();
  const refused: (() => boolean)[] = [];
  return {
    refused,
    connection(settings: NangoCredential, place: string): Promise<NangoConnection> {
      const before = asked.get(settings);
      if (before !== undefined) return before;
      const answer = issue(settings, place).then((issued) => {
        refused.push(issued.refused);
        return issued.connection;
      });
      asked.set(settings, answer);
      return answer;
    },
  };
}

function ended({ reason }: AbortSignal, { name }: Connection): ToolcribError {
  const isDeadline = (reason as { name?: unknown } | undefined)?.name === 'TimeoutError';
  return new ToolcribError(
    isDeadline ? 'deadline_exceeded' : 'cancelled',
    `The call ended while the credential of connection ${name} was obtained; nothing was sent.`,
    { cause: reason },
  );
}
