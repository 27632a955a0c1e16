import { dereferenced } from '../operations/invocation/argument-schema.ts';
import { isObject, type Json, type JsonObject, type JsonSchema } from '../operations/json/json.ts';

const MASK = '[redacted]';
/** Steps below the arguments that are looked at. */
const DEPTH = 6;

/** Members that are only written; `true`: the whole value. Those of a list are those of its items. */
interface Hidden {
  readonly [name: string]: true | Hidden;
}

const KNOWN = new WeakMap<JsonSchema, true | Hidden | undefined>();

/**
 * Arguments as events and previews show them: what their schema calls `writeOnly`, or gives the format `password`, is
 * masked (JSON Schema 2020-12, validation §9.4). The arguments themselves where there is nothing of that kind.
 */
export function withoutWriteOnly(args: JsonObject, input: JsonSchema): JsonObject {
  if (!KNOWN.has(input)) KNOWN.set(input, hiddenIn(input));
  const hidden = KNOWN.get(input);
  return hidden === undefined ? args : (masked(args, hidden) as JsonObject);
}

function hiddenIn(root: JsonSchema): true | Hidden | undefined {
  /** What a definition hides, by its reference and the steps left: definitions name each other without end. */
  const known = new Map<string, true | Hidden | undefined>();
  const look = (schema: JsonSchema, depth: number): true | Hidden | undefined => {
    if (isWriteOnly(schema)) return true;
    if (typeof schema['$ref'] !== 'string') return depth === 0 ? undefined : below(schema, depth - 1);
    const key = `${depth} ${schema['$ref']}`;
    if (!known.has(key)) {
      const target = dereferenced(root, schema);
      known.set(key, target['$ref'] === undefined ? look(target, depth) : undefined);
    }
    return known.get(key);
  };
  const below = (schema: JsonSchema, depth: number): true | Hidden | undefined => {
    const { properties, items, allOf, anyOf, oneOf } = schema;
    const hidden: Record<string, true | Hidden> = {};
    const hide = (name: string, found: true | Hidden | undefined) => {
      if (found !== undefined && hidden[name] !== true) hidden[name] = found;
    };
    for (const part of [items, allOf, anyOf, oneOf].flat().filter(isObject)) {
      const found = look(part, depth);
      if (found === true) return true;
      for (const [name, one] of Object.entries(found ?? {})) hide(name, one);
    }
    for (const [name, property] of Object.entries(isObject(properties) ? properties : {}))
      if (isObject(property)) hide(name, look(property, depth));
    return Object.keys(hidden).length === 0 ? undefined : hidden;
  };
  return look(root, DEPTH);
}

function isWriteOnly({ writeOnly, format }: JsonObject): boolean {
  return writeOnly === true || format === 'password';
}

function masked(value: Json, hidden: true | Hidden): Json {
  if (hidden === true) return mask(value);
  if (Array.isArray(value)) return value.map((item) => masked(item, hidden));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      Object.hasOwn(hidden, name) ? masked(member, hidden[name]!) : member,
    ]),
  );
}

/** Names of members stay: they say what was given. */
function mask(value: Json): Json {
  if (Array.isArray(value)) return value.map(mask);
  if (isObject(value))
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, mask(one)]));
  return value === null ? null : MASK;
}
