import { isObject, type Json } from '../../../operations/index.ts';
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
