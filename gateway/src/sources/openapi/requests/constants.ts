import { isObject, type Json, type JsonObject, type JsonSchema } from '../../../operations/index.ts';
import type { SchemaConverter } from '../schemas/converter.ts';

/** The only value that a required parameter may have, if it is a primitive. */
export function onlyValue(schema: JsonSchema, converter: SchemaConverter): Json | undefined {
  let target: Json | undefined = schema;
  if (typeof schema.$ref === 'string')
    target = converter.definition(schema.$ref.slice('#/$defs/'.length))?.schema;
  if (!isObject(target)) return undefined;
  const values = target.const !== undefined ? [target.const] : target.enum;
  if (!Array.isArray(values) || values.length !== 1) return undefined;
  const value = values[0]!;
  return value !== null && typeof value !== 'object' ? value : undefined;
}

/** What a value is unless somebody says otherwise: its constant, the one of its enum, else its default. */
export function usualValue(schema: JsonObject | undefined): Json | undefined {
  const only = Array.isArray(schema?.enum) && schema.enum.length === 1 ? schema.enum[0] : undefined;
  return schema?.const ?? only ?? schema?.default;
}

/** Microsoft's `x-ms-visibility: internal` with a default: sent, but not asked for. */
export function internalDefault(node: JsonObject, target: unknown): Json | undefined {
  const visibility = node['x-ms-visibility'] ?? (isObject(target) ? target['x-ms-visibility'] : undefined);
  if (visibility !== 'internal') return undefined;
  return node.default ?? (isObject(target) ? target.default : undefined);
}
