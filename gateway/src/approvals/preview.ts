import { canonicalJson, isObject, type Json, type JsonObject } from '../operations/index.ts';
import { cutText } from '../operations/text/cut-text.ts';

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

/** Arguments for people: secrets redacted, long texts and lists cut. Member names stay, but for absurd sizes. */
export function previewOf(args: JsonObject, redact: Redact): JsonObject {
  const clean = redact(args);
  for (const limits of [USUAL, TIGHT]) {
    const preview = cut(clean, limits) as JsonObject;
    if (canonicalJson(preview).length <= LONGEST) return preview;
  }
  return { [LEFT_OUT]: `${Object.keys(args).length} arguments, too large to show` };
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
