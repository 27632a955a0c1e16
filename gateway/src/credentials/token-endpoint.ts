import type { Egress, OutgoingRequest } from '../egress/egress.ts';
import { ToolcribError } from '../errors.ts';
import { printable } from '../operations/text/printable.ts';
import { redact } from '../telemetry/redact.ts';
import { authenticateClient, basicHint, type ClientAuthentication } from './client-authentication.ts';
import {
  AFTER_LOST_GRANT,
  askProvider,
  formRequest,
  isOutOfOrder,
  type ProviderAnswer,
} from './provider-request.ts';
import { lifetimeSeconds } from './token-lifetime.ts';

/** Who asks, and where. */
export interface TokenClient extends ClientAuthentication {
  readonly tokenUrl: string;
  /** As in a request: the document may say where the token endpoint is. */
  readonly named?: readonly string[];
}

/** What the client shows to get a token: RFC 6749 §4.1 with a code, §6 with a refresh token, else §4.4. */
export interface TokenRequest extends TokenClient {
  readonly refreshToken?: string;
  /** What a person's sign-in brought (RFC 7636). */
  readonly code?: { readonly code: string; readonly verifier: string; readonly redirectUri: string };
  readonly scopes: readonly string[];
  readonly audience?: string;
  /** The user for whom the client acts: `sub`, as Greenhouse takes it beside `client_credentials`. */
  readonly subject?: string;
}

export interface TokenGrant {
  readonly accessToken: string;
  /** Absent: the provider does not say. */
  readonly expiresInSeconds?: number;
  /** The first one, or the one that replaces it (RFC 6749 §6). */
  readonly refreshToken?: string;
  /** As the provider grants them, where it says. */
  readonly scopes?: readonly string[];
  /** Who signed in (OpenID Connect Core 1.0 §3.1.3.3), unchecked. */
  readonly idToken?: string;
}

/** Asks the token endpoint once. Throws `credentials_refused` with the provider's own words, never with a secret. */
export async function requestToken(
  egress: Egress,
  request: TokenRequest,
  signal: AbortSignal,
): Promise<TokenGrant> {
  const what = `The token endpoint ${withoutQuery(request.tokenUrl)}`;
  const answer = await askProvider(egress, outgoing(request), what, signal, AFTER_LOST_GRANT);
  if (
    answer.status !== 200 ||
    typeof answer.json?.['access_token'] !== 'string' ||
    answer.json['access_token'] === ''
  ) {
    throw refused(what, answer, request);
  }
  const { access_token: accessToken, token_type: type, refresh_token: refreshToken, scope } = answer.json;
  const idToken = answer.json['id_token'];
  const expiresInSeconds = lifetimeSeconds(answer.json['expires_in']);
  if (typeof type === 'string' && !/^bearer$/i.test(type)) {
    throw new ToolcribError(
      'credentials_refused',
      `${what} issues tokens of type ${printable(type, 300)}; only Bearer can be used.`,
    );
  }
  return {
    accessToken: accessToken as string,
    ...(expiresInSeconds === undefined ? {} : { expiresInSeconds }),
    ...(typeof refreshToken === 'string' && refreshToken !== '' ? { refreshToken } : {}),
    ...(typeof scope === 'string' ? { scopes: scope.split(/[\s,]+/).filter(Boolean) } : {}),
    ...(typeof idToken === 'string' && idToken !== '' ? { idToken } : {}),
  };
}

function outgoing(request: TokenRequest): OutgoingRequest {
  const { tokenUrl, refreshToken, code, scopes, audience, subject, tls, named } = request;
  const fields: readonly (readonly [string, string | undefined])[] = [
    ['grant_type', grantTypeOf(request)],
    ['code', code?.code],
    ['code_verifier', code?.verifier],
    ['redirect_uri', code?.redirectUri],
    ['refresh_token', refreshToken],
    ['scope', scopes.length === 0 ? undefined : scopes.join(' ')],
    ['audience', code === undefined ? audience : undefined],
    ['sub', subject],
  ];
  const form = new URLSearchParams();
  for (const [name, value] of fields) if (value !== undefined) form.set(name, value);
  return {
    ...formRequest(tokenUrl, form, authenticateClient(request, form)),
    ...(tls === undefined ? {} : { tls }),
    ...(named === undefined ? {} : { named }),
  };
}

export function outOfOrderHint(status: number): { readonly next?: string } {
  if (!isOutOfOrder(status)) return {};
  return { next: 'Try again later. If it stays so, ask whoever runs the authorization server.' };
}

function grantTypeOf({ code, refreshToken }: TokenRequest): string {
  if (code !== undefined) return 'authorization_code';
  return refreshToken === undefined ? 'client_credentials' : 'refresh_token';
}

/** RFC 6749 §5.2 `invalid_grant`: code or refresh token is used up, expired or revoked. */
export function isInvalidGrant(error: unknown): boolean {
  return error instanceof ToolcribError && error.details?.['oauth'] === 'invalid_grant';
}

/** Whoever signed in begins anew: their code is used up or late. Glewlwyd 2.7 says `invalid_code`. */
export function isRefusedCode(error: unknown): error is ToolcribError {
  return (
    isInvalidGrant(error) || (error instanceof ToolcribError && error.details?.['oauth'] === 'invalid_code')
  );
}

/** RFC 6749 §5.2 `invalid_client`: of a client that registered itself, its registration is over (RFC 7591 §3.2.1). */
export function isForgottenClient(error: unknown): boolean {
  return error instanceof ToolcribError && error.details?.['oauth'] === 'invalid_client';
}

/** By other words than `invalid_grant`: LemonLDAP::NG 2.16 says `invalid_request`, Glewlwyd 2.7 nothing at all. */
const REFUSALS: ReadonlySet<unknown> = new Set([
  undefined,
  'invalid_request',
  'invalid_token',
  'expired_token',
  'access_denied',
]);

/** A refresh token that was good is not taken, and the client is: only a new sign-in can help. */
export function isRefusedRenewal(error: unknown): error is ToolcribError {
  if (!(error instanceof ToolcribError)) return false;
  return isInvalidGrant(error) || (error.status === 400 && REFUSALS.has(error.details?.['oauth']));
}

/** A refusal, without any of the secrets that the client showed. */
function refused(what: string, { status, json }: ProviderAnswer, request: TokenRequest): ToolcribError {
  const { clientSecret, refreshToken, code } = request;
  const { said, oauth } = refusalIn(json, [clientSecret, refreshToken, code?.code, code?.verifier]);
  return new ToolcribError('credentials_refused', `${what} answered ${status}: ${said}`, {
    status,
    ...basicHint(request),
    ...outOfOrderHint(status),
    ...(oauth === undefined ? {} : { details: { oauth } }),
  });
}

/**
 * RFC 6749 §5.2: `error` and `error_description` for a person, and `error` for `isInvalidGrant` and `isRefusedRenewal`.
 * Servers repeat what they were sent in either. `otherwise` is said of an answer without these.
 */
export function refusalIn(
  json: ProviderAnswer['json'],
  sent: readonly (string | undefined)[],
  otherwise = 'no access token in the answer',
): { readonly said: string; readonly oauth?: string } {
  const secrets = sent.filter((secret) => secret !== undefined && secret !== '') as string[];
  const [error, description] = ['error', 'error_description'].map((name) => {
    const word = json?.[name];
    return typeof word === 'string' ? printable(redact(word, secrets), 300) : undefined;
  });
  const words = [error, description].filter((word) => word !== undefined);
  return {
    said: words.join(': ') || otherwise,
    ...(error === undefined ? {} : { oauth: error }),
  };
}

function withoutQuery(url: string): string {
  return url.split(/[?#]/, 1)[0]!;
}
