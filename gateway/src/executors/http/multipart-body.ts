import { createHash } from 'node:crypto';
import { ToolcribError } from '../../errors.ts';
import { fileTypeOf } from '../../operations/http/file-type.ts';
import { HTTP_TOKEN } from '../../operations/http/http-token.ts';
import { type BodyFormat, isObject, type Json, type PartEncoding } from '../../operations/index.ts';
import { isBinaryType, isJsonType, isXmlType, mediaTypeOf } from '../../results/media-type.ts';
import { givenFile, isDataUrl } from './base64-input.ts';
import { plainPairs } from './expand-style.ts';
import { type BodyPart, bodyParts, type GivenBody } from './given-body.ts';
import { primitiveText } from './primitive-text.ts';
import { jsonInCharset, textInCharset } from './text-charset.ts';

type PartFormat = Pick<BodyFormat, 'encoding' | 'firstParts' | 'otherParts'>;

/** One part, its header block written: lines that end in CRLF. */
export interface WrittenPart {
  readonly head: string;
  readonly data: Buffer;
  /** What `data` says, for parts that are text or JSON; absent: bytes of a file. */
  readonly value?: Json;
}

/**
 * `multipart/form-data` (RFC 7578): a list repeats its name, structures are JSON parts, files carry a file name.
 * Other multiparts (RFC 2046 §5.1) carry the same parts without names.
 */
export function multipartBody(
  contentType: string,
  given: GivenBody,
  format: PartFormat,
): { contentType: string; data: Buffer } {
  const parts = writtenParts(contentType, given, format);
  const boundary = boundaryFor(parts);
  const chunks: Buffer[] = [];
  for (const part of parts) {
    chunks.push(Buffer.from(`--${boundary}\r\n${part.head}\r\n`), part.data, Buffer.from('\r\n'));
  }
  chunks.push(Buffer.from(`--${boundary}--\r\n`));
  return { contentType: withBoundary(contentType, boundary), data: Buffer.concat(chunks) };
}

/** The parts of such a body, before a boundary joins them. */
export function writtenParts(contentType: string, given: GivenBody, format: PartFormat): WrittenPart[] {
  const named = mediaTypeOf(contentType) === 'multipart/form-data';
  const { encoding = {}, firstParts = [], otherParts = {} } = format;
  const encodingOf = ({ name }: BodyPart, place: number) =>
    Object.hasOwn(encoding, name) ? encoding[name] : name === '' ? firstParts[place] : undefined;
  return partsOf(given, named).flatMap((part, place) =>
    writeProperty(part, encodingOf(part, place) ?? otherParts, named),
  );
}

function partsOf(given: GivenBody, named: boolean): readonly BodyPart[] {
  const parts = bodyParts(given);
  if (parts !== undefined) return parts;
  if (given.kind !== 'whole') return [];
  const { value, refuse } = given.part;
  if (named || !Array.isArray(value)) throw refuse('must be an object: the body has parts with names');
  return value.map((item, at) => ({
    name: '',
    value: item,
    refuse: (reason, below = '') => refuse(`has an item that ${reason}`, `/${at}${below}`),
  }));
}

function writeProperty(part: BodyPart, encoding: PartEncoding, named: boolean): WrittenPart[] {
  const { name, value, refuse } = part;
  if (value === null || value === undefined) return [];
  if (!encoding.file && isStyled(encoding)) return styledParts(part, encoding, named);
  if (!Array.isArray(value) || isOfList(part, named) || (!encoding.file && wantsJson(encoding)))
    return [writePart(part, encoding, named)];
  const items = value.map((item, at) => ({
    name,
    value: item,
    refuse: (reason: string, below = '') => refuse(`has an item that ${reason}`, `/${at}${below}`),
  }));
  return items.filter((item) => item.value !== null).map((item) => writePart(item, encoding, named));
}

/** An item of a body that is a list is one part, whatever it holds (OpenAPI 3.2 "Encoding By Name"). */
function isOfList({ name }: BodyPart, named: boolean): boolean {
  return !named && name === '';
}

function isStyled({ style, explode }: PartEncoding): boolean {
  return style !== undefined || explode !== undefined;
}

/** A style writes a part as it writes a query parameter, but for the encoding; its content type is ignored (OpenAPI 3.1 §4.8.15). */
function styledParts({ name, value }: BodyPart, encoding: PartEncoding, named: boolean): WrittenPart[] {
  const { style = 'form', explode = style === 'form', delimiter, nested, headers = {} } = encoding;
  const pairs = plainPairs(value, { name, style, explode, delimiter, nested });
  return pairs.map(([part, text]) => ({
    head: headOf(part, undefined, { headers }, named),
    data: Buffer.from(text),
    value: text,
  }));
}

/** JSON as plain text has no type: that is its default (RFC 7578 §4.4), and formidable takes any type for a file's. */
function writePart({ name, value, refuse }: BodyPart, encoding: PartEncoding, named: boolean): WrittenPart {
  const declared = concreteType(encoding.contentType);
  if (declared !== undefined && /^multipart\//i.test(declared) && typeof value === 'object') {
    const within: GivenBody = { kind: 'whole', part: { name, value, refuse } };
    const { contentType, data } = multipartBody(declared, within, encoding.parts ?? {});
    return { head: headOf(name, contentType, encoding, named), data };
  }
  const isFile = encoding.file === 'data-url' ? isDataUrl(value) : encoding.file;
  if (isFile || (declared !== undefined && isBinaryType(mediaTypeOf(declared)))) {
    const file = givenFile(value, refuse);
    const { filename = '' } = file;
    const type = file.contentType ?? declared ?? fileTypeOf(filename) ?? 'application/octet-stream';
    return {
      head: headOf(name, type, encoding, named, filename || name || 'file'),
      data: asBuffer(file.bytes),
    };
  }
  const json = isObject(value) || Array.isArray(value) || wantsJson(encoding);
  if (json && declared !== undefined && isXmlType(mediaTypeOf(declared)))
    throw refuse('must be the XML as text');
  if (json) {
    const type = declared === 'text/plain' ? undefined : (declared ?? 'application/json');
    const data = Buffer.from(jsonInCharset(value, type ?? ''));
    return { head: headOf(name, type, encoding, named), data, value };
  }
  const text = primitiveText(value);
  const written = declared?.includes(';')
    ? textInCharset(text, declared, refuse)
    : { contentType: declared, data: text };
  const data = typeof written.data === 'string' ? Buffer.from(written.data) : asBuffer(written.data);
  return { head: headOf(name, written.contentType, encoding, named), data, value: text };
}

function wantsJson({ contentType }: PartEncoding): boolean {
  return contentType !== undefined && isJsonType(mediaTypeOf(contentType.split(',')[0]));
}

/** The first type of a list that is no pattern: `image/*` says nothing about this file. */
function concreteType(types: string | undefined): string | undefined {
  return types
    ?.split(',')
    .map((type) => type.trim())
    .find((type) => type !== '' && !type.includes('*'));
}

const OWN_HEADERS: ReadonlySet<string> = new Set([
  'content-disposition',
  'content-type',
  'content-transfer-encoding',
]);

function headOf(
  name: string,
  type: string | undefined,
  encoding: PartEncoding,
  named: boolean,
  filename?: string,
): string {
  const lines: string[] = [];
  if (named) {
    const file = filename === undefined ? '' : `; filename="${quotedName(filename)}"`;
    lines.push(`Content-Disposition: form-data; name="${quotedName(name)}"${file}`);
  }
  if (type !== undefined) lines.push(`Content-Type: ${type}`);
  for (const [header, value] of Object.entries(encoding.headers ?? {})) {
    if (OWN_HEADERS.has(header.toLowerCase())) continue;
    if (!HTTP_TOKEN.test(header) || /[\u0000-\u0008\u000a-\u001f\u007f]/.test(value)) {
      throw new ToolcribError(
        'source_invalid',
        `Part ${name} has a header that cannot be sent: ${JSON.stringify(header)}.`,
      );
    }
    lines.push(`${header}: ${value}`);
  }
  return lines.map((line) => `${line}\r\n`).join('');
}

/** RFC 7578 §5.1 and the HTML standard's multipart/form-data encoding: only these three are escaped. */
function quotedName(text: string): string {
  return text
    .toWellFormed()
    .replace(/["\r\n]/g, (character) => (character === '"' ? '%22' : character === '\r' ? '%0D' : '%0A'));
}

/** The same parts give the same boundary, and none of them contains it. */
function boundaryFor(parts: readonly WrittenPart[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(`${part.data.length}:${part.head}`).update(part.data);
  const seed = hash.digest('hex');
  for (let round = 0; ; round++) {
    const boundary = `toolcrib-${round === 0 ? seed.slice(0, 32) : createHash('sha256').update(`${seed}${round}`).digest('hex').slice(0, 32)}`;
    if (!parts.some((part) => part.data.includes(boundary) || part.head.includes(boundary))) return boundary;
  }
}

function withBoundary(contentType: string, boundary: string): string {
  return `${contentType.replace(/;\s*boundary=(?:"[^"]*"|[^;]*)/i, () => '')}; boundary=${boundary}`;
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
