import type { SecretReference, TlsSettings } from './credential-settings.ts';
import type { PromptDescription, ResourceDescription, ResourceTemplateDescription } from './description.ts';
import type { JsonObject } from './json/json.ts';

/** How an upstream MCP server is reached. */
export type UpstreamTransport =
  | {
      readonly kind: 'stdio';
      readonly command: string;
      readonly args: readonly string[];
      /** Set for the process; nothing else of our environment is passed on but `inherit` and what a program needs to run. */
      readonly env: Readonly<Record<string, SecretReference>>;
      /** Names of environment variables that are passed on. */
      readonly inherit: readonly string[];
      readonly cwd?: string;
      readonly isolation: Isolation;
    }
  | {
      /** `http`: Streamable HTTP, and HTTP+SSE where the server answers it with 4xx; `sse`: HTTP+SSE at once. */
      readonly kind: 'http' | 'sse';
      readonly url: string;
      /** Sent on every request. */
      readonly headers: Readonly<Record<string, SecretReference>>;
      /** Absent: OAuth when the server asks for it and a token file or a sign-in is there. */
      readonly oauth?: UpstreamOAuth | 'none';
      /** Of the source: shown to the server and to the token endpoint of its sign-in. */
      readonly tls?: TlsSettings;
    };

/** What the process of a stdio server can reach. */
export interface Isolation {
  readonly mode: 'none' | 'bubblewrap';
  /** Default true. */
  readonly network: boolean;
  /** Absolute paths beside the system's own read-only ones. */
  readonly read: readonly string[];
  readonly write: readonly string[];
}

/** OAuth 2.1 for a remote server (MCP authorization): what discovery and registration do not find out. */
export interface UpstreamOAuth {
  /** The one authorization server that may be asked; absent: the one that the server names. */
  readonly issuer?: string;
  readonly clientId?: SecretReference;
  readonly clientSecret?: SecretReference;
  /** How it shows itself at the token endpoint; absent: as the authorization server says. */
  readonly clientAuthentication?: 'basic' | 'body';
  /** URL of a client-id metadata document. */
  readonly clientMetadataUrl?: string;
  readonly scopes?: readonly string[];
  /** Where the browser comes back to, as it is registered; absent: 127.0.0.1 on a random port. */
  readonly redirectUri?: string;
  /** Added to the address of the sign-in. */
  readonly authorizationParameters?: Readonly<Record<string, string>>;
  /** Where the operator wants tokens kept, absolute; absent: in memory, until the process ends. */
  readonly tokenFile?: string;
  readonly grant?: 'authorization_code' | 'client_credentials';
}

export interface UpstreamDefinition {
  /** The source's name. */
  readonly name: string;
  readonly transport: UpstreamTransport;
  /** `auto` probes 2026-07-28 first, then shakes hands. */
  readonly era: 'auto' | 'legacy' | 'modern';
  /** One process or connection for all, or one for each principal. */
  readonly share: 'one' | 'principal';
  /** Milliseconds for process start and handshake. */
  readonly startTimeoutMs: number;
  /** Milliseconds without a call after which a process is stopped; 0: never. */
  readonly idleMs: number;
  /** Milliseconds in which a server that has calls open must answer a ping. */
  readonly hangMs: number;
  /** Starts again by itself. Default true. */
  readonly restart: boolean;
  /** Variables that its texts read and that were not set when the configuration was read: it is not started. */
  readonly unset?: readonly UnsetVariable[];
}

export interface UnsetVariable {
  /** As messages name the place: `headers.Authorization`. */
  readonly place: string;
  readonly variable: string;
}

/** One tool as the upstream lists it, untouched; foreign text. */
export interface UpstreamTool {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema: JsonObject;
  readonly outputSchema?: JsonObject;
  readonly annotations?: JsonObject;
  /** `taskSupport` (MCP 2025-11-25). */
  readonly execution?: JsonObject;
  readonly icons?: readonly JsonObject[];
  readonly _meta?: JsonObject;
}

export interface MissingList {
  readonly list: 'resources' | 'resourceTemplates' | 'prompts';
  /** The method, and what the server answered to it. */
  readonly why: string;
}

/** Everything one upstream offers, all pages. */
export interface UpstreamListing {
  readonly tools: readonly UpstreamTool[];
  readonly resources: readonly ResourceDescription[];
  readonly resourceTemplates: readonly ResourceTemplateDescription[];
  readonly prompts: readonly PromptDescription[];
  /** Lists that the server did not give; those of before stand in for them. */
  readonly missing?: readonly MissingList[];
  /** Names of tools that were left out: what they want in headers breaks a rule of MCP (2026-07-28, `x-mcp-header`). */
  readonly leftOut?: readonly string[];
  readonly server: { readonly name: string; readonly version: string; readonly title?: string };
  readonly era: 'legacy' | 'modern';
  readonly capabilities: JsonObject;
  readonly instructions?: string;
}
