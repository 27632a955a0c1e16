import type { z } from 'zod';
import type {
  Access,
  Budget,
  CallChannel,
  ContentBlock,
  CostProfile,
  InputRequest,
  Json,
  JsonObject,
  JsonSchema,
  PromptDescription,
  ResourceDescription,
  ResourceTemplateDescription,
  SafetyProfile,
  ToolAnnotations,
} from '../../operations/index.ts';
import type { ToolArguments, ToolSchema, ToolValue } from './schema-types.ts';

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

/**
 * Marks what `content`, `output` and `inputRequired` return, so that no JSON value is taken for it. One for all copies
 * of this module: a tool package may load another than the gateway.
 */
const FUNCTION_OUTPUT: unique symbol = Symbol.for('toolcrib.function-output');

/** What a handler may return beside a JSON value: ready content blocks, or a request for input. */
export type FunctionOutput = { readonly [FUNCTION_OUTPUT]: true } & (FunctionContent | FunctionInputRequired);

interface FunctionContent {
  readonly kind: 'content';
  readonly content: readonly ContentBlock[];
  readonly structured?: Json;
  /** The call failed; the content says why. */
  readonly failed?: boolean;
}

interface FunctionInputRequired {
  readonly kind: 'input_required';
  readonly requests: Readonly<Record<string, InputRequest>>;
  readonly state?: Json;
}

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
  /** Milliseconds for one call. Default: the connection's, 30 s. */
  readonly timeoutMs?: number;
  readonly cost?: CostProfile;
  /** The most that one caller, or one run, may use. */
  readonly budget?: Budget;
  /** What is not said follows from access and annotations: network and open world, no file. */
  readonly safety?: Partial<SafetyProfile>;
  /** Repeating a call has no further effect; the same as `safety.idempotent`. */
  readonly idempotent?: boolean;
  /** Calls that show how it is used; their inputs are told to the model. */
  readonly examples?: readonly ToolExample[];
  /** A JSON value becomes structured content and text; use `content(…)` for blocks. Throw to fail the call. */
  readonly handler: (
    args: JsonObject,
    context: FunctionContext,
  ) => Returned<Json | undefined | FunctionOutput>;
}

export interface ToolExample {
  readonly title?: string;
  readonly input: JsonObject;
  readonly output?: Json;
}

/** What a handler returns, now or later. */
type Returned<T> = Promise<T> | T;

export interface FunctionResource extends ResourceDescription {
  readonly read: (uri: string, context: FunctionContext) => Returned<ResourceContents | FunctionOutput>;
}

export interface FunctionResourceTemplate extends ResourceTemplateDescription {
  readonly read: (
    uri: string,
    variables: Readonly<Record<string, string>>,
    context: FunctionContext,
  ) => Returned<ResourceContents | FunctionOutput>;
  readonly complete?: Completer;
}

/** Values that an argument or variable may get; `chosen`: others that have theirs already. */
type Completer = (
  name: string,
  value: string,
  chosen: Readonly<Record<string, string>>,
) => Returned<readonly string[]>;

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
  ) => Returned<readonly PromptMessage[] | FunctionOutput>;
  readonly complete?: Completer;
}

/** Everything that one function source offers. */
export interface FunctionSource {
  readonly tools?: readonly FunctionTool[];
  readonly resources?: readonly FunctionResource[];
  readonly resourceTemplates?: readonly FunctionResourceTemplate[];
  readonly prompts?: readonly FunctionPrompt[];
}

/** A tool whose handler is typed by its schemas. */
export type ToolDefinition<I extends ToolSchema | undefined, O extends ToolSchema | undefined> = Omit<
  FunctionTool,
  'input' | 'output' | 'handler'
> & {
  readonly input?: I;
  readonly output?: O;
  readonly handler: (
    args: ToolArguments<I>,
    context: FunctionContext,
  ) => Returned<ToolValue<O> | FunctionOutput>;
};

/**
 * Types a tool end to end; no effect at run time. Arguments and answer follow from zod or JSON Schema: with a zod input
 * the handler gets its parsed value; a JSON Schema is read as a literal, without `as const`.
 */
export function defineTool(
  tool: FunctionTool & { readonly input?: undefined; readonly output?: undefined },
): FunctionTool;
export function defineTool<
  const I extends ToolSchema | undefined = undefined,
  const O extends ToolSchema | undefined = undefined,
>(tool: ToolDefinition<I, O>): FunctionTool;
export function defineTool(tool: unknown): FunctionTool {
  return tool as FunctionTool;
}

/** Types a function source; no effect at run time. */
export function defineFunctions(source: FunctionSource): FunctionSource {
  return source;
}

/** Ready content blocks as a handler's return value. */
export function content(...blocks: ContentBlock[]): FunctionOutput {
  return output({ content: blocks });
}

/** Content blocks with structured content, or as a failure. */
export function output(value: Omit<FunctionContent, 'kind'>): FunctionOutput {
  return { [FUNCTION_OUTPUT]: true, kind: 'content', ...value };
}

/** Ends this round of the call with questions to the client; the handler runs again with the answers. */
export function inputRequired(
  requests: Readonly<Record<string, InputRequest>>,
  state?: Json,
): FunctionOutput {
  return {
    [FUNCTION_OUTPUT]: true,
    kind: 'input_required',
    requests,
    ...(state === undefined ? {} : { state }),
  };
}

export function isFunctionOutput(value: unknown): value is FunctionOutput {
  return value !== null && typeof value === 'object' && FUNCTION_OUTPUT in value;
}
