import { canonicalJson, isObject, type Json, type JsonObject } from '../operations/index.ts';
import { cutText } from '../operations/text/cut-text.ts';
import { firstFew } from '../operations/text/first-few.ts';
import { printable } from '../operations/text/printable.ts';

/** Takes secrets out of a value that is shown or written down. */
export type Redact = <T>(value: T) => T;

interface Cut {
  readonly text: number;
  readonly items: number;
}

const USUAL: Cut = { text: 500, items: 50 };
const TIGHT: Cut = { text: 60, items: 5 };
const LONGEST = 16_384;
/** Stands for everything. */
export const LEFT_OUT = '…';

/** Redacted arguments for people: long texts and lists cut. Member names stay, but for absurd sizes. */
export function previewOf(clean: JsonObject): JsonObject {
  for (const limits of [USUAL, TIGHT]) {
    const preview = cut(clean, limits) as JsonObject;
    if (canonicalJson(preview).length <= LONGEST) return preview;
  }
  return { [LEFT_OUT]: `${Object.keys(clean).length} arguments, too large to show` };
}

const MOST_NAMED = 3;
/** What stands for a secret. */
const MASK = /\[redacted\]|\*{3}|#{3}/g;

/**
 * A sentence on what a person is asked to agree to without seeing it, with a space before; empty where there is nothing.
 * What looks like a secret is what the caller made look like one: it could be anything.
 * @param clean the same arguments, redacted
 */
export function hiddenNote(args: JsonObject, clean: JsonObject): string {
  const given = Object.entries(args);
  const hidden = Object.entries(clean).flatMap(([name, shown], at) => {
    const count = hiddenIn(given[at]?.[1], shown) + hiddenIn(given[at]?.[0], name);
    return count === 0 ? [] : [`${printable(name, 40)} (${count} characters)`];
  });
  if (hidden.length === 0) return '';
  return ` Not shown, since it looks like a secret: ${firstFew(hidden, MOST_NAMED)}. The caller wrote it.`;
}

/** Characters that are not shown. */
function hiddenIn(given: Json | undefined, shown: Json | undefined): number {
  if (given === shown || given === undefined) return 0;
  if (typeof given === 'object' && typeof shown === 'object' && given !== null && shown !== null) {
    const left = Object.entries(shown);
    return Object.entries(given).reduce(
      (sum, [name, member], at) => sum + hiddenIn(name, left[at]?.[0]) + hiddenIn(member, left[at]?.[1]),
      0,
    );
  }
  const text = typeof given === 'string' ? given : JSON.stringify(given);
  const rest = typeof shown === 'string' ? shown.replace(MASK, '') : '';
  return Math.max(1, text.length - rest.length);
}

function cut(value: Json, limits: Cut): Json {
  if (typeof value === 'string') {
    const { length } = value;
    return length <= limits.text ? value : cutText(value, limits.text) + restOfText(length);
  }
  if (Array.isArray(value)) {
    const items = value.slice(0, limits.items).map((item) => cut(item, limits));
    return value.length <= limits.items ? items : [...items, restOfList(value.length)];
  }
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, cut(member as Json, limits)]));
}

/** Stands behind a text for what was cut off. */
function restOfText(length: number): string {
  return `… (${length} characters)`;
}

/** Stands behind the items of a list that are shown. */
export function restOfList(length: number): string {
  return `… (${length} items)`;
}
