import type { JsonObject, JsonSchema } from './json/json.ts';

/** MCP ToolAnnotations; a hint that nobody has given is left out, and MCP's default holds. */
export interface ToolAnnotations {
  readonly title?: string;
  readonly readOnlyHint: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

/** What a client sees. */
export interface Tool {
  /** `^[A-Za-z0-9_-]{1,64}$` */
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema;
  readonly annotations: ToolAnnotations;
  readonly _meta?: JsonObject;
}

/** A tool and what it reaches: one operation, or (later topologies) several. */
export interface PublishedTool {
  /** The tool's name, known without reading the rest of it. */
  readonly name: string;
  /** May be parsed when first read. */
  readonly tool: Tool;
  /** The tool as JSON text, where it is kept as such; listing needs nothing else. */
  json?(): string;
  /** The same in UTF-8, where it is kept so: a view of bytes that nobody changes. */
  bytes?(): Uint8Array;
  /** Key of the compiled operation (`source/id`); absent for a topology's own tool. */
  readonly operation?: string;
}

/** Tokens of a text, as a tokenizer counts them. */
export type TokenCount = (text: string) => number;

/** How many tokens a text has, uncounted. */
export interface TokenEstimate {
  /** It has no fewer. */
  readonly least: number;
  /** It has about so many; no whole number. */
  readonly likely: number;
}
