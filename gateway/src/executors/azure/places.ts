import { escapeToken, isObject, type Json, type JsonObject, parsePointer } from '../../operations/index.ts';

/** One place in the arguments that a pointer with `*` stands for. */
export interface Place {
  /** Without `*`. */
  readonly pointer: string;
  readonly value: Json;
  /** What stood for each `*`, first to last. */
  readonly indices: readonly number[];
}

/** Every place that a pointer names and that is given; the items of a list in the last place count one by one. */
export function placesOf(pointer: string, args: JsonObject): readonly Place[] {
  let places: Place[] = [{ pointer: '', value: args, indices: [] }];
  for (const token of parsePointer(pointer) ?? []) {
    places = places.flatMap((place) => (token === '*' ? itemsOf(place) : memberOf(place, token)));
  }
  return places.flatMap((place) =>
    Array.isArray(place.value)
      ? itemsOf(place).map((item) => ({ ...item, indices: place.indices }))
      : [place],
  );
}

/** The value that a pointer names, each `*` replaced by an index, 0 where none is known. */
export function valueBy(pointer: string, args: JsonObject, indices: readonly number[]): Json | undefined {
  let value: Json | undefined = args;
  let star = 0;
  for (const token of parsePointer(pointer) ?? []) {
    const key: string | number = token === '*' ? (indices[star++] ?? 0) : token;
    value = childOf(value, key);
    if (value === undefined) return undefined;
  }
  return value;
}

/** The arguments with another value at a pointer without `*`; the given ones stay as they are. */
export function withValue(args: JsonObject, pointer: string, value: Json): JsonObject {
  const tokens = parsePointer(pointer) ?? [];
  if (tokens.length === 0) return isObject(value) ? value : args;
  const copy = structuredClone(args);
  let parent: Json = copy;
  for (const token of tokens.slice(0, -1)) {
    const child = childOf(parent, token);
    if (child === undefined) return args;
    parent = child;
  }
  const last = tokens.at(-1)!;
  if (Array.isArray(parent)) parent[Number(last)] = value;
  else if (isObject(parent)) Object.defineProperty(parent, last, { ...MEMBER, value });
  return copy;
}

const MEMBER = { enumerable: true, configurable: true, writable: true };

/** True where a place could be what a pointer with `*` names: the place itself, or something it stands in. */
export function fits(pointer: string, place: string): boolean {
  const wanted = parsePointer(pointer) ?? [];
  const tokens = parsePointer(place) ?? [];
  return (
    tokens.length <= wanted.length + 1 &&
    tokens.length > 0 &&
    tokens.every((token, at) => {
      const own = wanted[at];
      // one deeper is an item of the list that the pointer names
      return own === undefined
        ? /^\d+$/.test(token)
        : own === token || (own === '*' && /^(?:\d+|\*)$/.test(token));
    })
  );
}

/** The indices that a place has where a pointer has `*`. */
export function indicesOf(pointer: string, place: string): readonly number[] {
  const tokens = parsePointer(place) ?? [];
  return (parsePointer(pointer) ?? []).flatMap((token, at) =>
    token === '*' ? [/^\d+$/.test(tokens[at] ?? '') ? Number(tokens[at]) : 0] : [],
  );
}

function itemsOf({ pointer, value, indices }: Place): Place[] {
  if (!Array.isArray(value)) return [];
  return value.map((item, at) => ({ pointer: `${pointer}/${at}`, value: item, indices: [...indices, at] }));
}

function memberOf(place: Place, token: string): Place[] {
  const value = childOf(place.value, token);
  if (value === undefined) return [];
  return [{ pointer: `${place.pointer}/${escapeToken(token)}`, value, indices: place.indices }];
}

function childOf(value: Json | undefined, key: string | number): Json | undefined {
  if (value === null || typeof value !== 'object' || !Object.hasOwn(value, key)) return undefined;
  return (value as Record<string | number, Json>)[key];
}
