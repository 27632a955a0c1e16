import type { Access, AccessLevel, ActingUserPlace, Json, JsonObject } from '../../operations/index.ts';

export type { AccessLevel };
export type OperationAccess = Access;
export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD';

/** One argument, or a part of one. */
export interface ParameterDef {
  /** Absent: any value. `file`: bytes, in multipart bodies only. */
  readonly type?: 'string' | 'number' | 'integer' | 'boolean' | 'array' | 'object' | 'file' | undefined;
  readonly description?: string | undefined;
  readonly required?: boolean | undefined;
  /** What the service assumes when nothing is sent; told to the model, never sent by us. */
  readonly default?: Json | undefined;
  readonly enum?: readonly Json[] | undefined;
  readonly format?: string | undefined;
  readonly pattern?: string | undefined;
  readonly minimum?: number | undefined;
  readonly maximum?: number | undefined;
  readonly minLength?: number | undefined;
  readonly maxLength?: number | undefined;
  readonly minItems?: number | undefined;
  readonly maxItems?: number | undefined;
  readonly items?: ParameterDef | undefined;
  readonly properties?: Readonly<Record<string, ParameterDef>> | undefined;
  /** An object may hold members beyond `properties`. */
  readonly additionalProperties?: boolean | undefined;
  readonly nullable?: boolean | undefined;
  readonly deprecated?: boolean | undefined;
  readonly examples?: readonly Json[] | undefined;
  /** Of `params` only. Absent: path where the path has the placeholder, else query. */
  readonly in?: 'path' | 'query' | 'header' | undefined;
  /** Lists in the query: `repeat` (tag=a&tag=b, the default) or `comma` (tag=a,b). */
  readonly style?: 'repeat' | 'comma' | undefined;
  readonly verified?: boolean | undefined;
  readonly notes?: Notes | undefined;
}

export type Notes = string | readonly string[];

export interface DeprecationDef {
  /** Dates: YYYY-MM-DD. */
  readonly since?: string | undefined;
  readonly removal?: string | undefined;
  /** Another provider's or operation's name. */
  readonly replacement?: string | undefined;
}

/** One way to authenticate. */
export interface AuthDef {
  readonly type: 'bearer' | 'basic' | 'api-key' | 'oauth2';
  /** Name of the security scheme, for `credentials.schemes`; default: its type. */
  readonly name?: string | undefined;
  readonly headerName?: string | undefined;
  /** `Bearer <token>`, `Zoho-oauthtoken <token>`, `Basic base64(<token>:)`. */
  readonly format?: string | undefined;
  /** Of an API key; default header. */
  readonly in?: 'header' | 'query' | undefined;
  /** Query parameter of an API key. */
  readonly parameter?: string | undefined;
  readonly tokenUrl?: string | undefined;
  readonly refreshUrl?: string | undefined;
  readonly authorizeUrl?: string | undefined;
  readonly scopes?: readonly string[] | undefined;
  /** RFC 6749 §2.3.1. */
  readonly clientAuthentication?: 'basic' | 'body' | undefined;
  readonly audience?: string | undefined;
  readonly verified?: boolean | undefined;
  readonly notes?: Notes | undefined;
}

export interface PaginationDef {
  readonly style: 'page' | 'cursor' | 'offset' | 'link';
  /** Names of shared parameters that every paginated operation takes. */
  readonly parameters?: readonly string[] | undefined;
  /** One of them that refuses every other query parameter beside it. */
  readonly alone?: string | undefined;
  readonly notes?: Notes | undefined;
}

export interface ProviderOperation {
  readonly id: string;
  readonly title?: string | undefined;
  readonly method: HttpMethod;
  /** Below the base URL, with `{placeholders}`. */
  readonly path: string;
  readonly access: OperationAccess;
  /** Why the access is not what the method suggests; silences the linter. */
  readonly accessReason?: string | undefined;
  readonly description: string;
  /** Names of shared parameters. */
  readonly parameters?: readonly string[] | undefined;
  readonly params?: Readonly<Record<string, ParameterDef>> | undefined;
  readonly body?: Readonly<Record<string, ParameterDef>> | undefined;
  readonly contentType?: 'json' | 'multipart' | 'form' | undefined;
  /** `binary`: bytes rather than JSON. */
  readonly response?: 'json' | 'binary' | undefined;
  readonly responseHints?: readonly string[] | undefined;
  readonly paginated?: boolean | undefined;
  /** Of each list of arguments exactly one must be given. */
  readonly exactlyOne?: readonly (readonly string[])[] | undefined;
  readonly meta?:
    | {
        /** Refused unless the caller is mapped to a user of the provider. */
        readonly requiresOnBehalfOf?: boolean | undefined;
        /** Sent where the caller is mapped. */
        readonly acceptsOnBehalfOf?: boolean | undefined;
        /** The body goes as `{ "data": [fields] }`. */
        readonly wrapInData?: boolean | undefined;
      }
    | undefined;
  readonly requires?:
    | {
        readonly permissions?: readonly string[] | undefined;
        readonly roles?: readonly string[] | undefined;
        readonly feature?: string | undefined;
      }
    | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly deprecated?: boolean | DeprecationDef | undefined;
  readonly safety?:
    | { readonly idempotent?: boolean | undefined; readonly destructive?: boolean | undefined }
    | undefined;
  readonly cost?: { readonly usd?: number | undefined; readonly typicalMs?: number | undefined } | undefined;
  /** The most that one caller, or one run, may use within a window; default one day. */
  readonly budget?:
    | {
        readonly calls?: number | undefined;
        readonly usd?: number | undefined;
        readonly bytes?: number | undefined;
        readonly per?: 'principal' | 'run' | undefined;
        readonly windowSeconds?: number | undefined;
      }
    | undefined;
  readonly limits?:
    | {
        readonly timeoutSeconds?: number | undefined;
        readonly maxAttempts?: number | undefined;
        readonly maxOutputBytes?: number | undefined;
      }
    | undefined;
  /** False: not checked against the provider's documentation. */
  readonly verified?: boolean | undefined;
  readonly notes?: Notes | undefined;
}

/** Everything that is known of one provider. */
export interface ProviderManifest {
  readonly $schema?: string | undefined;
  readonly provider: string;
  readonly displayName: string;
  readonly category: string;
  readonly baseUrl: string;
  readonly apiVersion: string;
  readonly auth: AuthDef | readonly AuthDef[];
  readonly onBehalfOf?: ActingUserPlace | undefined;
  readonly operations: readonly ProviderOperation[];
  /** Shared parameters by name. */
  readonly parameters?: Readonly<Record<string, ParameterDef>> | undefined;
  readonly pagination?: PaginationDef | undefined;
  readonly blocklist?: readonly string[] | undefined;
  readonly rateLimit?:
    | { readonly requests: number; readonly windowSeconds: number; readonly notes?: Notes | undefined }
    | undefined;
  readonly regions?:
    | Readonly<
        Record<
          string,
          {
            readonly baseUrl: string;
            readonly verified?: boolean | undefined;
            readonly notes?: Notes | undefined;
          }
        >
      >
    | undefined;
  readonly deprecated?: DeprecationDef | undefined;
  /** Mappings to the generic tools of the category, by record name. */
  readonly generic?: JsonObject | undefined;
  readonly notes?: Notes | undefined;
}
