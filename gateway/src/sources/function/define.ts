import type { z } from 'zod';
import type {
  Access,
  CallChannel,
  ContentBlock,
  InputRequest,
  Json,
  JsonObject,
  JsonSchema,
  PromptDescription,
  ResourceDescription,
  ResourceTemplateDescription,
  ToolAnnotations,
} from '../../operations/index.ts';

/** Passed to every handler of a function source. */
export interface FunctionContext {
  /** Correlation id of the call. */
  readonly id: string;
  readonly signal: AbortSignal;
  readonly channel: CallChannel;
  /** Tells connected clients that this source's tools, prompts or resources changed. */
  notify(change: 'tools' | 'prompts' | 'resources' | { resource: string }): void;
  /** Asks the client for input; return the value from the handler. Answers arrive as `channel.inputResponses`. */
  inputRequired(requests: Readonly<Record<string, InputRequest>>, state?: Json): FunctionOutput;
  /** Ends the call as `capability_missing` (JSON-RPC -32021) unless the client declared the capability. */
  requireCapability(name: 'sampling' | 'elicitation' | 'roots'): void;
}

/** What a handler may return: any JSON value, ready content blocks, or a request for input. */
export type FunctionOutput =
  | {
      readonly kind: 'content';
      readonly content: readonly ContentBlock[];
      readonly structured?: Json;
      readonly failed?: boolean;
    }
  | {
      readonly kind: 'input_required';
      readonly requests: Readonly<Record<string, InputRequest>>;
      readonly state?: Json;
    };

export interface FunctionTool {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  /** A zod object schema or a JSON Schema with `type: object`. Absent: no arguments. */
  readonly input?: z.ZodType | JsonSchema;
  readonly output?: z.ZodType | JsonSchema;
  /** Default `write`: what is not declared harmless is not. */
  readonly access?: Access;
  readonly annotations?: Partial<ToolAnnotations>;
  readonly tags?: readonly string[];
  /** A JSON value becomes structured content and text; use `content(…)` for blocks. Throw to fail the call. */
  readonly handler: (
    args: JsonObject,
    context: FunctionContext,
  ) => Promise<Json | FunctionOutput> | Json | FunctionOutput;
}

export interface FunctionResource extends ResourceDescription {
  readonly read: (uri: string, context: FunctionContext) => Promise<ResourceContents> | ResourceContents;
}

export interface FunctionResourceTemplate extends ResourceTemplateDescription {
  readonly read: (
    uri: string,
    variables: Readonly<Record<string, string>>,
    context: FunctionContext,
  ) => Promise<ResourceContents> | ResourceContents;
  readonly complete?: (variable: string, value: string) => Promise<readonly string[]> | readonly string[];
}

export type ResourceContents = { readonly mimeType?: string } & (
  | { readonly text: string }
  | { readonly blob: string }
);

export interface PromptMessage {
  readonly role: 'user' | 'assistant';
  readonly content: ContentBlock;
}

export interface FunctionPrompt extends PromptDescription {
  readonly get: (
    args: Readonly<Record<string, string>>,
    context: FunctionContext,
  ) => Promise<readonly PromptMessage[] | FunctionOutput> | readonly PromptMessage[] | FunctionOutput;
  readonly complete?: (argument: string, value: string) => Promise<readonly string[]> | readonly string[];
}

/** Everything that one function source offers. */
export interface FunctionSource {
  readonly tools?: readonly FunctionTool[];
  readonly resources?: readonly FunctionResource[];
  readonly resourceTemplates?: readonly FunctionResourceTemplate[];
  readonly prompts?: readonly FunctionPrompt[];
}

/** Types a tool; no effect at run time. */
export function defineTool(tool: FunctionTool): FunctionTool {
  return tool;
}

/** Types a function source; no effect at run time. */
export function defineFunctions(source: FunctionSource): FunctionSource {
  return source;
}

/** Ready content blocks as a handler's return value. */
export function content(...blocks: ContentBlock[]): FunctionOutput {
  return { kind: 'content', content: blocks };
}
