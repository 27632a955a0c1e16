import { canonicalHash, isObject, type Json, type JsonObject } from '../operations/index.ts';

/** A point in time as RFC 3339 writes it, and nothing else: no text can hide in it. */
const POINT_IN_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/;

/**
 * Whether two definitions differ in nothing that a person would have to look at: points in time that arguments default
 * to, which servers make of the clock at each start ("the last 30 days"), and the claim to destroy nothing, where it
 * is made no more: that takes no caution from anybody.
 */
export function differHarmlessly(before: object | undefined, after: object): boolean {
  if (before === undefined) return false;
  const [was, is] = [comparable(before), comparable(after)];
  const claimed = hintsOf(was)?.['destructiveHint'] === false;
  return canonicalHash(was) === canonicalHash(claimed ? withClaim(is) : is);
}

function comparable(definition: object): JsonObject {
  const given = definition as JsonObject;
  const { tool } = given;
  if (!isObject(tool)) return given;
  return { ...given, tool: { ...tool, inputSchema: stilled(tool['inputSchema'] ?? null) } };
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

function hintsOf({ tool }: JsonObject): JsonObject | undefined {
  const hints = isObject(tool) ? tool['annotations'] : undefined;
  return isObject(hints) ? hints : undefined;
}

/** As it would be if it made the claim; what it says itself counts. */
function withClaim(definition: JsonObject): JsonObject {
  const hints = hintsOf(definition);
  if (hints === undefined) return definition;
  const { tool } = definition;
  return {
    ...definition,
    tool: { ...(tool as JsonObject), annotations: { destructiveHint: false, ...hints } },
  };
}
