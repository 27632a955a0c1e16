/** A JSON value; a member that is undefined is not there. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [name: string]: Json;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The same by value, whatever the order of members. */
export function isSame(left: unknown, right: unknown): boolean {
  if (Object.is(left, right)) return true;
  if (Array.isArray(left) || Array.isArray(right)) {
    return (
      Array.isArray(left) &&
      Array.isArray(right) &&
      left.length === right.length &&
      left.every((item, index) => isSame(item, right[index]))
    );
  }
  if (!isObject(left) || !isObject(right)) return false;
  const names = Object.keys(left);
  return (
    names.length === Object.keys(right).length &&
    names.every((name) => Object.hasOwn(right, name) && isSame(left[name], right[name]))
  );
}

/** An object with a member set, or without it; the order of the others stays. */
export function withMember(object: JsonObject, name: string, value: Json | undefined): JsonObject {
  const entries = Object.entries(object).filter(([key]) => value !== undefined || key !== name);
  if (value !== undefined) {
    const at = entries.findIndex(([key]) => key === name);
    if (at < 0) entries.push([name, value]);
    else entries[at] = [name, value];
  }
  // by entries: a member named __proto__ stays a member
  return Object.fromEntries(entries);
}

/** A list with an item set, or without it. */
export function withItem(list: readonly Json[], index: number, value: Json | undefined): readonly Json[] {
  return value === undefined ? list.toSpliced(index, 1) : list.with(index, value);
}

/** One step further in a JSON Pointer (RFC 6901). */
export function pointerTo(pointer: string, step: string | number): string {
  return `${pointer}/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}
