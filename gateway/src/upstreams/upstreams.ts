import type { ToolcribError } from '../errors.ts';
import type {
  CallChannel,
  Completion,
  CompletionQuestion,
  ContentBlock,
  InputRequiredResult,
  Json,
  JsonObject,
  TraceFields,
  UpstreamDefinition,
  UpstreamEvent,
  UpstreamListing,
} from '../operations/index.ts';

export type {
  Isolation,
  UpstreamDefinition,
  UpstreamListing,
  UpstreamOAuth,
  UpstreamTool,
  UpstreamTransport,
} from '../operations/index.ts';

/** On whose behalf, and until when. */
export interface UpstreamRequest extends TraceFields {
  /** The person, by `personKey`; chooses the process where they are not shared, and who is asked questions. */
  readonly principal: string;
  readonly signal: AbortSignal;
  /** Milliseconds since the epoch. */
  readonly deadline: number;
  readonly channel: CallChannel;
  /** A lost answer ends as `outcome_unknown` unless the call only reads or may be repeated. */
  readonly repeatable: boolean;
}

/** A tool's answer, untouched; foreign text. */
export interface UpstreamAnswer {
  readonly kind: 'answer';
  readonly content: readonly ContentBlock[];
  readonly structured?: Json;
  /** The tool says that it failed (`isError`). */
  readonly failed: boolean;
  readonly meta?: JsonObject;
  /** A question of the server was not put to the caller: it answered without. */
  readonly unasked?: ToolcribError;
}

export interface UpstreamResource {
  readonly contents: ReadonlyArray<
    { readonly uri: string; readonly mimeType?: string } & (
      | { readonly text: string }
      | { readonly blob: string }
    )
  >;
  readonly meta?: JsonObject;
}

export interface UpstreamPrompt {
  readonly description?: string;
  readonly messages: ReadonlyArray<{ readonly role: 'user' | 'assistant'; readonly content: ContentBlock }>;
  readonly meta?: JsonObject;
}

export type UpstreamChange =
  | 'tools'
  | 'resources'
  | 'prompts'
  /** With the person whose own session told it, by `personKey`, where sessions are not shared. */
  | { readonly resource: string; readonly principal?: string };

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
  /**
   * Throws what is known to keep a call from the server without anything being sent to it or started: a secret, its
   * isolation, or a person's sign-in is missing.
   */
  ready(name: string, request: Pick<UpstreamRequest, 'principal' | 'signal'>): Promise<void>;
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
  complete(name: string, question: CompletionQuestion, request: UpstreamRequest): Promise<Completion>;
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
