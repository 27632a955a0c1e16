import { isObject, type Json, type JsonObject, type JsonSchema } from '../operations/index.ts';
import { definitionNameOf } from './definition-reference.ts';

/** How often one definition may stand inside itself before recursion is cut. */
export const RECURSION_DEPTH = 4;
/** References within references before the next one is cut. */
const REFERENCE_DEPTH = 200;
/** JSON nodes of one inlined schema; beyond, deeper references become free-form. */
const NODE_BUDGET = 20_000;
/** Keywords that say nothing about validity: beside a reference they win over its target's. */
const ANNOTATIONS: ReadonlySet<string> = new Set([
  'title',
  'description',
  'default',
  'deprecated',
  'writeOnly',
]);

/**
 * For clients that know no `$ref`: every local reference is replaced by its target, recursion is cut at depth 4
 * with an open schema that says so, `$defs` goes.
 */
export function inlineReferences(schema: JsonSchema): JsonSchema {
  const definitions = isObject(schema.$defs) ? schema.$defs : {};
  const open = new Map<string, number>();
  let nodes = 0;
  let followed = 0;
  const walk = (value: Json): Json => {
    nodes++;
    if (Array.isArray(value)) return value.map(walk);
    if (!isObject(value)) return value;
    if (typeof value.$ref === 'string') return follow(value, value.$ref);
    const copy: JsonObject = {};
    for (const [key, member] of Object.entries(value)) if (key !== '$defs') copy[key] = walk(member);
    return copy;
  };
  const follow = (value: JsonObject, reference: string): Json => {
    const { $ref: _reference, ...siblings } = value;
    const name = definitionNameOf(reference) ?? reference;
    const target = definitions[name];
    const depth = open.get(name) ?? 0;
    const isCut = depth >= RECURSION_DEPTH || followed >= REFERENCE_DEPTH || nodes > NODE_BUDGET;
    if (!isObject(target) || isCut) {
      return { ...(walk(siblings) as JsonObject), description: `${name}: nested deeper than shown here` };
    }
    open.set(name, depth + 1);
    followed++;
    const inlined = walk(target) as JsonObject;
    followed--;
    open.set(name, depth);
    const rest = walk(siblings) as JsonObject;
    const clash = Object.keys(rest).some((key) => key in inlined && !ANNOTATIONS.has(key));
    return clash ? { allOf: [inlined, rest] } : { ...inlined, ...rest };
  };
  return walk(schema) as JsonSchema;
}
