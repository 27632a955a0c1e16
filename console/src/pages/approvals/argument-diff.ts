import { isObject, isSame, pointerTo } from '../../components/json/json-values.ts';

/** One difference between two JSON values. */
export interface Difference {
  /** JSON Pointer (RFC 6901); empty: the whole value. */
  readonly pointer: string;
  readonly kind: 'added' | 'removed' | 'changed';
  readonly before?: unknown;
  readonly after?: unknown;
}

/**
 * What is different between two JSON values, in the order of the later one. Items of lists are compared by their
 * place, once what both ends have in common is left out.
 */
export function differences(before: unknown, after: unknown, pointer = ''): readonly Difference[] {
  if (isSame(before, after)) return [];
  if (Array.isArray(before) && Array.isArray(after)) return listDifferences(before, after, pointer);
  if (isObject(before) && isObject(after)) {
    const names = [...new Set([...Object.keys(after), ...Object.keys(before)])];
    return names.flatMap((name) =>
      memberDifferences(own(before, name), own(after, name), pointerTo(pointer, name)),
    );
  }
  return [{ pointer, kind: 'changed', before, after }];
}

function listDifferences(
  before: readonly unknown[],
  after: readonly unknown[],
  pointer: string,
): readonly Difference[] {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && isSame(before[start], after[start])) start++;
  let same = 0;
  while (same < shorter - start && isSame(before.at(-1 - same), after.at(-1 - same))) same++;
  const was = before.slice(start, before.length - same);
  const is = after.slice(start, after.length - same);
  return Array.from({ length: Math.max(was.length, is.length) }, (_, index) =>
    memberDifferences(place(was, index), place(is, index), pointerTo(pointer, start + index)),
  ).flat();
}

type Place = { readonly value: unknown } | undefined;

function memberDifferences(before: Place, after: Place, pointer: string): readonly Difference[] {
  if (before === undefined) return [{ pointer, kind: 'added', after: after!.value }];
  if (after === undefined) return [{ pointer, kind: 'removed', before: before.value }];
  return differences(before.value, after.value, pointer);
}

function own(object: Readonly<Record<string, unknown>>, name: string): Place {
  return Object.hasOwn(object, name) ? { value: object[name] } : undefined;
}

function place(list: readonly unknown[], index: number): Place {
  return index < list.length ? { value: list[index] } : undefined;
}
