import type {
  CallChannel,
  ContentBlock,
  InputRequiredResult,
  Json,
  JsonObject,
  PromptDescription,
  ResourceDescription,
  ResourceTemplateDescription,
  SecretReference,
  UpstreamEvent,
} from '../operations/index.ts';

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
  readonly clientId?: SecretReference;
  readonly clientSecret?: SecretReference;
  /** URL of a client-id metadata document. */
  readonly clientMetadataUrl?: string;
  readonly scopes?: readonly string[];
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
}

/** One tool as the upstream lists it, untouched; foreign text. */
export interface UpstreamTool {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema: JsonObject;
  readonly outputSchema?: JsonObject;
  readonly annotations?: JsonObject;
  readonly icons?: readonly JsonObject[];
  readonly _meta?: JsonObject;
}

/** Everything one upstream offers, all pages. */
export interface UpstreamListing {
  readonly tools: readonly UpstreamTool[];
  readonly resources: readonly ResourceDescription[];
  readonly resourceTemplates: readonly ResourceTemplateDescription[];
  readonly prompts: readonly PromptDescription[];
  readonly server: { readonly name: string; readonly version: string; readonly title?: string };
  readonly era: 'legacy' | 'modern';
  readonly capabilities: JsonObject;
  readonly instructions?: string;
}

/** On whose behalf, and until when. */
export interface UpstreamRequest {
  /** Principal id; chooses the process where they are not shared, and who is asked questions. */
  readonly principal: string;
  readonly signal: AbortSignal;
  /** Milliseconds since the epoch. */
  readonly deadline: number;
  readonly channel: CallChannel;
  /** A lost answer ends as `outcome_unknown` unless the call only reads or may be repeated. */
  readonly repeatable: boolean;
  readonly traceparent?: string;
}

/** A tool's answer, untouched; foreign text. */
export interface UpstreamAnswer {
  readonly kind: 'answer';
  readonly content: readonly ContentBlock[];
  readonly structured?: Json;
  /** The tool says that it failed (`isError`). */
  readonly failed: boolean;
  readonly meta?: JsonObject;
}

export interface UpstreamResource {
  readonly contents: ReadonlyArray<
    { readonly uri: string; readonly mimeType?: string } & (
      | { readonly text: string }
      | { readonly blob: string }
    )
  >;
}

export interface UpstreamPrompt {
  readonly description?: string;
  readonly messages: ReadonlyArray<{ readonly role: 'user' | 'assistant'; readonly content: ContentBlock }>;
}

export type UpstreamChange = 'tools' | 'resources' | 'prompts' | { readonly resource: string };

export interface UpstreamState {
  readonly name: string;
  readonly status: 'idle' | 'starting' | 'running' | 'waiting' | 'failed' | 'stopped';
  readonly era?: 'legacy' | 'modern';
  readonly pid?: number;
  readonly restarts: number;
  readonly lastError?: string;
  /** Milliseconds until the next attempt, while `waiting`. */
  readonly retryInMs?: number;
}

/**
 * Upstream MCP servers by name: started when needed, restarted when they fail, stopped when idle. Throws
 * `upstream_unavailable` (nothing was sent), `upstream_crashed` (ended during a call that may be repeated),
 * `outcome_unknown` (during another), `upstream_failed` (malformed or a protocol error), `deadline_exceeded`,
 * `cancelled`, `authorization_required`, `isolation_unavailable`.
 */
export interface Upstreams {
  /** Adds, changes and removes servers while running; what did not change goes on, calls in flight end where they began. */
  configure(definitions: readonly UpstreamDefinition[]): void;
  /** Starts it where necessary and lists everything. */
  list(name: string, signal: AbortSignal): Promise<UpstreamListing>;
  call(
    name: string,
    tool: string,
    args: JsonObject,
    request: UpstreamRequest,
  ): Promise<UpstreamAnswer | InputRequiredResult>;
  read(name: string, uri: string, request: UpstreamRequest): Promise<UpstreamResource | InputRequiredResult>;
  prompt(
    name: string,
    prompt: string,
    args: Readonly<Record<string, string>>,
    request: UpstreamRequest,
  ): Promise<UpstreamPrompt | InputRequiredResult>;
  complete(
    name: string,
    reference: { readonly prompt: string } | { readonly template: string },
    argument: string,
    value: string,
    request: UpstreamRequest,
  ): Promise<readonly string[]>;
  /** Follows one resource at the upstream; the returned function ends it. */
  follow(name: string, uri: string): () => void;
  /** The server said that its lists or a followed resource changed, or it came back and may have. */
  onChange(listener: (name: string, change: UpstreamChange) => void): () => void;
  states(): readonly UpstreamState[];
  /** Ends every process and connection. */
  close(): Promise<void>;
}

export interface UpstreamsOptions {
  readonly record: (event: UpstreamEvent) => void;
}
