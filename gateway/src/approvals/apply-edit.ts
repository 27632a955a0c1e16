import { isDeepStrictEqual } from 'node:util';
import { ToolcribError } from '../errors.ts';
import { canonicalJson, isObject, type Json, type JsonObject } from '../operations/index.ts';
import { LEFT_OUT, restOfList } from './preview.ts';

/** What a preview says in place of a secret, or of what it cuts off. */
const STAND_IN = /\[redacted\]|\*{3}|#{3}|… \(\d+ (?:characters|items)\)$/g;
const REST_OF_TEXT = /… \(\d+ characters\)$/;

/**
 * What a person's edit of the preview means for the arguments themselves: what they left as it was shown is taken
 * from the call, since it may have been redacted or cut. Throws `arguments_invalid` where nobody can tell for what
 * something stands that was not shown: it is sent neither as it is shown nor in another's place.
 */
export function applyEdit(original: JsonObject, preview: JsonObject, edited: JsonObject): JsonObject {
  if (Object.hasOwn(preview, LEFT_OUT) && !Object.hasOwn(original, LEFT_OUT)) {
    const { [LEFT_OUT]: _whole, ...given } = edited;
    return { ...original, ...given };
  }
  const hidden = new Set<string>();
  collectStandIns(original, preview, hidden);
  return merge(original, preview, edited, hidden) as JsonObject;
}

/**
 * Whether a part of these edited arguments holds what may stand for something that the preview does not show; of
 * arguments that were too large to show, each that is not given does.
 */
export function standInsOf(preview: JsonObject, args: JsonObject): (edited: unknown) => boolean {
  if (Object.hasOwn(preview, LEFT_OUT)) {
    return (edited) => edited === undefined || edited === args || edited === args[LEFT_OUT];
  }
  const marks = new Set(textsIn(preview).flatMap((text) => text.match(STAND_IN) ?? []));
  return (edited) => textsIn(edited).some((text) => [...marks].some((mark) => text.includes(mark)));
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

function merge(
  original: Json | undefined,
  preview: Json | undefined,
  edited: Json,
  hidden: ReadonlySet<string>,
): Json {
  if (original === undefined) return written(edited, hidden);
  if (isDeepStrictEqual(preview, edited)) return original;
  if (isObject(original) && isObject(preview) && isObject(edited)) {
    return Object.fromEntries(
      Object.entries(edited).map(([key, value]) => {
        if (!Object.hasOwn(original, key) && Object.hasOwn(preview, key)) throw unclear(key);
        return [key, merge(own(original, key), own(preview, key), value as Json, hidden)];
      }),
    );
  }
  if (Array.isArray(original) && Array.isArray(preview) && Array.isArray(edited)) {
    return mergeLists(original, preview, edited, hidden);
  }
  if (typeof original === 'string' && typeof preview === 'string' && typeof edited === 'string') {
    const [mark] = (original !== preview && REST_OF_TEXT.exec(preview)) || [];
    const shown = mark === undefined ? '' : preview.slice(0, -mark.length);
    if (mark !== undefined && edited.endsWith(mark) && original.startsWith(shown)) {
      return written(edited.slice(0, -mark.length), hidden) + original.slice(shown.length);
    }
  }
  return written(edited, hidden);
}

/**
 * Items that look as one that was shown are that one, wherever they stand now; the others were changed in their place,
 * unless what they do not show would then be that of an item which they look less like than another. Where the mark of
 * the rest is left behind them, the rest stays.
 */
function mergeLists(
  original: readonly Json[],
  preview: readonly Json[],
  edited: readonly Json[],
  hidden: ReadonlySet<string>,
): Json {
  const mark = restOfList(original.length);
  const isCut = preview.length <= original.length && preview.at(-1) === mark;
  const shown = isCut ? preview.slice(0, -1) : preview;
  const keepsRest = isCut && edited.at(-1) === mark;
  const given = keepsRest ? edited.slice(0, -1) : edited;
  const places = placesOf(original, shown, given);
  const inPlace = given.length >= shown.length && places.every((place, at) => (place ?? at) === at);
  const items = given.map((value, at) => {
    const place = places[at];
    if (place !== undefined) return original[place]!;
    if (!inPlace || at >= shown.length) return written(value, hidden);
    const kept = standInIn(value, hidden);
    if (kept !== undefined && isMoreLikeAnother(value, at, shown)) throw unclear(kept);
    return merge(original[at], shown[at], value, hidden);
  });
  return keepsRest ? [...items, ...original.slice(shown.length)] : items;
}

function isMoreLikeAnother(value: Json, at: number, shown: readonly Json[]): boolean {
  const likeness = sameMembers(value, shown[at]!);
  return shown.some((other, place) => place !== at && sameMembers(value, other) > likeness);
}

function sameMembers(a: Json, b: Json): number {
  if (!isObject(a) || !isObject(b)) return 0;
  return Object.entries(a).filter(([key, value]) => isDeepStrictEqual(own(b, key), value)).length;
}

/** For each item the place in which it was shown; undefined for one that looks as none of them. */
function placesOf(
  original: readonly Json[],
  shown: readonly Json[],
  given: readonly Json[],
): readonly (number | undefined)[] {
  const looks = Map.groupBy(shown.keys(), (at) => canonicalJson(shown[at]!));
  const asked = Map.groupBy(given.keys(), (at) => canonicalJson(given[at]!));
  const places = new Array<number | undefined>(given.length).fill(undefined);
  for (const [look, ats] of asked) {
    const found = looks.get(look);
    if (found === undefined) continue;
    const isOne = found.every((at) => isDeepStrictEqual(original[at], original[found[0]!]));
    // which of them went, nobody can tell
    if (!isOne && found.length !== ats.length) throw unclear(look);
    for (const [index, at] of ats.entries()) places[at] = found[Math.min(index, found.length - 1)];
  }
  return places;
}

/** What the person wrote is taken as it stands, unless it holds what stood for something that was not shown. */
function written<T extends Json>(edited: T, hidden: ReadonlySet<string>): T {
  const held = standInIn(edited, hidden);
  if (held !== undefined) throw unclear(held);
  return edited;
}

function standInIn(value: Json, hidden: ReadonlySet<string>): string | undefined {
  if (hidden.size === 0) return undefined;
  const texts = textsIn(value);
  return [...hidden].find((one) => texts.some((text) => text.includes(one)));
}

/** What a preview says where it does not show the value itself. */
function collectStandIns(original: Json | undefined, preview: Json | undefined, into: Set<string>): void {
  if (typeof preview === 'string') {
    if (preview === original) return;
    const text = typeof original === 'string' ? original : '';
    const marks = (preview.match(STAND_IN) ?? []).filter((mark) => !text.includes(mark));
    for (const mark of marks.length === 0 ? [preview] : marks) into.add(mark);
  } else if (Array.isArray(preview)) {
    const items = Array.isArray(original) ? original : [];
    const isCut = preview.length <= items.length && preview.at(-1) === restOfList(items.length);
    for (const [at, item] of preview.entries()) {
      collectStandIns(isCut && at === preview.length - 1 ? undefined : items[at], item, into);
    }
  } else if (isObject(preview)) {
    for (const [key, member] of Object.entries(preview)) {
      collectStandIns(isObject(original) ? own(original, key) : undefined, member as Json, into);
    }
  }
}

function own(object: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

function unclear(what: string): ToolcribError {
  return new ToolcribError(
    'arguments_invalid',
    `The arguments that a person wrote hold ${what.slice(0, 100)}, which stood for something that was not shown, where nobody can tell for what.`,
    { next: 'Ask again; whoever edits writes that value itself, or leaves the list around it as it is.' },
  );
}
