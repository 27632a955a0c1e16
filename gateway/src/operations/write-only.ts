import { isObject, type Json, type JsonObject, type JsonSchema } from './json.ts';

const MASK = '[redacted]';
/** Steps below the arguments that are looked at. */
const DEPTH = 4;

/** Members that are only written; `true`: the whole value. */
interface Hidden {
  readonly [name: string]: true | Hidden;
}

const KNOWN = new WeakMap<JsonSchema, Hidden | undefined>();

/**
 * Arguments as events and previews show them: what their schema calls `writeOnly`, or gives the format `password`, is
 * masked (JSON Schema 2020-12, validation §9.4). The arguments themselves where there is nothing of that kind.
 */
export function withoutWriteOnly(args: JsonObject, input: JsonSchema): JsonObject {
  if (!KNOWN.has(input)) KNOWN.set(input, hiddenIn(input, DEPTH));
  const hidden = KNOWN.get(input);
  return hidden === undefined ? args : masked(args, hidden);
}

function hiddenIn(schema: JsonSchema, depth: number): Hidden | undefined {
  const { properties } = schema;
  if (depth === 0 || !isObject(properties)) return undefined;
  const hidden: Record<string, true | Hidden> = {};
  for (const [name, property] of Object.entries(properties)) {
    if (!isObject(property)) continue;
    const below = isWriteOnly(property) || hiddenIn(property, depth - 1);
    if (below) hidden[name] = below;
  }
  return Object.keys(hidden).length === 0 ? undefined : hidden;
}

function isWriteOnly({ writeOnly, format }: JsonObject): boolean {
  return writeOnly === true || format === 'password';
}

function masked(value: JsonObject, hidden: Hidden): JsonObject {
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const below = Object.hasOwn(hidden, name) ? hidden[name] : undefined;
      if (below === undefined) return [name, member];
      return [name, below === true ? mask(member) : isObject(member) ? masked(member, below) : member];
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
