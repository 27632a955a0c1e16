import { isObject, type Json, type JsonObject, UNSAFE_KEYS } from '../../operations/index.ts';
import type { References } from '../openapi/read/references.ts';
import { viewObject } from '../openapi/schemas/object-view.ts';
import { isDynamic } from './extensions.ts';
import { visibilityOf } from './marks.ts';

/** Objects in objects beyond this are not looked into. */
const MAX_DEPTH = 8;

/** True for what the connector's own designer never shows; a mark beside a reference counts, and one behind it. */
export function isInternal(node: JsonObject, target: JsonObject): boolean {
  return visibilityOf(node) === 'internal' || visibilityOf(target) === 'internal';
}

/**
 * What is sent for a property without asking: the default of an internal one, or an object of such values where an
 * object has no other members. Undefined: it is asked for, or left out.
 */
export function internalValue(references: References, node: unknown, depth = 0): Json | undefined {
  const target = references.object(node, '#')?.node;
  if (!isObject(node) || target === undefined) return undefined;
  const assumed = node.default ?? target.default;
  if (isInternal(node, target) && assumed !== undefined && assumed !== null) return assumed;
  return depth > MAX_DEPTH ? undefined : internalObject(references, node, target, depth);
}

function internalObject(
  references: References,
  node: JsonObject,
  target: JsonObject,
  depth: number,
): JsonObject | undefined {
  if (isDynamic(node) || isDynamic(target)) return undefined;
  if (!isObject(target.properties) && !Array.isArray(target.allOf)) return undefined;
  const view = viewObject(references, node, '#', false);
  if (view === undefined || !view.flat || view.properties.size === 0) return undefined;
  const value: JsonObject = {};
  for (const [name, parts] of view.properties) {
    if (UNSAFE_KEYS.has(name)) return undefined;
    const only = parts[0]!.schema;
    const member = internalValue(references, only, depth + 1);
    if (member !== undefined) value[name] = member;
    else if (!isLeftOut(references, only, view.required.has(name))) return undefined;
  }
  return Object.keys(value).length === 0 ? undefined : value;
}

/** Internal, without a default, and not needed: neither asked for nor sent. */
export function isLeftOut(references: References, node: unknown, required: boolean): boolean {
  const target = references.object(node, '#')?.node;
  if (required || !isObject(node) || target === undefined || !isInternal(node, target)) return false;
  return internalValue(references, node) === undefined;
}
