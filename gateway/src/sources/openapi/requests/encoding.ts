import {
  isObject,
  type Json,
  type JsonObject,
  type ParameterStyle,
  type PartEncoding,
  UNSAFE_KEYS,
} from '../../../operations/index.ts';
import type { Reading } from '../reading.ts';
import { isBinarySchema } from '../schemas/binary.ts';
import type { ObjectView, PropertyPart } from '../schemas/object-view.ts';
import { allowsStyle } from './places.ts';

/** OpenAPI 3.1 §4.8.15 Encoding Objects of a form body, and which of its parts are files. */
export function readEncoding(
  reading: Reading,
  content: { readonly encoding?: unknown; readonly pointer: string },
  view: ObjectView | undefined,
  kind: 'form' | 'multipart',
): Record<string, PartEncoding> {
  const declared = isObject(content.encoding) ? content.encoding : {};
  const names = new Set([
    ...Object.keys(declared),
    ...(kind === 'multipart' ? (view?.properties.keys() ?? []) : []),
  ]);
  const encodings: Record<string, PartEncoding> = {};
  for (const name of names) {
    if (UNSAFE_KEYS.has(name)) continue;
    const encoding = isObject(declared[name]) ? declared[name] : {};
    const file = kind === 'multipart' && isFile(reading, view?.properties.get(name) ?? []);
    const read = { ...partEncoding(reading, encoding, kind), ...(file ? { file: true } : {}) };
    if (Object.keys(read).length > 0) encodings[name] = read;
  }
  return encodings;
}

function partEncoding(reading: Reading, encoding: JsonObject, kind: 'form' | 'multipart'): PartEncoding {
  const { contentType, style, explode, allowReserved } = encoding;
  const headers = kind === 'multipart' ? constantHeaders(reading, encoding.headers) : {};
  return {
    ...(typeof contentType === 'string' && contentType !== '' ? { contentType: firstType(contentType) } : {}),
    ...(allowsStyle('query', style) ? { style: style as ParameterStyle } : {}),
    ...(typeof explode === 'boolean' ? { explode } : {}),
    ...(allowReserved === true ? { allowReserved: true } : {}),
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
    const schema = isObject(node?.schema) ? node.schema : node;
    const values = Array.isArray(schema?.enum) && schema.enum.length === 1 ? schema.enum[0] : undefined;
    const value = schema?.const ?? values ?? schema?.default;
    if (/^content-type$/i.test(name) || UNSAFE_KEYS.has(name)) continue;
    if (typeof value === 'string' || typeof value === 'number') constants[name] = String(value);
  }
  return constants;
}

/** A binary property, or a list of them. */
function isFile(reading: Reading, definitions: readonly PropertyPart[]): boolean {
  return definitions.some(({ schema, pointer }) => {
    const node = reading.references.object(schema, pointer)?.node;
    if (isBinarySchema(node)) return true;
    if (node?.items === undefined) return false;
    return isBinarySchema(reading.references.object(node.items, pointer)?.node);
  });
}
