import type { Json, JsonObject } from '../../operations/index.ts';
import { saidPage, springPage } from './page-facts.ts';
import { defaultOf, minimumOf, numberAt, type PageParameter } from './page-parameters.ts';

/** Where a numbered page stands among all of them. */
export interface PagePlace {
  /** As it was asked for, or would be. */
  readonly number: number;
  /** Pages before it. */
  readonly before: number;
}

/** By the description, else by what the answer says of itself; the first page is 1 where nobody says. */
export function pagePlace(
  argument: PageParameter,
  args: JsonObject,
  envelope: Json | undefined,
  path: readonly string[] | undefined,
): PagePlace {
  const declared = defaultOf(argument) ?? minimumOf(argument);
  const number = numberAt(args, argument) ?? declared ?? saidPage(envelope, path, argument.name) ?? 1;
  const isFromZero =
    number === 0 ||
    declared === 0 ||
    minimumOf(argument) === 0 ||
    (declared === undefined && springPage(envelope, path) === number);
  return { number, before: isFromZero ? number : number - 1 };
}

/**
 * Rows from the first page to the end of one with so many pages before it. `size`: what every page is to have. Services
 * may give less than was asked for on every page, so that only the last may be shorter than it: where that does not add
 * up, this one's own length counts.
 */
export function rowsUpTo(
  before: number,
  rows: number,
  size: number | undefined,
  total: number | undefined,
): number {
  const bySize = size === undefined ? undefined : before * size + rows;
  if (bySize !== undefined && (rows === size || bySize === total)) return bySize;
  return (before + 1) * rows;
}
