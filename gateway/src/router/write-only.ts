import { dereferenced } from '../operations/invocation/argument-schema.ts';
import { isObject, type Json, type JsonObject, type JsonSchema } from '../operations/json/json.ts';

const MASK = '[redacted]';
/** Steps below the arguments that are looked at. */
const DEPTH = 6;

/** What is only written: the whole value, or members of it. Those of a list are those of its items. */
type Hidden = true | Members;

interface Members {
  /** False: described, and shown. */
  readonly named: ReadonlyMap<string, Hidden | false>;
  /** Of every member that is not named. */
  readonly others: Hidden | false;
}

const KNOWN = new WeakMap<JsonSchema, Hidden | false>();

/**
 * Arguments as events and previews show them: what their schema calls `writeOnly`, or gives the format `password`, is
 * masked (JSON Schema 2020-12, validation §9.4). The arguments themselves where there is nothing of that kind.
 */
export function withoutWriteOnly(args: JsonObject, input: JsonSchema): JsonObject {
  if (!KNOWN.has(input)) KNOWN.set(input, hiddenIn(input));
  const hidden = KNOWN.get(input);
  return hidden ? (masked(args, hidden) as JsonObject) : args;
}

function hiddenIn(root: JsonSchema): Hidden | false {
  /** What a definition hides, by its reference and the steps left: definitions name each other without end. */
  const known = new Map<string, Hidden | false>();
  const look = (schema: JsonSchema, depth: number): Hidden | false => {
    if (isWriteOnly(schema)) return true;
    const own = depth === 0 ? false : below(schema, depth - 1);
    return typeof schema['$ref'] === 'string' ? merged(own, referred(schema['$ref'], depth)) : own;
  };
  const referred = ($ref: string, depth: number): Hidden | false => {
    const key = `${depth} ${$ref}`;
    if (!known.has(key)) {
      const target = dereferenced(root, { $ref });
      known.set(key, target['$ref'] === undefined && look(target, depth));
    }
    return known.get(key)!;
  };
  const below = (schema: JsonSchema, depth: number): Hidden | false => {
    const { items, prefixItems, allOf, anyOf, oneOf } = schema;
    const parts = [items, prefixItems, allOf, anyOf, oneOf, schema['then'], schema['else']];
    const named = membersOf(schema['properties']).map(([name, one]) => [name, look(one, depth)] as const);
    const patterns = membersOf(schema['patternProperties']).map(([, one]) => one);
    const others = [schema['additionalProperties'], schema['unevaluatedProperties'], ...patterns];
    const own: Members = { named: new Map(named), others: all(others, depth) };
    const found = merged(own, all(parts.flat(), depth));
    return isEmpty(found) ? false : found;
  };
  const all = (schemas: readonly unknown[], depth: number): Hidden | false =>
    schemas
      .filter(isObject)
      .map((one) => look(one, depth))
      .reduce(merged, false);
  return look(root, DEPTH);
}

function membersOf(value: Json | undefined): Array<[name: string, schema: JsonObject]> {
  return Object.entries(isObject(value) ? value : {}).flatMap(([name, one]) =>
    isObject(one) ? [[name, one]] : [],
  );
}

/** What either of them hides. */
function merged(left: Hidden | false, right: Hidden | false): Hidden | false {
  if (left === true || right === true) return true;
  if (left === false || right === false) return left || right;
  const names = new Set([...left.named.keys(), ...right.named.keys()]);
  const of = ({ named, others }: Members, name: string) => named.get(name) ?? others;
  return {
    named: new Map([...names].map((name) => [name, merged(of(left, name), of(right, name))])),
    others: merged(left.others, right.others),
  };
}

function isEmpty(hidden: Hidden | false): boolean {
  return (
    hidden !== true && (hidden === false || (!hidden.others && ![...hidden.named.values()].some(Boolean)))
  );
}

function isWriteOnly({ writeOnly, format }: JsonObject): boolean {
  return writeOnly === true || format === 'password';
}

function masked(value: Json, hidden: Hidden): Json {
  if (hidden === true) return mask(value);
  if (Array.isArray(value)) return value.map((item) => masked(item, hidden));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const below = hidden.named.get(name) ?? hidden.others;
      return [name, below ? masked(member, below) : member];
    }),
  );
}

/** Names of members stay: they say what was given. */
function mask(value: Json): Json {
  if (Array.isArray(value)) return value.map(mask);
  if (isObject(value))
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, mask(one)]));
  return value === null ? null : MASK;
}
