import {
  isObject,
  type Json,
  type JsonObject,
  type ParameterStyle,
  type PartEncoding,
  UNSAFE_KEYS,
} from '../../../operations/index.ts';
import { mediaKindOf } from '../media-types.ts';
import type { Reading } from '../reading.ts';
import { meansBytes, meansBytesOrText } from '../schemas/binary.ts';
import type { ObjectView, PropertyPart } from '../schemas/object-view.ts';
import { usualValue } from './constants.ts';
import { allowsStyle } from './places.ts';

/** Parts of a list that have an encoding of their own; further ones are written alike. */
const MAX_PLACES = 100;

interface PartsContent {
  readonly schema: unknown;
  readonly pointer: string;
  readonly encoding?: unknown;
  readonly prefixEncoding?: unknown;
  readonly itemEncoding?: unknown;
}

/** OpenAPI 3.1 §4.8.15 Encoding Objects of a form body, and which of its parts are files. */
export function readEncoding(
  reading: Reading,
  content: PartsContent,
  view: ObjectView | undefined,
  kind: 'form' | 'multipart',
  otherParts: PartEncoding | undefined,
): Record<string, PartEncoding> {
  const declared = isObject(content.encoding) ? content.encoding : {};
  const chosen = kind === 'multipart' ? partsByChoice(reading, content) : new Map<string, PropertyPart[]>();
  const names = new Set([
    ...Object.keys(declared),
    ...(kind === 'multipart' ? (view?.properties.keys() ?? []) : []),
    ...chosen.keys(),
  ]);
  const encodings: Record<string, PartEncoding> = {};
  for (const name of names) {
    if (UNSAFE_KEYS.has(name)) continue;
    const encoding = isObject(declared[name]) ? declared[name] : {};
    const always = view?.properties.get(name);
    const stated = {
      ...partEncoding(reading, encoding, kind),
      ...partsWithin(reading, encoding, always?.[0]),
    };
    const means = (parts: readonly PropertyPart[]) => isFile(reading, parts, stated.contentType);
    // where choices describe it, each of them must mean a file
    const file =
      kind === 'multipart' &&
      (always === undefined ? chosen.get(name)?.every((part) => means([part])) === true : means(always));
    const type = file && stated.contentType === undefined ? fileType(reading, always ?? []) : undefined;
    const either =
      !file &&
      kind === 'multipart' &&
      Object.keys(stated).length === 0 &&
      always?.some(
        (part) =>
          meansBytesOrText(reading.references, part.schema, part.pointer) || isOfAnyType(reading, part),
      );
    const read: PartEncoding = {
      ...stated,
      ...(type === undefined ? {} : { contentType: type }),
      ...(file ? { file } : either ? { file: 'data-url' } : {}),
    };
    if (Object.keys(read).length > 0 || otherParts !== undefined) encodings[name] = read;
  }
  return encodings;
}

/** Of a multipart body; absent where nothing is said of them. */
export interface UnnamedParts {
  readonly firstParts?: readonly PartEncoding[];
  readonly otherParts?: PartEncoding;
}

/**
 * How parts are written that a multipart schema gives no name: other properties of an object, or the items of a list
 * (OpenAPI 3.2 `prefixEncoding` for the first ones, `itemEncoding` for those after them).
 */
export function readUnnamedParts(reading: Reading, content: PartsContent): UnnamedParts {
  const found = reading.references.object(content.schema, content.pointer);
  if (found === undefined) return {};
  const { pointer } = found;
  const { prefixItems, items, additionalProperties, patternProperties, type } = found.node;
  const read = (stated: unknown, schemas: readonly unknown[]): PartEncoding => {
    const described = schemas.filter(isObject);
    const all = (means: (schema: JsonObject) => boolean) => described.length > 0 && described.every(means);
    const file = all((schema) => meansBytes(reading.references, schema, pointer, true));
    const own = isObject(stated) ? partEncoding(reading, stated, 'multipart') : {};
    const either =
      !file && Object.keys(own).length === 0 && all((schema) => isOfAnyType(reading, { schema, pointer }));
    return {
      ...own,
      ...(isObject(stated) ? partsWithin(reading, stated, { schema: described[0], pointer }) : {}),
      ...(file ? { file } : either ? { file: 'data-url' } : {}),
    };
  };
  const patterns = Object.values(isObject(patternProperties) ? patternProperties : {});
  const otherParts = read(
    content.itemEncoding,
    type === 'array' ? [items] : [additionalProperties, ...patterns],
  );
  const first = listOf(prefixItems);
  const stated = listOf(content.prefixEncoding);
  const places = Math.min(Math.max(first.length, stated.length), MAX_PLACES);
  // without an encoding of its own, a part is still a file by its schema
  const firstParts = Array.from({ length: places }, (_, place) =>
    read(stated[place], place < first.length ? [first[place]] : [items]),
  );
  return {
    ...(firstParts.length === 0 ? {} : { firstParts }),
    ...(Object.keys(otherParts).length === 0 ? {} : { otherParts }),
  };
}

/** How the parts of a part are written that is multipart itself; what is below those goes out as JSON. */
function partsWithin(
  reading: Reading,
  { contentType, encoding, prefixEncoding, itemEncoding }: JsonObject,
  part: PropertyPart | undefined,
): Pick<PartEncoding, 'parts'> {
  if (typeof contentType !== 'string' || !/^\s*multipart\//i.test(contentType)) return {};
  const list = reading.references.object(part?.schema, part?.pointer ?? '#');
  const item = list && reading.references.object(list.node.items, list.pointer);
  // each item of a list that a form names is a part of its own
  const isList = item !== undefined && (item.node.prefixItems !== undefined || item.node.items !== undefined);
  const of = (isList ? item : list) ?? { node: {}, pointer: '#' };
  const names = Object.entries(isObject(encoding) ? encoding : {}).flatMap(([name, stated]) =>
    isObject(stated) && !UNSAFE_KEYS.has(name)
      ? [[name, partEncoding(reading, stated, 'multipart')] as const]
      : [],
  );
  const content = { schema: of.node, pointer: of.pointer, prefixEncoding, itemEncoding };
  return {
    parts: {
      ...(names.length === 0 ? {} : { encoding: Object.fromEntries(names) }),
      ...readUnnamedParts(reading, content),
    },
  };
}

/** OpenAPI 3.1 and later: bytes where they are given as such, since no `type` says that they are text. */
function isOfAnyType({ references, version }: Reading, { schema, pointer }: PropertyPart): boolean {
  if (!version.jsonSchema) return false;
  const node = references.object(schema, pointer)?.node;
  return acceptsAnything(node?.type === 'array' && node.items !== undefined ? node.items : (node ?? schema));
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Properties of everything that the schema may be by choice, at any depth. */
function partsByChoice(
  { references }: Reading,
  { schema, pointer }: PartsContent,
): Map<string, PropertyPart[]> {
  const parts = new Map<string, PropertyPart[]>();
  const seen = new Set<JsonObject>();
  const pending: PropertyPart[] = [{ schema, pointer }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const found = references.object(next.schema, next.pointer);
    if (found === undefined || seen.has(found.node)) continue;
    const { node } = found;
    seen.add(node);
    for (const [name, property] of Object.entries(isObject(node.properties) ? node.properties : {})) {
      const known = parts.get(name) ?? [];
      parts.set(name, [...known, { schema: property, pointer: found.pointer }]);
    }
    for (const keyword of ['allOf', 'anyOf', 'oneOf'] as const) {
      const below = node[keyword];
      if (!Array.isArray(below)) continue;
      for (const choice of below) pending.push({ schema: choice, pointer: found.pointer });
    }
  }
  return parts;
}

function partEncoding(reading: Reading, encoding: JsonObject, kind: 'form' | 'multipart'): PartEncoding {
  const { contentType, style, explode, allowReserved } = encoding;
  const isStyled = allowsStyle('query', style) || typeof explode === 'boolean';
  const headers = kind === 'multipart' ? constantHeaders(reading, encoding.headers) : {};
  return {
    ...(typeof contentType === 'string' && contentType !== '' ? { contentType: firstType(contentType) } : {}),
    ...(allowsStyle('query', style) ? { style: style as ParameterStyle } : {}),
    ...(typeof explode === 'boolean' ? { explode } : {}),
    ...(allowReserved === true ? { allowReserved: true } : {}),
    // said at all, it has a style write the value, and no type
    ...(typeof allowReserved === 'boolean' && !isStyled ? { style: 'form' } : {}),
    ...(Object.keys(headers).length === 0 ? {} : { headers }),
  };
}

/** `image/png, image/*`: the first that can be sent. */
function firstType(list: string): string {
  const types = list.split(',').map((type) => type.trim());
  return types.find((type) => !type.includes('*')) ?? types[0]!;
}

function constantHeaders(reading: Reading, headers: Json | undefined): Record<string, string> {
  const constants: Record<string, string> = {};
  for (const [name, header] of Object.entries(isObject(headers) ? headers : {})) {
    const node = reading.references.object(header, '#')?.node;
    const value = usualValue(isObject(node?.schema) ? node.schema : node);
    if (/^content-type$/i.test(name) || UNSAFE_KEYS.has(name)) continue;
    if (typeof value === 'string' || typeof value === 'number') constants[name] = String(value);
  }
  return constants;
}

/** A binary property or a list of them, or one that only its encoding describes, as bytes (OpenAPI 3.1 §4.8.15.1). */
function isFile(
  { references }: Reading,
  definitions: readonly PropertyPart[],
  contentType: string | undefined,
): boolean {
  if (definitions.some(({ schema, pointer }) => meansBytes(references, schema, pointer, true))) return true;
  const undescribed = definitions.length > 0 && definitions.every(({ schema }) => leavesBytesOpen(schema));
  return undescribed && contentType !== undefined && mediaKindOf(contentType) === 'binary';
}

/** The one type that the schema says of a file (`contentMediaType`); undefined where it says none, or any bytes. */
function fileType({ references }: Reading, definitions: readonly PropertyPart[]): string | undefined {
  const types = definitions.map(({ schema, pointer }) => {
    const node = references.object(schema, pointer)?.node;
    const file = node?.items === undefined ? node : references.object(node.items, pointer)?.node;
    return file?.contentMediaType;
  });
  const [type, ...others] = new Set(types.filter((one) => typeof one === 'string'));
  const isSaid = others.length === 0 && type !== undefined && /^[\w.+-]+\/[\w.+-]+$/.test(type);
  return isSaid && type !== 'application/octet-stream' ? type : undefined;
}

/** Anything, or a text of which nothing more is said; a list of them likewise. */
export function leavesBytesOpen(schema: unknown): boolean {
  if (acceptsAnything(schema)) return true;
  if (!isObject(schema)) return false;
  if (schema.type === 'array') return isObject(schema.items) && isPlainText(schema.items);
  return isPlainText(schema);
}

const SAYS_MORE = ['format', 'pattern', 'enum', 'const', 'contentEncoding', 'contentMediaType', '$ref'];

function isPlainText(schema: JsonObject): boolean {
  return schema.type === 'string' && SAYS_MORE.every((key) => schema[key] === undefined);
}

/** Any value would do. */
export function acceptsAnything(schema: unknown): boolean {
  if (!isObject(schema)) return schema === true;
  return Object.keys(schema).every((key) => ['title', 'description', 'deprecated'].includes(key));
}
