import { isObject, type Json, type JsonObject, type JsonSchema } from '../operations/index.ts';

/** Keywords that a service breaks sooner than its document is corrected, or that loosening would turn around. */
const DROPPED: ReadonlySet<string> = new Set([
  'required',
  'enum',
  'const',
  'format',
  'pattern',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minProperties',
  'maxProperties',
  'minContains',
  'maxContains',
  'contains',
  'dependentRequired',
  'dependentSchemas',
  'propertyNames',
  'not',
  'if',
  'then',
  'else',
  'unevaluatedProperties',
  'unevaluatedItems',
  'default',
]);
const MAPS: ReadonlySet<string> = new Set(['properties', 'patternProperties', '$defs']);

/**
 * The shape of an answer without its promises: types (null always allowed below the root), properties, items.
 * MCP clients reject a whole result that misses its published schema, and real services add enum values, leave
 * fields out and send null; the exact schema is still checked here, and its breach is a warning.
 * Everything valid before is valid after.
 */
export function createOutputRelaxer(): (schema: JsonSchema) => JsonSchema {
  const memo = new Map<object, JsonObject>();

  const relax = (value: Json): Json => {
    if (!isObject(value)) return value;
    const known = memo.get(value);
    if (known !== undefined) return known;
    const copy: JsonObject = {};
    memo.set(value, copy);
    for (const key in value) if (!DROPPED.has(key)) copyKeyword(copy, key, value[key]!);
    return copy;
  };
  const copyKeyword = (copy: JsonObject, key: string, member: Json): void => {
    if (MAPS.has(key) && isObject(member)) copy[key] = relaxAll(member);
    else if (key === 'oneOf' || key === 'anyOf') {
      if (Array.isArray(member))
        copy.anyOf = [...(Array.isArray(copy.anyOf) ? copy.anyOf : []), ...member.map(relax)];
    } else if (key === 'allOf' || key === 'prefixItems') {
      if (Array.isArray(member)) copy[key] = member.map(relax);
    } else if (key === 'type') copy.type = withNull(member);
    else if (key === 'additionalProperties' && member === false) return;
    else if (isObject(member)) copy[key] = relax(member);
    else copy[key] = member;
  };
  const relaxAll = (map: JsonObject): JsonObject => {
    const copy: JsonObject = {};
    for (const name in map) copy[name] = relax(map[name]!);
    return copy;
  };
  return (schema) => ({ ...(relax(schema) as JsonObject), type: 'object' });
}

/**
 * Whether a schema is larger than a limit (characters of JSON) even when relaxed and with its texts shortened, told
 * without doing either: counts what is certain to stay, and stops there. False proves nothing.
 */
export function exceedsRelaxed(schema: JsonSchema, limit: number): boolean {
  let left = limit;
  const countSchema = (value: Json): void => {
    left -= 2;
    if (!isObject(value)) return;
    for (const key in value) {
      if (left < 0) return;
      if (!DROPPED.has(key)) countKeyword(key, value[key]!);
    }
  };
  const countKeyword = (key: string, member: Json): void => {
    if (MAPS.has(key) && isObject(member)) {
      left -= key.length + 6;
      for (const name in member) {
        if (left < 0) return;
        left -= name.length + 4;
        countSchema(member[name]!);
      }
    } else if (key === 'anyOf' || key === 'oneOf' || key === 'allOf') {
      if (Array.isArray(member)) for (const item of member) countSchema(item);
    } else if (key === '$ref' || key === 'type')
      left -= key.length + 6 + (typeof member === 'string' ? member.length : 0);
    else if (key === 'items' && isObject(member)) {
      left -= key.length + 4;
      countSchema(member);
    }
  };
  countSchema(schema);
  return left < 0;
}

function withNull(type: Json): Json {
  if (typeof type === 'string') return type === 'null' ? type : [type, 'null'];
  if (Array.isArray(type)) return type.includes('null') ? type : [...type, 'null'];
  return type;
}
