import { plainDelimiter } from '../executors/http/expand-style.ts';
import { percentDecoded } from '../operations/http/percent-decoded.ts';
import {
  isObject,
  type Json,
  type JsonObject,
  type Operation,
  type ParameterBinding,
  UNSAFE_KEYS,
} from '../operations/index.ts';
import { dereferenced } from '../operations/invocation/argument-schema.ts';
import { isJsonType, mediaTypeOf } from './media-type.ts';
import { parseJson } from './parse-json.ts';

/** One `name=value` of a query: the name decoded, the value as it is written. */
export type LinkedPair = readonly [name: string, value: string];

const MAX_HOPS = 10;

export function linkedPairs(query: string): LinkedPair[] {
  return query.split('&').map((part) => {
    const equals = part.indexOf('=');
    return equals < 0 ? [decoded(part), ''] : [decoded(part.slice(0, equals)), part.slice(equals + 1)];
  });
}

/** The value that a query parameter was written from, in its schema's type; undefined where the query does not tell. */
export function linkedValue(
  binding: ParameterBinding,
  pairs: readonly LinkedPair[],
  schema: JsonObject,
): Json | undefined {
  const { name, style, contentType } = binding;
  if (style === 'deepObject') return deepValue(name, pairs, schema);
  const values = pairs.filter(([other]) => other === name).map(([, value]) => value);
  if (contentType !== undefined && isJsonType(mediaTypeOf(contentType))) {
    const [text] = values;
    return text === undefined ? undefined : parseJson(decoded(text))?.value;
  }
  if (schema.type === 'object') return objectValue(binding, pairs, values, schema);
  if (values.length === 0) return undefined;
  if (schema.type !== 'array') {
    const texts = values.map(decoded);
    return texts.length === 1 ? typed(texts[0]!, schema) : texts;
  }
  const items = isObject(schema.items) ? schema.items : {};
  const texts = values.length === 1 ? itemsOf(values[0]!, binding, items) : values.map(decoded);
  return texts.map((text) => typed(text, items));
}

/** A comma that is encoded belongs to its item, except where no item could hold one or all are joined. */
function itemsOf(value: string, { style = 'form', explode, delimiter }: ParameterBinding, items: JsonObject) {
  const separator = delimiter ?? plainDelimiter(style);
  if (separator === ',' && value.includes(',')) return value.split(',').map(decoded);
  const joined = !(explode ?? style === 'form') || items.type === 'integer' || items.type === 'number';
  return joined ? decoded(value).split(separator) : [decoded(value)];
}

/** `name[key]=1`, `name[key][]=1`; deeper structures are not read back. */
function deepValue(name: string, pairs: readonly LinkedPair[], schema: JsonObject): Json | undefined {
  const value: Record<string, Json> = {};
  for (const [other, text] of pairs) {
    if (!other.startsWith(`${name}[`)) continue;
    const [, key, list] = /^\[([^[\]]+)\](\[\])?$/.exec(other.slice(name.length)) ?? [];
    if (key === undefined || UNSAFE_KEYS.has(key)) return undefined;
    const member = memberOf(schema, key);
    const known = Object.hasOwn(value, key) ? value[key] : [];
    value[key] =
      list === undefined
        ? typed(decoded(text), member)
        : [...(Array.isArray(known) ? known : []), typed(decoded(text), itemOf(member))];
  }
  return Object.keys(value).length === 0 ? undefined : value;
}

/** Members as parameters of their own, or `a,1,b,2`. */
function objectValue(
  { explode = true }: ParameterBinding,
  pairs: readonly LinkedPair[],
  values: readonly string[],
  schema: JsonObject,
): Json | undefined {
  const value: Record<string, Json> = {};
  const parts = (values[0] ?? '').split(',').map(decoded);
  const members = explode
    ? pairs.map(([name, text]) => [name, decoded(text)] as const)
    : parts.flatMap((key, at) => (at % 2 === 0 && at + 1 < parts.length ? [[key, parts[at + 1]!]] : []));
  const { properties } = schema;
  for (const [key, text] of members as LinkedPair[]) {
    if (!UNSAFE_KEYS.has(key) && isObject(properties) && Object.hasOwn(properties, key))
      value[key] = typed(text, memberOf(schema, key));
  }
  return Object.keys(value).length === 0 ? undefined : value;
}

function memberOf({ properties }: JsonObject, key: string): JsonObject {
  const member = isObject(properties) && Object.hasOwn(properties, key) ? properties[key] : undefined;
  return isObject(member) ? member : {};
}

const itemOf = ({ items }: JsonObject): JsonObject => (isObject(items) ? items : {});

function typed(text: string, { type }: JsonObject): Json {
  if ((type === 'integer' || type === 'number') && text.trim() !== '' && Number.isFinite(Number(text)))
    return Number(text);
  return type === 'boolean' && /^(?:true|false)$/.test(text) ? text === 'true' : text;
}

/** The schema of one type behind references and `null`: what a value in a query can be of it. */
export function schemaInQuery(schema: unknown, root: JsonObject): JsonObject {
  let found = schema;
  for (let hops = 0; hops < MAX_HOPS && isObject(found); hops++) {
    const target: JsonObject = dereferenced(root, found);
    const choices = target.anyOf ?? target.oneOf;
    const others = Array.isArray(choices)
      ? choices.filter((choice) => !isObject(choice) || choice.type !== 'null')
      : [];
    const isOneOrNull = target.type === undefined && others.length === 1;
    found = isOneOrNull ? others[0] : target;
    if (!isOneOrNull) break;
  }
  if (!isObject(found)) return {};
  const types = [found.type ?? []].flat().filter((type) => type !== 'null');
  const plain: JsonObject = { ...found };
  delete plain.type;
  if (types.length === 1) plain.type = types[0]!;
  if (found.items !== undefined) plain.items = schemaInQuery(found.items, root);
  return plain;
}

function decoded(text: string): string {
  return percentDecoded(text.replaceAll('+', ' '));
}

type QueryArgument = ParameterBinding & { readonly arg: string };

/** What is written into the query from arguments. */
export function* queryArguments({ invocation }: Operation): Generator<QueryArgument> {
  if (invocation.kind !== 'http') return;
  for (const binding of invocation.bindings) {
    if (binding.in === 'query' && binding.arg !== undefined) yield binding as QueryArgument;
  }
}
