/** What only whoever began a sign-in knows (authorization code, OpenID Connect Core 1.0 §3.1). */
export interface SignInSecrets {
  /** Comes back with the answer (RFC 6749 §10.12). */
  readonly state: string;
  /** RFC 7636 §4.1. */
  readonly verifier: string;
  /** Comes back in the ID token (OpenID Connect Core 1.0 §3.1.2.1). */
  readonly nonce: string;
}
