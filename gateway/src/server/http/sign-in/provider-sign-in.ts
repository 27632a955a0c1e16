import type { ReferredUser } from '../../../principals/index.ts';

/** What the browser keeps between the two halves of a sign-in, and gives to nobody else. */
export interface KeptSignIn {
  /** Comes back with the answer (RFC 6749 §10.12). */
  readonly state: string;
  /** RFC 7636 §4.1. */
  readonly verifier: string;
  /** Comes back in the ID token (OpenID Connect Core 1.0 §3.1.2.1). */
  readonly nonce: string;
}

/** The answer of a provider, whose `state` was looked at. */
export interface ProviderAnswer extends Omit<KeptSignIn, 'state'> {
  readonly parameters: URLSearchParams;
  /** As it was asked with. */
  readonly redirectUri: string;
  /** When the sign-in ends, milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** Where a team's people sign in to the console: at their identity provider. */
export interface ProviderSignIn {
  /** What they call it. */
  readonly name: string;
  /** Where the browser goes. Throws `credentials_refused`, `credentials_missing`, `upstream_unreachable`. */
  begin(redirectUri: string, signal: AbortSignal): Promise<{ address: string; kept: KeptSignIn }>;
  /**
   * Who signed in there. Throws as `begin` does; `authorization_required` where the provider or its person said no,
   * `unauthorized`, and `user_refused` for whoever is not known here.
   */
  finish(answer: ProviderAnswer, signal: AbortSignal): Promise<ReferredUser>;
}
