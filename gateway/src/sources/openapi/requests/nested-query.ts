import { isObject, type JsonObject } from '../../../operations/index.ts';
import type { Reading } from '../reading.ts';
import { viewObject } from '../schemas/object-view.ts';

interface Located {
  readonly node: JsonObject;
  readonly pointer: string;
}

/** What most parameters are: a text, a number, a flag or a list, by its own words; a reference may count alone. */
export function isPlainlyNoObject(schema: unknown): boolean {
  if (!isObject(schema) || schema.$ref !== undefined) return false;
  return typeof schema.type === 'string' && schema.type !== 'object';
}

/**
 * True for an object that no style can write: `form` and `deepObject` leave open what becomes of objects and lists of
 * objects inside it (OpenAPI 3.1 §4.8.12.4). Services that want such a parameter read it as one JSON text.
 */
export function isNestedObject(reading: Reading, schema: unknown, pointer: string): boolean {
  const target = withoutNull(reading, schema, pointer);
  if (target === undefined) return false;
  const view = viewObject(reading.references, target.node, target.pointer, reading.version.jsonSchema);
  if (view === undefined) return false;
  return [...view.properties.values()]
    .flat()
    .some((part) => isStructured(reading, part.schema, part.pointer));
}

/** An object, whatever it holds, or null. */
export function isPlainObject(reading: Reading, schema: unknown, pointer: string): boolean {
  const target = withoutNull(reading, schema, pointer);
  return target !== undefined && isObjectSchema(target.node);
}

/**
 * The object that a schema is, or that stands alone among its choices; undefined where a list is one of them, which is
 * written in another way.
 */
export function objectAmong(reading: Reading, schema: unknown, pointer: string): Located | undefined {
  const found = withoutNull(reading, schema, pointer);
  if (found !== undefined) return found;
  const choice = isObject(schema) ? reading.references.object(schema, pointer) : undefined;
  const objects: Located[] = [];
  for (const keyword of ['anyOf', 'oneOf'] as const) {
    const choices = choice?.node[keyword];
    for (const [index, one] of (Array.isArray(choices) ? choices : []).entries()) {
      const branch = withoutNull(reading, one, `${choice?.pointer}/${keyword}/${index}`);
      if (branch === undefined || hasType(branch.node, 'array')) return undefined;
      if (isObjectSchema(branch.node)) objects.push(branch);
    }
  }
  return objects.length === 1 ? objects[0] : undefined;
}

/** An object, or a list of objects or lists. */
function isStructured(reading: Reading, schema: unknown, pointer: string): boolean {
  const target = withoutNull(reading, schema, pointer);
  if (target === undefined) return false;
  if (isObjectSchema(target.node)) return true;
  if (!hasType(target.node, 'array')) return false;
  const items = withoutNull(reading, target.node.items, `${target.pointer}/items`);
  return items !== undefined && (isObjectSchema(items.node) || hasType(items.node, 'array'));
}

function isObjectSchema(node: JsonObject): boolean {
  return hasType(node, 'object') || isObject(node.properties);
}

function hasType({ type }: JsonObject, wanted: string): boolean {
  return type === wanted || (Array.isArray(type) && type.includes(wanted));
}

/** What a reference means; of a choice between null and one other schema, the other. */
export function withoutNull(
  reading: Reading,
  schema: unknown,
  pointer: string,
  depth = 0,
): Located | undefined {
  const found = isObject(schema) ? reading.references.object(schema, pointer) : undefined;
  if (found === undefined || depth > 5) return undefined;
  for (const keyword of ['anyOf', 'oneOf'] as const) {
    const choices = found.node[keyword];
    if (!Array.isArray(choices)) continue;
    const others = choices.flatMap((choice, index) =>
      isObject(choice) && choice.type === 'null' ? [] : [[choice, index] as const],
    );
    const [only] = others;
    if (others.length !== 1 || only === undefined) return undefined;
    return withoutNull(reading, only[0], `${found.pointer}/${keyword}/${only[1]}`, depth + 1);
  }
  return found;
}
