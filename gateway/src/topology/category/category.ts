import type { JsonSchema, VisibleOperation } from '../../operations/index.ts';
import { trimEndsOf } from '../../operations/text/trim-runs.ts';

/** Operations that belong together: one tool where they are many, a part of `manage_other` where they are few. */
export interface Category {
  /** What its tool is called after: letters, digits and `_`. */
  readonly name: string;
  /** As the document or the configuration spells it. */
  readonly label: string;
  /** What it is about, in one sentence, where the configuration says so. */
  readonly description?: string;
  /** In the order of the set. */
  readonly operations: readonly VisibleOperation[];
}

/**
 * Properties of a category's input schema beside the usual ones, e.g. `server_id` for servers. A value that is given
 * becomes the argument of that name of the operation that is called.
 */
export type CategorySchema = (
  category: Category,
  operations: readonly VisibleOperation[],
) => Readonly<Record<string, JsonSchema>>;

/** Letters, digits and `_`, as a part of a tool's name. */
export function nameOf(label: string): string {
  const letters = label.normalize('NFKD').replace(/\p{M}+/gu, '');
  return trimEndsOf(letters.replace(/[^A-Za-z0-9]+/g, '_'), '_');
}
