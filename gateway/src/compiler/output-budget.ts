import { isObject, type Json, type JsonObject, type JsonSchema } from '../operations/index.ts';
import { definitionNameOf } from './definition-reference.ts';
import type { SchemaSizes } from './schema-sizes.ts';

/**
 * An output schema within `maxBytes` of JSON. Only constraints are taken away, never added, so whatever fitted
 * the whole schema fits the result: first texts go, then everything below the top-level properties.
 */
export function fitOutputSchema(schema: JsonSchema, maxBytes: number, sizes: SchemaSizes): JsonSchema {
  if (sizes.of(schema) <= maxBytes) return schema;
  const shallow = shallowCopy(schema);
  if (sizes.of(shallow) <= maxBytes) return shallow;
  const properties = isObject(shallow.properties) ? shallow.properties : {};
  const kept: JsonObject = {};
  let left = maxBytes - 200;
  for (const [name, property] of Object.entries(properties)) {
    left -= name.length + 6 + JSON.stringify(property).length;
    if (left < 0) break;
    kept[name] = property;
  }
  return { type: 'object', properties: kept };
}

/** Top-level properties by type alone; nullable stays nullable. */
export function shallowCopy(schema: JsonSchema): JsonSchema {
  const properties: JsonObject = {};
  for (const [name, property] of Object.entries(isObject(schema.properties) ? schema.properties : {})) {
    properties[name] = typeOnly(property, schema);
  }
  return {
    type: 'object',
    ...(Object.keys(properties).length === 0 ? {} : { properties }),
    ...(Array.isArray(schema.required) ? { required: schema.required } : {}),
  };
}

function typeOnly(property: Json, root: JsonSchema): JsonSchema {
  const schema = resolve(property, root);
  if (schema === undefined || schema.type === undefined) return {};
  const type = schema.type;
  const types = Array.isArray(type) ? type : [type];
  return types.includes('array') ? { type, items: {} } : { type };
}

function resolve(value: Json | undefined, root: JsonSchema): JsonSchema | undefined {
  let node = value;
  for (let hops = 0; isObject(node) && typeof node.$ref === 'string'; hops++) {
    const name = definitionNameOf(node.$ref);
    if (name === undefined || hops > 20) return undefined;
    const defs = root.$defs;
    node = isObject(defs) ? defs[name] : undefined;
  }
  return isObject(node) ? node : undefined;
}
