import { isDeepStrictEqual } from 'node:util';
import { canonicalJson, isObject, type Json, type JsonObject } from '../operations/index.ts';

/** Takes secrets out of a value that is shown or written down. */
export type Redact = <T>(value: T) => T;

interface Cut {
  readonly text: number;
  readonly items: number;
}

const USUAL: Cut = { text: 500, items: 50 };
const TIGHT: Cut = { text: 60, items: 5 };
const LONGEST = 16_384;
/** Stands for everything, or for the rest of a list. */
const LEFT_OUT = '…';

/** Arguments for people: secrets redacted, long texts and lists cut. Member names stay, but for absurd sizes. */
export function previewOf(args: JsonObject, redact: Redact): JsonObject {
  const clean = redact(args);
  for (const limits of [USUAL, TIGHT]) {
    const preview = cut(clean, limits) as JsonObject;
    if (canonicalJson(preview).length <= LONGEST) return preview;
  }
  return { [LEFT_OUT]: `${Object.keys(args).length} arguments, too large to show` };
}

/**
 * What a person's edit of the preview means for the arguments themselves: what they left as it was shown is taken
 * from the call, since it may have been redacted or cut.
 */
export function applyEdit(original: JsonObject, preview: JsonObject, edited: JsonObject): JsonObject {
  if (Object.hasOwn(preview, LEFT_OUT) && !Object.hasOwn(original, LEFT_OUT)) {
    const { [LEFT_OUT]: _whole, ...given } = edited;
    return { ...original, ...given };
  }
  return merge(original, preview, edited) as JsonObject;
}

function merge(original: Json | undefined, preview: Json | undefined, edited: Json): Json {
  if (original === undefined) return edited;
  if (isDeepStrictEqual(preview, edited)) return original;
  if (isObject(original) && isObject(preview) && isObject(edited)) {
    return Object.fromEntries(
      Object.entries(edited).map(([key, value]) => [
        key,
        merge(own(original, key), own(preview, key), value as Json),
      ]),
    );
  }
  if (Array.isArray(original) && Array.isArray(preview) && Array.isArray(edited)) {
    if (original.length !== preview.length) return mergeCut(original, preview, edited);
    return edited.map((value, index) => merge(original[index], preview[index], value));
  }
  return edited;
}

/** A list of which only the beginning was shown: where the mark of the rest is left, the rest stays. */
function mergeCut(original: readonly Json[], preview: readonly Json[], edited: readonly Json[]): Json {
  const mark = preview.at(-1);
  if (edited.length !== preview.length || edited.at(-1) !== mark)
    return [...edited].filter((item) => item !== mark);
  const shown = preview.length - 1;
  return [
    ...edited.slice(0, shown).map((value, index) => merge(original[index], preview[index], value)),
    ...original.slice(shown),
  ];
}

function own(object: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

function cut(value: Json, limits: Cut): Json {
  if (typeof value === 'string') {
    const { length } = value;
    return length <= limits.text ? value : `${value.slice(0, limits.text)}… (${length} characters)`;
  }
  if (Array.isArray(value)) {
    const items = value.slice(0, limits.items).map((item) => cut(item, limits));
    return value.length <= limits.items ? items : [...items, `… (${value.length} items)`];
  }
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, cut(member as Json, limits)]));
}
