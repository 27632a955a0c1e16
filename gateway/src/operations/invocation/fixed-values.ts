import type { FixedValue } from '../azure.ts';
import { isObject, type Json, type JsonObject, UNSAFE_KEYS } from '../json/json.ts';
import { parsePointer } from '../json/pointer.ts';

/**
 * The arguments with every fixed value in its place, where its parent is given and leaves it open. The arguments
 * themselves are not changed; the same object comes back where there is nothing to put in.
 */
export function withFixedValues(args: JsonObject, fixed: readonly FixedValue[] | undefined): JsonObject {
  let filled = args;
  for (const { argument, value } of fixed ?? []) {
    const tokens = parsePointer(argument);
    if (tokens !== undefined && tokens.length > 0) filled = put(filled, tokens, value) as JsonObject;
  }
  return filled;
}

function put(parent: Json, [token, ...rest]: readonly string[], value: Json): Json {
  if (token === '*') {
    return Array.isArray(parent)
      ? unlessSame(
          parent,
          parent.map((item) => put(item, rest, value)),
        )
      : parent;
  }
  if (!isObject(parent) || token === undefined || UNSAFE_KEYS.has(token)) return parent;
  const given = Object.hasOwn(parent, token) ? parent[token] : undefined;
  if (rest.length === 0) return given === undefined ? { ...parent, [token]: value } : parent;
  if (given === undefined) return parent;
  const filled = put(given, rest, value);
  return filled === given ? parent : { ...parent, [token]: filled };
}

function unlessSame(before: Json[], after: Json[]): Json[] {
  return after.every((item, index) => item === before[index]) ? before : after;
}
