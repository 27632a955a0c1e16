import type { Catalog } from './catalog/catalog.ts';
import type {
  CallChannel,
  Event,
  InputRequiredResult,
  JsonObject,
  Principal,
  PromptDescription,
  PublishedTool,
  ResourceDescription,
  ResourceTemplateDescription,
  Result,
} from './operations/index.ts';
import type { PromptMessage, ResourceContents } from './sources/function/define.ts';

export interface CallRequest {
  readonly tool: string;
  readonly arguments?: JsonObject;
  readonly principal?: Principal;
  readonly signal?: AbortSignal;
  readonly channel?: CallChannel;
  readonly dryRun?: boolean;
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
}

export type Change = 'tools' | 'prompts' | 'resources' | { readonly resource: string };

/** The face of the gateway towards servers, the command line and embedders. */
export interface GatewayCore {
  readonly name: string;
  readonly version: string;
  view(principal?: Principal): View;
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
  complete(
    reference: { prompt: string } | { template: string },
    argument: string,
    value: string,
    principal?: Principal,
  ): Promise<readonly string[]>;
  /** Unsubscribe by the returned function. */
  onChange(listener: (change: Change) => void): () => void;
  onEvent(listener: (event: Event) => void): () => void;
  /** Told within a second that any process appended events, where several share a store. */
  onNews?(listener: () => void): () => void;
  /** Oldest first: the first above `after`, or without it the newest. Rejects with `store_unavailable`. */
  events(after?: number, query?: { readonly organisation?: string }): Promise<readonly Event[]>;
}

export interface ResourceRead {
  readonly kind: 'resource';
  readonly uri: string;
  readonly contents: ResourceContents;
}

export interface PromptRead {
  readonly kind: 'prompt';
  readonly description?: string;
  readonly messages: readonly PromptMessage[];
}

/** A server that accepts connections. */
export interface Listening {
  /** Where MCP is served, e.g. `http://127.0.0.1:8787/mcp`. */
  readonly url: string;
  readonly port: number;
  /** Stops accepting, lets requests end within the drain time, then closes. */
  close(): Promise<void>;
}
