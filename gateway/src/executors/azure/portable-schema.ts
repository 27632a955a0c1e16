import { isObject, type Json, type JsonObject, parsePointer, valueAt } from '../../operations/index.ts';
import { SCHEMA_TYPES } from '../../operations/json/schema-types.ts';

const MAX_DEPTH = 30;
/** What a schema may become once its references are written out; what lies behind is open. */
const MAX_NODES = 5_000;
const AS_THEY_ARE = [
  ...[
    'const',
    'title',
    'description',
    'default',
    'format',
    'multipleOf',
    'minLength',
    'maxLength',
    'pattern',
  ],
  ...['minItems', 'maxItems', 'uniqueItems', 'minProperties', 'maxProperties', 'minimum', 'maximum'],
];
/**
 * A schema in Swagger's dialect, as a connector tells it at run time, as JSON Schema 2020-12: `x-nullable` becomes a
 * type, references are written out, what JSON Schema does not know is left out; inside itself a schema is open. Internal
 * properties with a default are no part of it: they are filled in (`withInternalDefaults`). Undefined: it is no schema.
 */
export function portableSchema(raw: Json): JsonObject | undefined {
  const root =
    isObject(raw) && isObject(raw['schema']) && !('type' in raw) && !('properties' in raw)
      ? raw['schema']
      : raw;
  if (!isObject(root)) return undefined;
  const schema = converted(root, { root, within: new Set([root]), left: MAX_NODES }, 0);
  return isObject(schema) && Object.keys(schema).length > 0 ? schema : undefined;
}

/** The value with the defaults of internal properties that it lacks, at every depth; itself where there are none. */
export function withInternalDefaults(raw: Json, value: Json): Json {
  return isObject(raw) ? filled(raw, raw, value, 0) : value;
}

/** One schema while its references are written out: each that names two others doubles it. */
interface Expansion {
  readonly root: JsonObject;
  /** What is being written out. */
  readonly within: Set<object>;
  /** Nodes that may still be written. */
  left: number;
}

function converted(node: Json | undefined, at: Expansion, depth: number): Json {
  if (typeof node === 'boolean') return node;
  if (!isObject(node) || depth > MAX_DEPTH || at.left-- <= 0) return {};
  const target = resolved(node, at.root);
  if (target !== node) return writtenOut(target, at, depth);
  const schema: JsonObject = {};
  const below = (child: Json | undefined) => converted(child, at, depth + 1);
  const type = typeOf(node['type']);
  if (type !== undefined) schema['type'] = type;
  if (schema['title'] === undefined && typeof node['x-ms-summary'] === 'string')
    schema['title'] = node['x-ms-summary'];
  for (const name of AS_THEY_ARE)
    if (node[name] !== undefined && node[name] !== null) schema[name] = node[name];
  bound(node, schema, 'exclusiveMinimum', 'minimum');
  bound(node, schema, 'exclusiveMaximum', 'maximum');
  if (Array.isArray(node['enum']) && node['enum'].length > 0) schema['enum'] = node['enum'];
  for (const name of ['allOf', 'anyOf', 'oneOf']) {
    const list = node[name];
    if (Array.isArray(list) && list.length > 0) schema[name] = list.map(below);
  }
  if (isObject(node['items'])) schema['items'] = below(node['items']);
  members(node, schema, at.root, below);
  return nullable(node) ? orNull(schema) : schema;
}

function writtenOut(target: Json | undefined, at: Expansion, depth: number): Json {
  if (!isObject(target)) return converted(target, at, depth + 1);
  if (at.within.has(target)) return {};
  at.within.add(target);
  const schema = converted(target, at, depth + 1);
  at.within.delete(target);
  return schema;
}

function members(
  node: JsonObject,
  schema: JsonObject,
  root: JsonObject,
  below: (child: Json | undefined) => Json,
): void {
  const required = new Set(Array.isArray(node['required']) ? node['required'].filter(isText) : []);
  if (isObject(node['properties'])) {
    const properties: JsonObject = {};
    for (const [name, property] of Object.entries(node['properties'])) {
      const target = isObject(property) ? resolved(property, root) : property;
      if (isFilledIn(property) || isFilledIn(target)) {
        required.delete(name);
        continue;
      }
      Object.defineProperty(properties, name, { enumerable: true, value: below(property) });
      // draft 3 says it at the property
      if (isObject(target) && target['required'] === true) required.add(name);
    }
    schema['properties'] = properties;
  }
  if (required.size > 0) schema['required'] = [...required];
  const others = node['additionalProperties'];
  if (typeof others === 'boolean') schema['additionalProperties'] = others;
  else if (isObject(others)) schema['additionalProperties'] = below(others);
}

/** Swagger's `exclusiveMinimum: true` stands beside `minimum`. */
function bound(node: JsonObject, schema: JsonObject, exclusive: string, plain: string): void {
  const value = node[exclusive];
  if (typeof value === 'number') schema[exclusive] = value;
  else if (value === true && typeof node[plain] === 'number') {
    schema[exclusive] = node[plain];
    delete schema[plain];
  }
}

function typeOf(type: Json | undefined): Json | undefined {
  if (type === 'file') return 'string';
  if (Array.isArray(type))
    return type.length > 0 && type.every((one) => SCHEMA_TYPES.has(one)) ? type : undefined;
  return type !== undefined && SCHEMA_TYPES.has(type) ? type : undefined;
}

function nullable(node: JsonObject): boolean {
  return node['x-nullable'] === true || node['nullable'] === true;
}

function orNull({ type, enum: values, ...rest }: JsonObject): JsonObject {
  const types = type === undefined ? undefined : [type, 'null'].flat();
  return {
    ...(types === undefined ? {} : { type: types.includes('null') ? [...new Set(types)] : types }),
    ...(Array.isArray(values) ? { enum: values.includes(null) ? values : [...values, null] } : {}),
    ...rest,
  };
}

function filled(node: JsonObject, root: JsonObject, value: Json, depth: number): Json {
  if (depth > MAX_DEPTH) return value;
  const schema = resolved(node, root);
  if (!isObject(schema)) return value;
  if (Array.isArray(value)) {
    const { items } = schema;
    return isObject(items) ? value.map((item) => filled(items, root, item, depth + 1)) : value;
  }
  const { properties } = schema;
  if (!isObject(value) || !isObject(properties)) return value;
  const whole: JsonObject = { ...value };
  for (const [name, property] of Object.entries(properties)) {
    if (!isObject(property)) continue;
    const target = resolved(property, root);
    const stated = isFilledIn(property) ? property : isFilledIn(target) ? (target as JsonObject) : undefined;
    const given = Object.hasOwn(whole, name) ? whole[name] : undefined;
    const next = given === undefined ? stated?.['default'] : filled(property, root, given, depth + 1);
    if (next !== undefined) Object.defineProperty(whole, name, { ...MEMBER, value: next });
  }
  return whole;
}

const MEMBER = { enumerable: true, configurable: true, writable: true };

function isFilledIn(property: Json | undefined): boolean {
  return (
    isObject(property) && property['x-ms-visibility'] === 'internal' && property['default'] !== undefined
  );
}

/** Behind references within the schema itself; the node where it is none, undefined where it leads nowhere. */
function resolved(node: JsonObject, root: JsonObject): Json | undefined {
  let found: Json | undefined = node;
  for (let hops = 0; hops < 10 && isObject(found) && typeof found['$ref'] === 'string'; hops++) {
    const reference: string = found['$ref'];
    found = reference.startsWith('#')
      ? (valueAt(root, parsePointer(reference) ?? []) as Json | undefined)
      : undefined;
  }
  return found;
}

const isText = (value: Json): value is string => typeof value === 'string';
