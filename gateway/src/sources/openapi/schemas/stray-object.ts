import { isObject, type Json, type JsonObject } from '../../../operations/index.ts';
import type { References } from '../read/references.ts';

/** What would say which members an object has, or which of several schemas it is. */
const SAYING = [
  'properties',
  'additionalProperties',
  'patternProperties',
  'unevaluatedProperties',
  'required',
  'anyOf',
  'oneOf',
] as const;

/**
 * The keyword by which a schema says that it is an object, where it names no members and has a `default` or an `example`
 * that is none: NestJS writes so a property whose type TypeScript does not tell it (`page = 1`, `string | null`), or
 * refers to its empty schema `Object`.
 */
export function strayObject(references: References, node: JsonObject): 'type' | 'allOf' | undefined {
  if (node.type !== undefined && node.type !== 'object') return undefined;
  if (!isNoObject(node.default) && !isNoObject(node.example)) return undefined;
  if (node.type === 'object' && node.allOf === undefined) return isBare(node) ? 'type' : undefined;
  const [part, ...others] = Array.isArray(node.allOf) ? node.allOf : [];
  if (node.type === 'object' || part === undefined || others.length > 0 || !isBare(node)) return undefined;
  const whole = references.object(part, '')?.node;
  return whole?.type === 'object' && whole.allOf === undefined && isBare(whole) ? 'allOf' : undefined;
}

function isBare(node: JsonObject): boolean {
  return SAYING.every((key) => {
    const said = node[key];
    return said === undefined || (key === 'properties' && isObject(said) && Object.keys(said).length === 0);
  });
}

/** A text may be an object's JSON. */
function isNoObject(value: Json | undefined): boolean {
  if (typeof value === 'string') return !value.trimStart().startsWith('{');
  return typeof value === 'number' || typeof value === 'boolean';
}
