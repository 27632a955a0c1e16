import { isObject, type Json, type JsonObject } from '../../../operations/index.ts';
import type { References } from '../read/references.ts';

/** Steps through parts of `allOf` and choices: what lies deeper is no real schema, and is not looked into. */
export const MAX_PARTS_DEPTH = 64;

/** Every schema that parts of `allOf`, at any depth, give a property. */
export function collectProperty(
  references: References,
  parts: readonly Json[],
  name: string,
  found: unknown[],
  seen: Set<unknown>,
  depth = 0,
): void {
  if (depth > MAX_PARTS_DEPTH) return;
  for (const part of parts) {
    const node = references.object(part, '#')?.node;
    if (node === undefined || seen.has(node)) continue;
    seen.add(node);
    if (isObject(node.properties) && Object.hasOwn(node.properties, name)) found.push(node.properties[name]);
    if (Array.isArray(node.allOf)) collectProperty(references, node.allOf, name, found, seen, depth + 1);
  }
}

/**
 * `additionalProperties` sees the properties of its own schema alone: beside the parts of a whole, or in one of them, it
 * refuses what the others describe. What its author closed is the whole, which is read as the parts together.
 */
export function closesAPart({ additionalProperties }: JsonObject): boolean {
  return additionalProperties === false || isObject(additionalProperties);
}

/** Whether a schema says so, itself or behind other names and descriptions of it. */
export function isClosedPart(references: References, schema: unknown, depth = 0): boolean {
  if (!isObject(schema) || depth > MAX_PARTS_DEPTH) return false;
  const { $ref, allOf } = schema;
  if (typeof $ref === 'string') return isClosedPart(references, references.resolve($ref)?.node, depth + 1);
  if (!hasParts(schema)) return closesAPart(schema);
  return Array.isArray(allOf) && !isComposed(schema) && isClosedPart(references, allOf[0], depth + 1);
}

/** Whether a schema has parts beside which it is one itself. */
export function hasParts({ $ref, allOf }: JsonObject): boolean {
  return typeof $ref === 'string' || (Array.isArray(allOf) && allOf.length > 0);
}

/** Whether what stands in its `allOf` is no more than a part of it. */
export function isComposed({ allOf, properties, anyOf, oneOf }: JsonObject): boolean {
  return (Array.isArray(allOf) && allOf.length > 1) || [properties, anyOf, oneOf].some((one) => one != null);
}
