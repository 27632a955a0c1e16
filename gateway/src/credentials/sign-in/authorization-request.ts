import { randomUUID } from 'node:crypto';
import type { AskedSignIn } from './asked-sign-in.ts';

export interface AuthorizationRequest {
  /** The authorization endpoint. */
  readonly endpoint: string;
  readonly clientId: string;
  readonly scopes: readonly string[];
  /** Whom the token is for, by the name that the provider reads: `resource` (RFC 8707) or `audience`. */
  readonly target?: Readonly<Record<string, string>>;
  /** The operator's, beside what the standard says; an empty text leaves one out. */
  readonly parameters?: Readonly<Record<string, string>> | undefined;
}

/**
 * The address that a person is sent to (RFC 6749 §4.1.1, RFC 7636). OpenID Connect Core §11: a provider ignores
 * `offline_access` unless the person is asked to consent. Core §3.1.2.1: the nonce is optional, and some want it: where
 * the ID token that repeats it is not used, any will do.
 */
export function authorizationAddress(
  { endpoint, clientId, scopes, target, parameters }: AuthorizationRequest,
  { redirectUri, state, challenge, nonce }: AskedSignIn,
): string {
  const url = new URL(endpoint);
  const asked = {
    ...(scopes.includes('offline_access') ? { prompt: 'consent' } : {}),
    ...(scopes.includes('openid') ? { nonce: randomUUID() } : {}),
    ...parameters,
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    state,
    code_challenge: challenge,
    code_challenge_method: 'S256',
    ...(nonce === undefined ? {} : { nonce }),
    ...target,
    ...(scopes.length > 0 ? { scope: scopes.join(' ') } : {}),
  };
  for (const [name, value] of Object.entries(asked)) if (value !== '') url.searchParams.set(name, value);
  return url.href;
}
