import { isObject, type Json, type JsonObject, type JsonSchema } from '../operations/index.ts';
import { INSTANCE_DATA } from './trim-schema.ts';

/** Keywords that a loosened sub-schema would turn around: they go. */
const TURNED_AROUND: ReadonlySet<string> = new Set([
  'not',
  'if',
  'then',
  'else',
  'unevaluatedProperties',
  'unevaluatedItems',
]);

/**
 * A schema whose parts may be loosened without refusing more than before: `oneOf` becomes `anyOf`, since two
 * loosened branches may both match, and negations go.
 */
export function loosenUnions(schema: JsonSchema): JsonSchema {
  const memo = new WeakMap<object, Json>();
  const walk = (value: Json): Json => {
    if (value === null || typeof value !== 'object') return value;
    const known = memo.get(value);
    if (known !== undefined) return known;
    const result = Array.isArray(value) ? value.map(walk) : members(value);
    memo.set(value, result);
    return result;
  };
  const members = (object: JsonObject): JsonObject => {
    const copy: JsonObject = {};
    for (const [key, member] of Object.entries(object)) {
      if (TURNED_AROUND.has(key) && isSchema(member)) continue;
      if (key === 'oneOf' && Array.isArray(member)) addUnion(copy, member.map(walk));
      else if (key === 'anyOf' && Array.isArray(member)) addUnion(copy, member.map(walk));
      else copy[key] = INSTANCE_DATA.has(key) ? member : walk(member);
    }
    return copy;
  };
  return walk(schema) as JsonSchema;
}

/** `oneOf` beside `anyOf` demands both: the union of their branches accepts all that both accepted. */
function addUnion(copy: JsonObject, branches: Json[]): void {
  copy.anyOf = Array.isArray(copy.anyOf) ? [...copy.anyOf, ...branches] : branches;
}

function isSchema(value: Json): boolean {
  return isObject(value) || typeof value === 'boolean';
}
