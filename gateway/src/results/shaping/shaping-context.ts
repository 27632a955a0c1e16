import type { Json } from '../../operations/index.ts';
import type { RowFilter } from './filter.ts';
import { DEFAULT_OUTPUT_LIMITS, fitsWithin, type OutputLimits } from './shaped-output.ts';

/** What shaping an answer needs beside it. */
export interface ShapingContext extends Partial<OutputLimits> {
  /** Keeps the whole answer; its id, undefined where nothing keeps it. */
  store(answer: Json): Promise<string | undefined>;
  /** The request's filters, read once. */
  readonly filter?: RowFilter | undefined;
  /** A field that no row has is refused; false: the answer says so. */
  readonly strict?: boolean;
  /** The first row that counts, in the order of the answer; default 0. */
  readonly offset?: number;
  /** The caller goes on from a cursor. */
  readonly continuing?: boolean;
  /** Leads to a row of this answer. */
  cursorAt?(row: number, responseId: string | undefined): string | undefined;
  /** Leads behind this answer; absent: nothing is behind it. */
  readonly nextCursor?: string | undefined;
  /** Rows shown of a list of middling length. */
  readonly cut?: number;
  /** Flat rows may be written as a table. */
  readonly tables?: boolean;
  /** Even an answer that would stay as it is gets the form of a shaped one. */
  readonly always?: boolean;
  /** What else is to be said, such as the limits in force. */
  readonly notes?: readonly string[];
}

/** The client's limits, with the defaults. */
export function limitsOf({
  maxCharacters = DEFAULT_OUTPUT_LIMITS.maxCharacters,
  maxTokens = DEFAULT_OUTPUT_LIMITS.maxTokens,
}: ShapingContext): OutputLimits {
  return { maxCharacters, maxTokens };
}

/** It fits as it is. */
export function isSmall(answer: Json, limits: OutputLimits): boolean {
  return fitsWithin(JSON.stringify(answer), limits);
}
