import type { Egress, OutgoingRequest } from '../egress/egress.ts';
import { ToolcribError } from '../errors.ts';
import type { Connection } from '../operations/index.ts';
import type { Redactor } from '../telemetry/redactor.ts';
import { type ChosenScheme, chooseAlternative } from './choose-alternative.ts';
import type { CredentialProvider } from './credential-provider.ts';
import { createOAuthTokens, type OAuthTokens } from './oauth-tokens.ts';
import { placeCookie, placeHeader, placeQuery } from './place-credential.ts';
import { isAuthorizationKey } from './scheme-settings.ts';
import { createSecretReader, type Environment, type SecretReader } from './secret-reference.ts';

export interface CredentialProviderOptions {
  readonly egress: Egress;
  readonly env?: Environment;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
  /** Learns every secret that is used, so that it can be taken out of logs and events. */
  readonly redactor?: Pick<Redactor, 'add'>;
  /** Origins that may receive a connection's credential; undefined: its base URL's, or any where it has none. */
  readonly allowedOrigins?: (connection: Connection) => readonly string[] | undefined;
}

/** Credentials from the configuration and the environment, OAuth 2 tokens from their providers. */
export function createCredentialProvider({
  egress,
  env = process.env,
  now = Date.now,
  redactor,
  allowedOrigins = originOfBaseUrl,
}: CredentialProviderOptions): CredentialProvider {
  const announce = (secret: string) => redactor?.add(secret);
  const secrets = createSecretReader(env, announce);
  const tokens = createOAuthTokens({ egress, secrets, announce, now });
  return {
    async authorize(request, connection, security, signal) {
      if (security.length === 0 || connection.credentials === 'none') return request;
      const chosen = chooseAlternative(connection, security, env);
      if (chosen.length > 0) assertOrigin(request, connection, allowedOrigins(connection));
      const context = { connection, requestUrl: request.url, secrets, tokens, announce, signal };
      try {
        let authorized = request;
        for (const one of chosen) authorized = await applyScheme(authorized, one, context);
        return authorized;
      } catch (error) {
        throw signal.aborted ? ended(signal, connection) : error;
      }
    },
    refused: (connection) => tokens.forget(connection),
  };
}

interface ApplyContext {
  readonly connection: Connection;
  readonly requestUrl: string;
  readonly secrets: SecretReader;
  readonly tokens: OAuthTokens;
  readonly announce: (secret: string) => void;
  readonly signal: AbortSignal;
}

async function applyScheme(
  request: OutgoingRequest,
  chosen: ChosenScheme,
  context: ApplyContext,
): Promise<OutgoingRequest> {
  const { scheme, settings } = chosen;
  const value = await credentialOf(chosen, context);
  if (scheme?.type === 'apiKey') {
    if (scheme.in === 'query') return placeQuery(request, scheme.name, value);
    if (scheme.in === 'cookie') return placeCookie(request, scheme.name, value, settings.place);
    return placeHeader(request, scheme.name, value, settings.place);
  }
  return placeHeader(request, 'Authorization', value, settings.place);
}

/** The value as it goes on the wire. */
async function credentialOf(
  { name, scheme, settings, scopes }: ChosenScheme,
  context: ApplyContext,
): Promise<string> {
  const { secrets, signal, announce } = context;
  switch (settings.kind) {
    case 'header':
      announce(settings.value);
      return settings.value;
    case 'basic': {
      const { basic, place } = settings;
      const username = await secrets.read(basic.username, `${place}.username`, signal, 'public');
      const password = await secrets.read(basic.password, `${place}.password`, signal, 'empty');
      return basicPair(username, password, place);
    }
    case 'pair':
      return ofPair(await secrets.read(settings.pair, settings.place, signal), settings.place, announce);
    case 'oauth2': {
      const { oauth2, place } = settings;
      const { connection, requestUrl, tokens } = context;
      const need = { connection, schemeName: name, scheme, settings: oauth2, place, scopes, requestUrl };
      return `Bearer ${await tokens.accessToken(need, signal)}`;
    }
    case 'token': {
      const token = await secrets.read(settings.token, settings.place, signal);
      const isBearerKey =
        scheme !== undefined && isAuthorizationKey(scheme) && settings.place.endsWith('.bearer');
      if (scheme?.type === 'apiKey' && !isBearerKey) return token;
      return withScheme(scheme?.type === 'http' ? scheme.scheme : 'Bearer', token);
    }
  }
}

/** `Bearer token`, also where the operator wrote the scheme before the token. */
function withScheme(scheme: string, token: string): string {
  const name = /^bearer$/i.test(scheme) ? 'Bearer' : scheme;
  return token.toLowerCase().startsWith(`${name.toLowerCase()} `) ? token : `${name} ${token}`;
}

function ofPair(pair: string, place: string, announce: (secret: string) => void): string {
  const colon = pair.indexOf(':');
  if (colon < 0) {
    throw new ToolcribError(
      'configuration_invalid',
      `The credential of ${place} is not written as user:password.`,
    );
  }
  announce(pair.slice(colon + 1));
  return basicPair(pair.slice(0, colon), pair.slice(colon + 1), place);
}

/** RFC 7617 §2: a user name holds no colon; the pair is UTF-8. */
function basicPair(username: string, password: string, place: string): string {
  if (username.includes(':')) {
    throw new ToolcribError(
      'configuration_invalid',
      `The user name of ${place} holds a colon, which basic authentication cannot carry.`,
    );
  }
  return `Basic ${Buffer.from(`${username}:${password}`, 'utf8').toString('base64')}`;
}

function originOfBaseUrl({ baseUrl }: Connection): readonly string[] | undefined {
  const origin = baseUrl === undefined ? undefined : URL.parse(baseUrl)?.origin;
  return origin === undefined ? undefined : [origin];
}

function ended({ reason }: AbortSignal, { name }: Connection): ToolcribError {
  const isDeadline = (reason as { name?: unknown } | undefined)?.name === 'TimeoutError';
  return new ToolcribError(
    isDeadline ? 'deadline_exceeded' : 'cancelled',
    `The call ended while the credential of connection ${name} was obtained; nothing was sent.`,
    { cause: reason },
  );
}

/** A credential belongs to its connection's origin and goes nowhere else. */
function assertOrigin(
  { url }: OutgoingRequest,
  { name }: Connection,
  allowed: readonly string[] | undefined,
): void {
  const origin = URL.parse(url)?.origin;
  if (origin !== undefined && origin !== 'null' && (allowed === undefined || allowed.includes(origin)))
    return;
  throw new ToolcribError(
    'egress_blocked',
    `The credential of connection ${name} is not sent to ${origin ?? 'an unreadable URL'}: it belongs to ${(allowed ?? []).join(', ') || 'no origin'}.`,
  );
}
