import { canonicalHash, isObject, type Json } from '../operations/index.ts';

/** A point in time as RFC 3339 writes it, and nothing else: no text can hide in it. */
const POINT_IN_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/;

/**
 * Whether two definitions differ in nothing but points in time that arguments default to. Servers make them of the
 * clock at each start ("the last 30 days"): no such start is another definition.
 */
export function differInTimesAlone(before: object | undefined, after: object): boolean {
  return before !== undefined && canonicalHash(withoutTimes(before)) === canonicalHash(withoutTimes(after));
}

function withoutTimes(definition: object): Json {
  const { tool } = definition as { tool?: Json };
  if (!isObject(tool)) return definition as Json;
  return { ...definition, tool: { ...tool, inputSchema: stilled(tool['inputSchema'] ?? null) } } as Json;
}

function stilled(value: Json): Json {
  if (Array.isArray(value)) return value.map(stilled);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => {
      const isMoving = key === 'default' && typeof member === 'string' && POINT_IN_TIME.test(member);
      return [key, isMoving ? 'a point in time' : stilled(member)];
    }),
  );
}
