import type { AzureClaims } from './token-claims.ts';

/** A token for Azure Resource Manager. It goes into an Authorization header and nowhere else. */
export interface AzureToken {
  readonly value: string;
  /** What the token says of itself; empty for one that is no JWT. */
  claims(): AzureClaims;
}

export interface AzureTokens {
  /**
   * Throws `credentials_missing` with what to do next, `credentials_refused` where the sign-in service says no,
   * `upstream_unreachable` and `egress_blocked` where it is not reached, and the signal's reason.
   */
  token(signal: AbortSignal): Promise<AzureToken>;
  /** The service refused this one: it is forgotten. True when asking again may bring a better one. */
  refused(value: string): boolean;
}

export interface OpenAzureTokens extends AzureTokens {
  /** Ends a sign-in that waits for a person. */
  close(): void;
}
