import { isObject, type JsonObject } from '../json/json.ts';
import { parsePointer, valueAt } from '../json/pointer.ts';

/** The schema of one argument with its local reference followed; undefined when there is no such argument. */
export function propertySchema(input: JsonObject, name: string): JsonObject | undefined {
  const properties = input['properties'];
  if (!isObject(properties) || !Object.hasOwn(properties, name)) return undefined;
  const schema = properties[name];
  return isObject(schema) ? dereferenced(input, schema) : {};
}

/** Follows `$ref` within the document, at most eight steps. */
export function dereferenced(root: JsonObject, schema: JsonObject): JsonObject {
  let current = schema;
  for (let step = 0; step < 8; step += 1) {
    const reference = current['$ref'];
    if (typeof reference !== 'string') return current;
    const target = valueAt(root, parsePointer(decodeURIComponent(reference)) ?? []);
    if (!isObject(target)) return current;
    const { $ref: _followed, ...beside } = current;
    current = { ...target, ...beside };
  }
  return current;
}

/**
 * The JSON types that a schema admits, through anyOf and oneOf; empty when it does not say. What has properties and
 * names no type is meant for an object, and what has items for a list.
 */
export function typesOf(schema: JsonObject, root: JsonObject = schema): string[] {
  const { type } = schema;
  if (typeof type === 'string') return [type];
  if (Array.isArray(type)) return type.filter((one) => typeof one === 'string');
  const alternatives = alternativesOf(schema, root);
  if (alternatives.length > 0) return [...new Set(alternatives.flatMap((one) => typesOf(one, root)))];
  const values = Array.isArray(schema['enum']) ? schema['enum'] : 'const' in schema ? [schema['const']] : [];
  if (values.length > 0) return [...new Set(values.map((value) => (value === null ? 'null' : typeof value)))];
  if (isObject(schema['properties'])) return ['object'];
  return isObject(schema['items']) ? ['array'] : [];
}

/** The branches of anyOf and oneOf, with their local references followed. */
export function alternativesOf(schema: JsonObject, root: JsonObject): readonly JsonObject[] {
  const alternatives = [schema['anyOf'], schema['oneOf']].flat().filter(isObject);
  return alternatives.map((one) => dereferenced(root, one));
}
