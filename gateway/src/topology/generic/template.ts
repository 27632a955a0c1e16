import { isObject, type Json, type JsonObject, type JsonSchema } from '../../operations/index.ts';

const WHOLE = /^\{\{(\w+)(\|ms)?\}\}$/;
const PART = /\{\{(\w+)(?:\|ms)?\}\}/g;

/** Names of the arguments that a template can place. */
export function namesIn(template: Json): ReadonlySet<string> {
  const names = new Set<string>();
  const walk = (node: Json): void => {
    if (typeof node === 'string') for (const [, name] of node.matchAll(PART)) names.add(name!);
    else if (Array.isArray(node)) node.forEach(walk);
    else if (isObject(node)) Object.values(node).forEach(walk);
  };
  walk(template);
  return names;
}

/**
 * The template with its leaves filled, in the types that the operation's schema asks for. What needs an argument
 * that was not given is left out, and so is whatever becomes empty by that.
 */
export function fill(template: JsonObject, args: JsonObject, schema: JsonSchema): JsonObject {
  const properties = member(schema, 'properties');
  const entries = Object.entries(template).map(
    ([key, node]) => [key, fillNode(node, args, member(properties, key))] as const,
  );
  return Object.fromEntries(entries.filter((entry): entry is [string, Json] => entry[1] !== undefined));
}

function fillNode(node: Json, args: JsonObject, schema: unknown): Json | undefined {
  if (typeof node === 'string') return coerce(fillText(node, args), schema);
  if (Array.isArray(node)) {
    const items = node.map((item) => fillNode(item, args, member(schema, 'items')));
    const given = items.filter((item) => item !== undefined);
    return given.length === 0 ? undefined : given;
  }
  if (!isObject(node)) return node;
  const entries = Object.entries(node).map(
    ([key, value]) => [key, fillNode(value, args, member(member(schema, 'properties'), key))] as const,
  );
  const given = entries.filter((entry): entry is [string, Json] => entry[1] !== undefined);
  // A constant beside a missing argument (`type: personal` of a missing address) says nothing by itself.
  const hasArgument = given.some(([key]) => namesIn(node[key]!).size > 0);
  const asksForSome = namesIn(node).size > 0;
  return given.length === 0 || (asksForSome && !hasArgument) ? undefined : Object.fromEntries(given);
}

function fillText(text: string, args: JsonObject): Json | undefined {
  const [, whole, reading] = WHOLE.exec(text) ?? [];
  if (whole !== undefined) return reading === undefined ? args[whole] : milliseconds(args[whole]);
  let missing = 0;
  let places = 0;
  const filled = text.replace(PART, (_match, name: string) => {
    places++;
    const value = args[name];
    if (value === undefined || value === null) missing++;
    return value === undefined || value === null ? '' : String(value);
  });
  return places > 0 && missing === places ? undefined : filled.trim();
}

/** `"123"` for an integer argument is 123, and 123 for a text is `"123"`; lists item by item. */
function coerce(value: Json | undefined, schema: unknown): Json | undefined {
  if (Array.isArray(value)) {
    const items = member(schema, 'items');
    return value.map((item) => coerce(item, items) ?? null);
  }
  const type = member(schema, 'type');
  if (typeof value === 'string' && (type === 'integer' || type === 'number') && /^-?\d{1,15}$/.test(value)) {
    return Number(value);
  }
  if (typeof value === 'number' && type === 'string') return String(value);
  return value;
}

function member(of: unknown, key: string): unknown {
  return isObject(of) && Object.hasOwn(of, key) ? of[key] : undefined;
}

/** A time that cannot be read stays as it is: the operation's own schema refuses it. */
function milliseconds(time: Json | undefined): Json | undefined {
  const read = typeof time === 'string' ? Date.parse(time) : Number.NaN;
  return Number.isNaN(read) ? time : read;
}
