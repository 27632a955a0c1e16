import { ToolcribError } from '../../errors.ts';
import { fileTypeOf } from '../../operations/http/file-type.ts';
import { namesBoundary } from '../../operations/http/multipart-boundary.ts';
import type { BodyBinding, BodyFormat, Json, JsonObject } from '../../operations/index.ts';
import {
  isBinaryType,
  isFormType,
  isJsonLinesType,
  isJsonType,
  isTextType,
  isXmlType,
  mediaTypeOf,
} from '../../results/media-type.ts';
import { type GivenFile, givenFile, isDataUrl } from './base64-input.ts';
import { type BodyPart, bodyParts, type GivenBody, givenBody, wholeValue } from './given-body.ts';
import { multipartBody } from './multipart-body.ts';
import { primitiveText } from './primitive-text.ts';
import { jsonInCharset, textInCharset } from './text-charset.ts';
import { urlencodedBody } from './urlencoded-body.ts';

export interface RequestBody {
  readonly contentType: string;
  readonly data: string | Uint8Array;
  /** Of a body that is one file, where the caller named it. */
  readonly filename?: string;
}

/** The body as bytes or text, and its type; undefined when there is none to send. */
export function requestBody(
  format: BodyFormat | undefined,
  bindings: readonly BodyBinding[],
  args: JsonObject,
): RequestBody | undefined {
  if (format === undefined) return undefined;
  const given = givenBody(format, bindings, args);
  return given && writeBody(format, given);
}

function writeBody(format: BodyFormat, given: GivenBody): RequestBody {
  const { contentType } = format;
  const type = mediaTypeOf(contentType);
  if (type.startsWith('multipart/')) return writtenAlready(contentType, given) ?? writeParts(format, given);
  if (isFormType(type)) return { contentType, data: urlencodedBody(given, format.encoding ?? {}) };
  if (isJsonType(type)) {
    const value = wholeValue(given);
    return { contentType, data: jsonInCharset(format.wrapInData ? { data: [value] } : value, contentType) };
  }
  if (given.kind === 'whole') return writeWhole(format, type, given.part);
  if (isXmlType(type)) throw asTextOnly(type);
  return { contentType, data: JSON.stringify(wholeValue(given)) };
}

/** Parts that came as one text, whose lines end in CRLF (RFC 2046 §4.1.1); models write LF, and so do documents' examples. */
function writtenAlready(contentType: string, given: GivenBody): RequestBody | undefined {
  if (given.kind !== 'whole' || !namesBoundary(contentType)) return undefined;
  const { value } = given.part;
  if (typeof value !== 'string') return undefined;
  return { contentType, data: value.includes('\r\n') ? value : value.replaceAll('\n', '\r\n') };
}

/** A call that gives no file goes as the JSON of the same schema: no form can say `null` or an empty list. */
function writeParts(format: BodyFormat, given: GivenBody): RequestBody {
  const { contentType, withoutFiles } = format;
  return withoutFiles === undefined || givesFile(format, given)
    ? multipartBody(contentType, given, format)
    : { contentType: withoutFiles, data: JSON.stringify(wholeValue(given)) };
}

function givesFile({ encoding = {} }: BodyFormat, given: GivenBody): boolean {
  const parts = bodyParts(given);
  return (
    parts === undefined ||
    parts.some(({ name, value }) => {
      const file = value !== null && Object.hasOwn(encoding, name) && encoding[name]!.file;
      return file === 'data-url' ? [value].flat().some(isDataUrl) : file;
    })
  );
}

function writeWhole(format: BodyFormat, type: string, part: BodyPart): RequestBody {
  const { contentType } = format;
  if (format.binary || isBinaryType(type)) {
    const file = givenFile(part.value, part.refuse);
    return {
      contentType: typeOfFile(file, format),
      data: file.bytes,
      ...(file.filename === undefined ? {} : { filename: file.filename }),
    };
  }
  if (isJsonLinesType(type)) return { contentType, data: jsonLines(part.value, type) };
  const structured = typeof part.value === 'object';
  if (isTextType(type) && structured) {
    throw part.refuse(isXmlType(type) ? 'must be the XML as text' : `must be text: the body is ${type}`);
  }
  if (structured) return { contentType, data: JSON.stringify(part.value) };
  return textInCharset(primitiveText(part.value), contentType, part.refuse);
}

/** As the file says itself, or else its name, where the document leaves that open (RFC 9110 §12.5.1 has the ranges). */
function typeOfFile({ contentType: own, filename = '' }: GivenFile, { contentType, range }: BodyFormat) {
  if (range === undefined)
    return own !== undefined && matches(own, mediaTypeOf(contentType)) ? own : contentType;
  const within = (one: string) => mediaTypeOf(one).startsWith(range.slice(0, range.indexOf('*')));
  return [own, fileTypeOf(filename)].find((one) => one !== undefined && within(one)) ?? contentType;
}

/** A file may name its own type only where the document leaves it open. */
function matches(given: string, type: string): boolean {
  return type === 'application/octet-stream' || mediaTypeOf(given) === type;
}

/** A list is one record an item; text is taken as it is. */
function jsonLines(value: Json, type: string): string {
  if (typeof value === 'string') return value;
  const start = type.endsWith('json-seq') ? '\u001e' : '';
  return (Array.isArray(value) ? value : [value]).map((item) => `${start}${JSON.stringify(item)}\n`).join('');
}

function asTextOnly(type: string): ToolcribError {
  return new ToolcribError(
    'source_invalid',
    `The body is ${type}, which is given as text, but the operation describes it by properties.`,
  );
}
