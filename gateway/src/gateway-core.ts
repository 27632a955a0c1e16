import type { Approvals } from './approvals/approvals.ts';
import type { Tasks } from './call-tasks/index.ts';
import type { Catalog } from './catalog/catalog.ts';
import type { EventQuery } from './events/event-log.ts';
import type {
  CallChannel,
  ClientFacts,
  Completion,
  CompletionQuestion,
  Event,
  InputRequiredResult,
  Json,
  JsonObject,
  Principal,
  PromptDescription,
  PublishedTool,
  ResourceDescription,
  ResourceTemplateDescription,
  Result,
  TopologyName,
  TraceFields,
} from './operations/index.ts';
import type { McpSkills } from './server/mcp/skills-extension.ts';
import type { PromptMessage, ResourceContents } from './sources/function/define.ts';
import type { Considered } from './topology/auto.ts';

export type { Approvals };

export interface CallRequest extends TraceFields {
  readonly tool: string;
  readonly arguments?: JsonObject;
  readonly principal?: Principal;
  readonly signal?: AbortSignal;
  readonly channel?: CallChannel;
  /** Which client calls; decides the shape of its tools and answers, and nothing else. */
  readonly client?: ClientFacts;
  readonly dryRun?: boolean;
  /** What several calls belong to: the client's own id, else its session. */
  readonly run?: string;
  /** How many calls through our own API led here; bounded. */
  readonly depth?: number;
}

/** What a principal sees, computed from one catalog snapshot. */
export interface View {
  readonly catalog: Catalog;
  /** Sorted by name. */
  readonly tools: readonly PublishedTool[];
  readonly resources: readonly ResourceDescription[];
  readonly resourceTemplates: readonly ResourceTemplateDescription[];
  readonly prompts: readonly PromptDescription[];
  /** How its operations became these tools: one for each group of sources that are published together. */
  readonly topologies?: readonly TopologyReport[];
}

/** What one group of sources took, and what `auto` measured on the way. */
export interface TopologyReport {
  readonly asked: TopologyName;
  readonly took: TopologyName;
  readonly sources: readonly string[];
  /** Richest first; empty where nothing was measured. */
  readonly considered: readonly Considered[];
  /** Nothing fits. */
  readonly warning?: string;
}

/** A changed list, or a changed resource and the source that said so. */
export type Change = 'tools' | 'prompts' | 'resources' | ResourceChange;

/** Whose lists changed; nobody else's did. */
export type Audience = { readonly organisation: string } | { readonly principal: string };

export interface ResourceChange {
  readonly resource: string;
  readonly source: string;
  /** The only person whom it concerns, by `personKey`: it came from a session that this one has for itself. */
  readonly principal?: string;
}

/** The face of the gateway towards servers and the command line; `Gateway` (gateway-api.ts) adds what embedders ask. */
export interface GatewayCore {
  readonly name: string;
  readonly version: string;
  /** What a principal sees, in the shape that suits its client. */
  view(principal?: Principal, client?: ClientFacts): View;
  /** Takes over what changed behind the lists since; undefined: nothing did. Before a list is made. */
  freshen?(): Promise<void> | undefined;
  /** What clients of the MCP skills extension are offered; undefined: there is nothing of the kind. */
  readonly skillEntries?: McpSkills | undefined;
  /** Never throws for a failed call: the error is in the result. Throws ToolcribError for an unknown tool. */
  call(request: CallRequest): Promise<Result>;
  readResource(
    uri: string,
    request: Omit<CallRequest, 'tool' | 'arguments'>,
  ): Promise<ResourceRead | InputRequiredResult>;
  getPrompt(
    name: string,
    args: Readonly<Record<string, string>>,
    request: Omit<CallRequest, 'tool' | 'arguments'>,
  ): Promise<PromptRead | InputRequiredResult>;
  /** Values that an argument may get; none where the source offers none. Throws `prompt_unknown`, `resource_unknown`. */
  complete(
    question: CompletionQuestion,
    request: Omit<CallRequest, 'tool' | 'arguments'>,
  ): Promise<Completion>;
  /**
   * Asks whoever offers a resource for notices of its changes, which come by `onChange`; the returned function ends
   * it. Follows nothing where the principal may not read it.
   */
  follow?(uri: string, principal?: Principal): Promise<() => void>;
  /** Whether a principal may read resources of a source now, by fresh grants. Rejects with `store_unavailable`. */
  mayRead(source: string, principal?: Principal): Promise<boolean>;
  /** Key of request states, 32 bytes, the same in every process of the store; absent: each has its own. */
  readonly requestKey?: (() => Promise<Uint8Array>) | undefined;
  /** What of an answered form does not fit it, by JSON Pointers into its content; absent: answers are not checked. */
  readonly formFaults?: (
    form: JsonObject,
    content: Json,
  ) => Promise<readonly { readonly pointer: string; readonly message: string }[]>;
  /** Calls that wait for a person, and what people decided. Throws `store_unavailable`. */
  readonly approvals?: (() => Promise<Approvals>) | undefined;
  /** Calls that go on as tasks; `policy` is undefined where none becomes one. `open` throws `store_unavailable`. */
  readonly tasks?: {
    policy(): { readonly afterMs: number } | undefined;
    open(): Promise<Tasks>;
    /** What this source said goes to who fetches the result of a task. Throws `store_unavailable`. */
    delivered?(source: string, reader: Pick<CallRequest, 'principal' | 'run'>): Promise<void>;
  };
  /**
   * Of every source, whoever may read it: see `mayRead`. Lists of everybody may have changed unless an audience says
   * whose. Unsubscribe by the returned function.
   */
  onChange(listener: (change: Change, audience?: Audience) => void): () => void;
  onEvent(listener: (event: Event) => void): () => void;
  /** Told within a second that any process appended events, where several share a store. */
  onNews?(listener: () => void): () => void;
  /** Oldest first: the first above `after`, or without it the newest. Rejects with `store_unavailable`. */
  events(after?: number, query?: EventQuery): Promise<readonly Event[]>;
}

export interface ResourceRead {
  readonly kind: 'resource';
  readonly uri: string;
  readonly contents: ResourceContents;
  /** Every part, where the resource has several or another address (a folder, say); replaces `contents`. */
  readonly parts?: ReadonlyArray<{ readonly uri: string } & ResourceContents>;
  /** What an upstream says beside, for programs. */
  readonly meta?: JsonObject;
}

export interface PromptRead {
  readonly kind: 'prompt';
  readonly description?: string;
  readonly messages: readonly PromptMessage[];
  readonly meta?: JsonObject;
}

/** A server that accepts connections. */
export interface Listening {
  /** Where MCP is served, e.g. `http://127.0.0.1:8787/mcp`. */
  readonly url: string;
  readonly port: number;
  /** Stops accepting, lets requests end within the drain time, then closes. */
  close(): Promise<void>;
}

/** What a new configuration changed in a running gateway. */
export interface ConfigurationChanges {
  /** Names of sources. */
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
  /** How operations become tools differs: every list may. */
  readonly reshaped: boolean;
  /** Keys of the configuration that differ and count from the next start only. */
  readonly afterRestart: readonly string[];
}
