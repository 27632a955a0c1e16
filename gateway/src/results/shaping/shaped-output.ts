import type { Json, JsonObject, ShapedAnswer } from '../../operations/index.ts';
import { tableText } from './tables.ts';
import { estimateTokensFromAbove } from './token-estimate.ts';

/** What a caller gets in place of a long answer. Members without a value are left out. */
export interface ShapedOutput {
  readonly data?: readonly Json[];
  readonly summary?: JsonObject;
  readonly total_count?: number;
  readonly returned_count?: number;
  readonly truncated?: true;
  readonly response_id?: string;
  readonly next_cursor?: string;
  readonly notes?: readonly string[];
  readonly envelope?: Json;
}

/** How much a client takes at once; each form stays within it. */
export interface OutputLimits {
  readonly maxCharacters: number;
  readonly maxTokens: number;
}

/** A client's limits by default: 60,000 characters, 20,000 tokens. */
export const DEFAULT_OUTPUT_LIMITS: OutputLimits = Object.freeze({
  maxCharacters: 60_000,
  maxTokens: 20_000,
});

/** Text is JSON; of flat rows, a table above the rest as one line of JSON. */
export function render(output: ShapedOutput, tables: boolean): ShapedAnswer {
  const structured = output as unknown as JsonObject;
  const table = tables && output.data !== undefined ? tableText(output.data) : undefined;
  if (table === undefined) return { structured, text: JSON.stringify(structured) };
  const { data: _rows, ...rest } = output;
  return { structured, text: `${table}\n\n${JSON.stringify(rest)}` };
}

export function fitsWithin(text: string, { maxCharacters, maxTokens }: OutputLimits): boolean {
  return text.length <= maxCharacters && estimateTokensFromAbove(text) <= maxTokens;
}

export function isWithin({ structured, text }: ShapedAnswer, limits: OutputLimits): boolean {
  const json = JSON.stringify(structured);
  return fitsWithin(text, limits) && (json === text || fitsWithin(json, limits));
}
