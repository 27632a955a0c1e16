import { isObject, type Json, type ParameterStyle } from '../../operations/index.ts';
import { primitiveText } from './primitive-text.ts';

export type Encode = (text: string) => string;

/** How one parameter is written: OpenAPI 3.1 §4.8.12.4 "Style Examples", which follow RFC 6570. */
export interface Expansion {
  readonly name: string;
  readonly style: ParameterStyle;
  readonly explode: boolean;
  /** What stands between the items of a list that is not exploded, already encoded for its place. */
  readonly delimiter: string;
  /** The same within the items that are lists themselves, by level; beyond, they are JSON text. */
  readonly nested?: readonly string[] | undefined;
  readonly encode: Encode;
  /** How names are encoded, where it is not how values are. */
  readonly encodeName?: Encode;
}

export type Pair = readonly [name: string, value: string];

/** Encoded items of a list; null items have no place in a parameter. */
export function itemsOf(value: readonly Json[], encode: Encode, nested: readonly string[] = []): string[] {
  const [delimiter, ...deeper] = nested;
  const items: string[] = [];
  for (const item of value) {
    if (item === null || item === undefined) continue;
    if (delimiter !== undefined && Array.isArray(item))
      items.push(itemsOf(item, encode, deeper).join(delimiter));
    else items.push(encode(primitiveText(item)));
  }
  return items;
}

/** Encoded members of an object, null members left out. */
export function membersOf(value: { readonly [key: string]: Json }, encode: Encode): Pair[] {
  const members: Pair[] = [];
  for (const [key, member] of Object.entries(value)) {
    if (member !== null && member !== undefined) members.push([encode(key), encode(primitiveText(member))]);
  }
  return members;
}

/** One text for path and header: simple, label, matrix, and Swagger 2.0's separators. Empty lists give ''. */
export function expandText(value: Json, expansion: Expansion): string {
  if (expansion.style === 'label') return expandLabel(value, expansion);
  if (expansion.style === 'matrix') return expandMatrix(value, expansion);
  const { delimiter, encode, explode, nested } = expansion;
  if (Array.isArray(value)) return itemsOf(value, encode, nested).join(delimiter);
  if (!isObject(value)) return encode(primitiveText(value));
  const members = membersOf(value, encode);
  return explode ? joinMembers(members, delimiter) : members.flat().join(delimiter);
}

/** `.a,b` or exploded `.a.b` (RFC 6570 §3.2.5). */
function expandLabel(value: Json, { encode, explode }: Expansion): string {
  if (!Array.isArray(value) && !isObject(value)) return `.${encode(primitiveText(value))}`;
  const separator = explode ? '.' : ',';
  if (Array.isArray(value)) return prefixed('.', itemsOf(value, encode), separator);
  const members = membersOf(value, encode);
  return prefixed('.', explode ? members.map((pair) => pair.join('=')) : members.flat(), separator);
}

/** `;name=a,b` or exploded `;name=a;name=b` (RFC 6570 §3.2.7): an empty value stands without `=`. */
function expandMatrix(value: Json, { name: raw, encode, explode }: Expansion): string {
  const name = encode(raw);
  const named = (text: string) => (text === '' ? `;${name}` : `;${name}=${text}`);
  if (Array.isArray(value)) {
    const items = itemsOf(value, encode);
    if (explode) return items.map(named).join('');
    return items.length === 0 ? '' : named(items.join(','));
  }
  if (!isObject(value)) return named(encode(primitiveText(value)));
  const members = membersOf(value, encode);
  if (members.length === 0) return '';
  if (!explode) return named(members.flat().join(','));
  return members.map(([key, text]) => (text === '' ? `;${key}` : `;${key}=${text}`)).join('');
}

/** Pairs for query, cookie and urlencoded body: form, the delimited styles, deepObject. Empty lists give none. */
export function expandPairs(value: Json, expansion: Expansion): Pair[] {
  const { name: raw, style, explode, delimiter, encode, encodeName = encode, nested } = expansion;
  const name = encodeName(raw);
  if (style === 'deepObject') return deepPairs(name, value, encode, encodeName);
  if (Array.isArray(value)) {
    const items = itemsOf(value, encode, nested);
    if (explode) return items.map((item) => [name, item] as const);
    return items.length === 0 ? [] : [[name, items.join(delimiter)]];
  }
  if (!isObject(value)) return [[name, encode(primitiveText(value))]];
  if (explode) return explodedMembers(value, encode, encodeName);
  const members = membersOf(value, encode);
  return members.length === 0 ? [] : [[name, members.flat().join(delimiter)]];
}

/** What stands between the items of a list that is not exploded, as it is before it is encoded. */
export function plainDelimiter(style: ParameterStyle): ',' | ' ' | '|' {
  return style === 'spaceDelimited' ? ' ' : style === 'pipeDelimited' ? '|' : ',';
}

/** `expandPairs` where nothing is percent-encoded. `delimiter`: in place of the style's own. */
export function plainPairs(
  value: Json,
  expansion: Omit<Expansion, 'encode' | 'encodeName' | 'delimiter'> & {
    readonly delimiter?: string | undefined;
  },
): Pair[] {
  const delimiter = expansion.delimiter ?? plainDelimiter(expansion.style);
  const pairs = expandPairs(value, { ...expansion, delimiter, encode: (text) => text });
  if (!isObject(value) && expansion.style !== 'deepObject') return pairs;
  return pairs.map(([name, text]) => [name.replaceAll('%5B', '[').replaceAll('%5D', ']'), text] as const);
}

/**
 * Members become parameters of their own; a list in one of them repeats its name. What holds objects, which OpenAPI
 * leaves open, goes by brackets: services that take a query apart into members read them so (`likes[$gt]=5`).
 */
function explodedMembers(
  value: { readonly [key: string]: Json },
  encode: Encode,
  encodeName: Encode,
): Pair[] {
  const pairs: Pair[] = [];
  for (const [key, member] of Object.entries(value)) {
    if (member === null || member === undefined) continue;
    const name = encodeName(key);
    if (isObject(member) || (Array.isArray(member) && member.some(isObject))) {
      pairs.push(...deepPairs(name, member, encode, encodeName));
      continue;
    }
    const texts = Array.isArray(member) ? itemsOf(member, encode) : [encode(primitiveText(member))];
    for (const text of texts) pairs.push([name, text]);
  }
  return pairs;
}

/** `a[b][c]=1`. Lists, which OpenAPI leaves open: `a[b][]=1`, and with an index where items are structures. */
function deepPairs(name: string, value: Json, encode: Encode, encodeName: Encode): Pair[] {
  if (value === null || value === undefined) return [];
  const below = (key: string, member: Json) => deepPairs(`${name}%5B${key}%5D`, member, encode, encodeName);
  if (Array.isArray(value)) {
    const structured = value.some((item) => typeof item === 'object' && item !== null);
    return value.flatMap((item, index) => below(structured ? String(index) : '', item));
  }
  if (!isObject(value)) return [[name, encode(primitiveText(value))]];
  return Object.entries(value).flatMap(([key, member]) => below(encodeName(key), member));
}

function joinMembers(members: readonly Pair[], separator: string): string {
  return members.map(([key, value]) => `${key}=${value}`).join(separator);
}

function prefixed(prefix: string, parts: readonly string[], separator: string): string {
  return parts.length === 0 ? '' : prefix + parts.join(separator);
}
