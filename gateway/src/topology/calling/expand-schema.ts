import { isObject, type Json, type JsonObject, type JsonSchema } from '../../operations/index.ts';
import { resolveReference } from './describe-arguments.ts';

const DEFAULT_DEPTH = 5;
/** Characters of one schema as JSON; a deeper one is told less deeply. */
const LARGEST = 40_000;

/** A schema with its references replaced by what they name, down to `depth` references one in the other. */
export function expandSchema(
  schema: JsonSchema,
  root: JsonSchema,
  depth: number = DEFAULT_DEPTH,
): JsonSchema {
  for (let levels = depth; levels > 0; levels--) {
    const room = { nodes: LARGEST / 8 };
    const expanded = withoutDefinitions(expand(schema, root, levels, room));
    if (room.nodes > 0 && JSON.stringify(expanded).length <= LARGEST) return expanded;
  }
  const shallow = withoutDefinitions(expand(schema, root, 0, { nodes: LARGEST }));
  return JSON.stringify(shallow).length <= LARGEST ? shallow : outline(shallow);
}

/** `room` counts the values that are still written, so that no schema costs more than its answer is worth. */
function expand(node: Json, root: JsonSchema, depth: number, room: { nodes: number }): Json {
  room.nodes -= 1;
  if (room.nodes <= 0) return null;
  if (Array.isArray(node)) return node.map((item) => expand(item, root, depth, room));
  if (!isObject(node)) return node;
  const reference = node['$ref'];
  if (typeof reference === 'string' && depth > 0) {
    const target = resolveReference(node, root);
    if (isObject(target)) {
      const { $ref: _reference, ...beside } = node;
      return expand({ ...target, ...beside }, root, depth - 1, room);
    }
  }
  const expanded: JsonObject = {};
  for (const [key, value] of Object.entries(node)) {
    if (key !== '$defs') Object.defineProperty(expanded, key, own(expand(value, root, depth, room)));
  }
  return expanded;
}

function own(value: Json): PropertyDescriptor {
  return { value, enumerable: true, writable: true, configurable: true };
}

function withoutDefinitions(schema: Json): JsonSchema {
  return isObject(schema) ? schema : {};
}

/** Names of the members alone. */
function outline({ type, required, properties }: JsonSchema): JsonSchema {
  return {
    ...(type === undefined ? {} : { type }),
    ...(required === undefined ? {} : { required }),
    ...(isObject(properties)
      ? { properties: Object.fromEntries(Object.keys(properties).map((name) => [name, {}])) }
      : {}),
  };
}
