import { isObject, type Json, type JsonObject } from '../../../operations/index.ts';
import type { Place } from '../place.ts';
import type { Reading } from '../reading.ts';

/** What a member of a body may be for its parameter to mean one: a model of its own stands for a whole body. */
const MEMBER_TYPES: ReadonlySet<unknown> = new Set(['string', 'number', 'integer', 'boolean', 'array']);

/**
 * The `body` parameter that is sent. Swagger 2.0 knows one; documents with several mean members of one object, as many
 * written in comments do, or other ways to write it, as LXD's do: `image` beside `raw_image`, which nothing describes.
 */
export function oneBody(reading: Reading, bodies: readonly Place[]): Place | undefined {
  const places = bodies.map(withSchema);
  if (places.length < 2) return places[0];
  if (places.every((place) => isMember(reading, place))) return joined(reading, places);
  const chosen = places.find(({ node }) => isObject(node.schema)) ?? places[0]!;
  for (const { node, pointer } of places) {
    if (pointer === chosen.pointer) continue;
    const message = `A request has one body: that of the parameter ${chosen.node.name} is sent, ${node.name} is left out.`;
    reading.log.report('body-unused', 'warning', message, pointer);
  }
  return chosen;
}

/** Some write the schema into the parameter itself, as beside a path or a query. */
function withSchema({ node, pointer }: Place): Place {
  const isWritten = isObject(node.properties) || isObject(node.items);
  return node.schema === undefined && isWritten
    ? { node: { ...node, schema: ownSchema(node) }, pointer }
    : { node, pointer };
}

function ownSchema({ name: _name, in: _in, required, ...own }: JsonObject): JsonObject {
  return Array.isArray(required) ? { ...own, required } : own;
}

function isMember({ references }: Reading, { node, pointer }: Place): boolean {
  const schema = node.schema ?? ownSchema(node);
  return MEMBER_TYPES.has(references.object(schema, `${pointer}/schema`)?.node.type);
}

function joined(reading: Reading, places: readonly Place[]): Place {
  const names = places.map(({ node }) => String(node.name));
  const properties: JsonObject = Object.create(null);
  for (const { node } of places) properties[String(node.name)] = memberSchema(node);
  const required = places.filter(({ node }) => node.required === true).map(({ node }) => String(node.name));
  const { pointer } = places[0]!;
  const message = `A request has one body: the parameters ${names.join(', ')} are sent as members of one.`;
  reading.log.report('bodies-joined', 'warning', message, pointer);
  const schema = { type: 'object', properties, ...(required.length === 0 ? {} : { required }) };
  return { node: { in: 'body', name: 'body', required: required.length > 0, schema }, pointer };
}

function memberSchema(node: JsonObject): Json {
  const { schema, description } = node;
  if (!isObject(schema)) return ownSchema(node);
  return schema.$ref === undefined && description !== undefined ? { description, ...schema } : schema;
}
