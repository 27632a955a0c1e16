import type { ActingUserPlace, RateLimit } from './provider.ts';
import type { SecurityScheme } from './security-scheme.ts';

/** A secret by reference: read at call time, never stored. A plain string is the value itself. */
export type SecretReference = string | { readonly env: string } | { readonly file: string };

/** What the configuration says about one way to authenticate. */
export interface CredentialSettings {
  readonly bearer?: SecretReference;
  readonly basic?: { readonly username: SecretReference; readonly password: SecretReference };
  readonly apiKey?: SecretReference;
  readonly oauth2?: {
    readonly clientId: SecretReference;
    readonly clientSecret?: SecretReference;
    readonly refreshToken?: SecretReference;
    /** Overrides the document's. */
    readonly tokenUrl?: string;
    readonly scopes?: readonly string[];
    readonly audience?: string;
    /** Where a person's sign-in is kept (authorization code): the only place on disk where tokens stand. */
    readonly tokenFile?: string;
    /** Overrides the document's. */
    readonly authorizationUrl?: string;
    /** The one registered at the provider, on 127.0.0.1 or localhost; absent: 127.0.0.1 on a random port. */
    readonly redirectUri?: string;
    /** Beside what the standard says: `{ access_type: offline }`. */
    readonly authorizationParameters?: Readonly<Record<string, string>>;
    /** How the client authenticates at the token endpoint (RFC 6749 §2.3.1); default `basic`. */
    readonly clientAuthentication?: 'basic' | 'body';
  };
  readonly nango?: NangoCredential;
}

/** How requests of a source show themselves in TLS, and whom they trust; PEM. */
export interface TlsSettings {
  /** With the chain behind it, if the service needs that. */
  readonly certificate?: SecretReference;
  readonly key?: SecretReference;
  readonly passphrase?: SecretReference;
  /** Authorities that are trusted beside the usual ones. */
  readonly ca?: SecretReference;
}

/** A token that Nango keeps: asked for at each call, by integration and connection. */
export interface NangoCredential {
  /** Nango's `provider_config_key`. */
  readonly integration: string;
  /** Nango's connection id; absent: the connection record names it. */
  readonly connection?: string;
  /** Environment secret key; default `{ env: NANGO_SECRET_KEY }`. */
  readonly secretKey?: SecretReference;
  /** Self-hosted address; default https://api.nango.dev. */
  readonly baseUrl?: string;
  /** `deprecated`: GET /connection/{id} instead of /connections/{id}. */
  readonly route?: 'current' | 'deprecated';
}

/** `none` sends no credential even where the document asks for one. */
export type ConnectionCredentials =
  | 'none'
  | (CredentialSettings & { readonly schemes?: Readonly<Record<string, CredentialSettings>> });

/** A source bound to an account. */
export interface Connection {
  /** The source's name; also what limits and breakers are kept by. */
  readonly name: string;
  readonly source: string;
  /** Replaces the document's servers; allowed by the egress door because the operator named it. */
  readonly baseUrl?: string;
  readonly serverVariables?: Readonly<Record<string, string>>;
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
