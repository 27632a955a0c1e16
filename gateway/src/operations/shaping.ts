import type { Json, JsonObject } from './json.ts';

/** What a caller asks to become of a list answer; taken out of its arguments before they are validated. */
export interface ShapingRequest {
  /** By field; several must all match. `_text` and `_has` look at whole rows. Grammar: `results/shaping/filter.ts`. */
  readonly filters?: JsonObject;
  /** Dotted paths to keep; absent: every field. */
  readonly fields?: readonly string[];
  /** From an earlier answer of the same operation. */
  readonly cursor?: string;
  /** Rows of this answer. */
  readonly limit?: number;
  /** Pages to read one after the other; at most what the policy allows. Default 1. */
  readonly pages?: number;
  /** True: the answer as the service gave it, up to the output cap. */
  readonly off?: boolean;
}

/** One shaped list. Rows are the service's own, fields left out, never changed. */
export interface ShapedAnswer {
  /** What is returned in place of the answer. */
  readonly structured: JsonObject;
  readonly text: string;
}

/** Rows of a stored answer, asked for again: projection, filter and cursor over the whole of it. */
export interface StoredQuery extends Omit<ShapingRequest, 'pages' | 'off'> {
  /** The id that the summary named. */
  readonly responseId: string;
}

/** Why a call's answer is shaped, and how far. */
export interface ShapedCall {
  readonly request: ShapingRequest;
  /** Rows where the caller says no limit. */
  readonly defaultLimit: number;
  /** Dotted paths that the operation's hints call essential; kept where nothing else is asked for and rows are many. */
  readonly essential?: readonly string[];
}

/** Names of the reserved arguments of shaped tools; `_filter_<field>` besides. */
export const SHAPING_ARGUMENTS = Object.freeze({
  filter: '_filter_',
  fields: '_fields',
  cursor: '_cursor',
  limit: '_limit',
  pages: '_pages',
  off: 'no_optimize',
});

export type ShapedValue = Json;
