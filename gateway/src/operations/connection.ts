import type { ConnectionCredentials, TlsSettings } from './credential-settings.ts';
import type { ActingUserPlace, RateLimit } from './provider.ts';
import type { SecurityScheme } from './security-scheme.ts';

/** A source bound to an account. */
export interface Connection {
  /** The source's name; also what limits and breakers are kept by. */
  readonly name: string;
  readonly source: string;
  /** Replaces the document's servers; allowed by the egress door because the operator named it. */
  readonly baseUrl?: string;
  readonly serverVariables?: Readonly<Record<string, string>>;
  /** Origins that the configuration names for the source; private ones of other sources are closed to its requests. */
  readonly named?: readonly string[];
  /** Which program or address an upstream MCP server is; equal for equal ones, and says nothing about them. */
  readonly upstream?: string;
  /** Which credential and headers the configuration names; equal for equal ones, and says nothing about them. */
  readonly configuredAccount?: string;
  readonly securitySchemes: Readonly<Record<string, SecurityScheme>>;
  readonly credentials?: ConnectionCredentials;
  /** The Unix domain socket or named pipe through which its requests go, in place of a connection to the host. */
  readonly socketPath?: string;
  readonly tls?: TlsSettings;
  /** Sent on every request; never from arguments. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly limits: ConnectionLimits;
  /** Id of the stored connection that this was made for; absent: the configuration's own. Part of `name`. */
  readonly account?: string;
  /** Whose that account is: a ready token acts for its owner only. */
  readonly accountOwner?: 'organisation' | 'user';
  /** The provider's name, where the source has one. */
  readonly provider?: string;
  readonly region?: string;
  /** Path prefixes below the base URL that no request reaches. */
  readonly blocklist?: readonly string[];
  readonly rateLimit?: RateLimit;
  readonly actingUserPlace?: ActingUserPlace;
  /** The caller's own user id at the provider. */
  readonly actingUser?: string;
}

export interface ConnectionLimits {
  /** Whole call with redirects and retries, milliseconds. */
  readonly timeoutMs: number;
  /** Decoded bytes of one answer. */
  readonly maxBytes: number;
  readonly maxRedirects: number;
  readonly maxAttempts: number;
  /** Calls at once; more wait in a queue of the same size, then `overloaded`. */
  readonly concurrency: number;
  /** Text given to the client, in characters; longer is cut with a note. */
  readonly maxTextLength: number;
}

/** A tool of an upstream server may be a build or a crawl; how long is worth waiting, its client knows. */
export const UPSTREAM_TIMEOUT_MS = 300_000;

export const DEFAULT_LIMITS: ConnectionLimits = Object.freeze({
  timeoutMs: 30_000,
  maxBytes: 10 * 1024 * 1024,
  maxRedirects: 3,
  maxAttempts: 3,
  concurrency: 64,
  maxTextLength: 60_000,
});
