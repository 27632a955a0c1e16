/** A secret by reference: read at call time, never stored. A plain string is the value itself. */
export type SecretReference = PlainReference | SecretCommand;

/** One that no program has to be run for. */
export type PlainReference = string | { readonly env: string } | { readonly file: string };

/** A program that prints the secret on standard output, as `gh auth token` does. */
export interface SecretCommand {
  /** The program and its arguments; no shell reads them. */
  readonly command: readonly string[];
  /** Where it runs; absent: where this process does. */
  readonly folder?: string;
}

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
    /** Where signing out ends the tokens (RFC 7009). Overrides what the provider publishes. */
    readonly revocationUrl?: string;
    /** The one registered at the provider, on 127.0.0.1 or localhost; absent: 127.0.0.1 on a random port. */
    readonly redirectUri?: string;
    /** Beside what the standard says: `{ access_type: offline }`. */
    readonly authorizationParameters?: Readonly<Record<string, string>>;
    /** How the client authenticates at the token endpoint (RFC 6749 §2.3.1); default `basic`. */
    readonly clientAuthentication?: 'basic' | 'body';
  };
  readonly nango?: NangoCredential;
  /** The operator's own alone: never of a stored connection. */
  readonly login?: LoginSettings;
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

/** A member of a login's JSON body. */
export type LoginValue =
  | SecretReference
  | number
  | boolean
  | null
  | readonly LoginValue[]
  | { readonly [member: string]: LoginValue };

/** Where the answer has the token: a JSON Pointer (RFC 6901), or the name of a header or a cookie. */
export type LoginToken = string | { readonly header: string } | { readonly cookie: string };

/** An answer by which a service says, otherwise than by a 401, that the session is over. */
export interface SessionEnd {
  readonly status: number;
  /** What stands in its JSON, by JSON Pointer (RFC 6901), all of it; absent: the status alone says so. */
  readonly body?: Readonly<Record<string, string | number | boolean>>;
}

/** How a service's own login gives a token, or the cookie of a session. */
export interface LoginSettings {
  /** Absolute, or a path below the base URL; absent: the token endpoint of an OAuth 2 scheme (RFC 6749 §4.3). */
  readonly url?: string;
  /** Default: POST. */
  readonly method?: 'GET' | 'POST' | 'PUT';
  /** Sent as JSON. */
  readonly body?: Readonly<Record<string, LoginValue>>;
  /** Sent as application/x-www-form-urlencoded. */
  readonly form?: Readonly<Record<string, SecretReference>>;
  readonly basic?: { readonly username: SecretReference; readonly password: SecretReference };
  readonly headers?: Readonly<Record<string, SecretReference>>;
  /** Absent: the cookie of a scheme that is one, else `/access_token`, `/accessToken` or `/token`. */
  readonly token?: LoginToken;
  /** The word before the token in `Authorization`, instead of the scheme's; `none` for the token alone. */
  readonly tokenType?: string;
  /** Milliseconds; absent: as the answer or the token itself says, else until the service refuses it. */
  readonly lifetime?: number;
  /** Any of them is what a 401 is. */
  readonly ended?: readonly SessionEnd[];
}
