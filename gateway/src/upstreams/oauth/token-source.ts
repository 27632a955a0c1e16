import type { Challenge } from './challenge.ts';

/** Access tokens for one server; every method but `ready` may ask the authorization server. */
export interface TokenSource {
  /**
   * Throws `authorization_required` where only a person can help, as far as that is known: the sign-in is over, or the
   * server refused what there is within the last minutes. `credentials_missing` where a secret of the client is.
   */
  ready(signal: AbortSignal): Promise<void>;
  /** Renewed in time; undefined as long as nobody signed in. */
  current(signal: AbortSignal): Promise<string | undefined>;
  /** After 401: another token than the one refused. Throws `authorization_required` where only a person can help. */
  renewed(refused: string | undefined, challenge: Challenge, signal: AbortSignal): Promise<string>;
  /** After 403 `insufficient_scope`: a token that may more, or `authorization_required` with the scopes in `details`. */
  steppedUp(refused: string | undefined, challenge: Challenge, signal: AbortSignal): Promise<string>;
}
