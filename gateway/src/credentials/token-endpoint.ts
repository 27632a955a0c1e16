import type { Egress, OutgoingRequest } from '../egress/egress.ts';
import { ToolcribError } from '../errors.ts';
import type { JsonObject } from '../operations/index.ts';
import { printable } from '../operations/printable.ts';
import { redact } from '../telemetry/redact.ts';
import { encodeComponent } from './place-credential.ts';
import { askProvider, type ProviderAnswer } from './provider-request.ts';

/** What the client shows to get a token: RFC 6749 §4.4 without, §6 with a refresh token. */
export interface TokenRequest {
  readonly tokenUrl: string;
  readonly clientId: string;
  readonly clientSecret?: string;
  readonly refreshToken?: string;
  readonly scopes: readonly string[];
  readonly audience?: string;
  /** The user for whom the client acts: `sub`, as Greenhouse takes it beside `client_credentials`. */
  readonly subject?: string;
  readonly clientAuthentication: 'basic' | 'body';
}

export interface TokenGrant {
  readonly accessToken: string;
  readonly expiresInSeconds: number;
  /** The provider has replaced the refresh token (RFC 6749 §6). */
  readonly refreshToken?: string;
}

/** RFC 6749 §5.1 recommends `expires_in`; without it a token is used for five minutes. */
const DEFAULT_LIFETIME_SECONDS = 300;

/** Asks the token endpoint once. Throws `credentials_refused` with the provider's own words, never with a secret. */
export async function requestToken(
  egress: Egress,
  request: TokenRequest,
  signal: AbortSignal,
): Promise<TokenGrant> {
  const what = `The token endpoint ${withoutQuery(request.tokenUrl)}`;
  const answer = await askProvider(egress, outgoing(request), what, signal);
  if (
    answer.status !== 200 ||
    typeof answer.json?.['access_token'] !== 'string' ||
    answer.json['access_token'] === ''
  ) {
    throw refused(what, answer, request);
  }
  const { access_token: accessToken, token_type: type, refresh_token: refreshToken } = answer.json;
  if (typeof type === 'string' && !/^bearer$/i.test(type)) {
    throw new ToolcribError(
      'credentials_refused',
      `${what} issues tokens of type ${printable(type, 300)}; only Bearer can be used.`,
    );
  }
  return {
    accessToken: accessToken as string,
    expiresInSeconds: lifetimeOf(answer.json),
    ...(typeof refreshToken === 'string' && refreshToken !== '' ? { refreshToken } : {}),
  };
}

function outgoing(request: TokenRequest): OutgoingRequest {
  const { tokenUrl, clientId, clientSecret, refreshToken, scopes, audience, subject } = request;
  const inHeader = clientSecret !== undefined && request.clientAuthentication === 'basic';
  const form: (readonly [string, string | undefined])[] = [
    ['grant_type', refreshToken === undefined ? 'client_credentials' : 'refresh_token'],
    ['refresh_token', refreshToken],
    ['scope', scopes.length === 0 ? undefined : scopes.join(' ')],
    ['audience', audience],
    ['sub', subject],
    ['client_id', inHeader ? undefined : clientId],
    ['client_secret', inHeader ? undefined : clientSecret],
  ];
  return {
    method: 'POST',
    url: tokenUrl,
    headers: [
      ['Content-Type', 'application/x-www-form-urlencoded'],
      ['Accept', 'application/json'],
      ...(inHeader ? [['Authorization', clientBasic(clientId, clientSecret)] as const] : []),
    ],
    body: form
      .flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${formEncode(value)}`]))
      .join('&'),
    credentialHeaders: ['authorization'],
  };
}

/** RFC 6749 §2.3.1: id and secret are form-encoded before they are joined. */
function clientBasic(clientId: string, clientSecret: string): string {
  const pair = `${formEncode(clientId)}:${formEncode(clientSecret)}`;
  return `Basic ${Buffer.from(pair).toString('base64')}`;
}

function formEncode(value: string): string {
  return encodeComponent(value).replaceAll('%20', '+');
}

/** Some providers write the number as a string. */
function lifetimeOf(json: JsonObject): number {
  const seconds = Number(json['expires_in'] ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : DEFAULT_LIFETIME_SECONDS;
}

/** RFC 6749 §5.2: `error` and `error_description`. */
function refused(what: string, { status, json }: ProviderAnswer, request: TokenRequest): ToolcribError {
  const words = ['error', 'error_description']
    .map((name) => json?.[name])
    .filter((word) => typeof word === 'string');
  const secrets = [request.clientSecret, request.refreshToken].filter((secret) => secret !== undefined);
  const said = words.map((word) => printable(redact(word, secrets), 300)).join(': ');
  return new ToolcribError(
    'credentials_refused',
    `${what} answered ${status}: ${said || 'no access token in the answer'}`,
    { status },
  );
}

function withoutQuery(url: string): string {
  return url.split(/[?#]/, 1)[0]!;
}
