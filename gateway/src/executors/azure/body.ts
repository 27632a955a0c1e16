import type { BodyBinding, BodyFormat, Json, JsonObject } from '../../operations/index.ts';
import { isFormType, isJsonType, mediaTypeOf } from '../../results/media-type.ts';
import { type GivenBody, givenBody } from '../http/given-body.ts';
import { type WrittenPart, writtenParts } from '../http/multipart-body.ts';
import { requestBody } from '../http/request-body.ts';

/** A body as the envelope carries it: a JSON value, text, or bytes as base64 under `$content`. */
export interface ConnectorBody {
  readonly contentType: string;
  readonly value: Json;
}

const OCTETS = 'application/octet-stream';

/**
 * The body that the arguments make; undefined when there is none to send. `declared`: what a parameter of the operation
 * says of its type, which counts for files and forms. Throws `arguments_invalid`, `source_invalid`.
 */
export function connectorBody(
  format: BodyFormat | undefined,
  bindings: readonly BodyBinding[],
  args: JsonObject,
  declared: string | undefined,
): ConnectorBody | undefined {
  if (format === undefined) return undefined;
  const type = typeOf(format, declared);
  if (mediaTypeOf(type).startsWith('multipart/')) {
    const given = givenBody(format, bindings, args);
    return given && multipart(type, given, format);
  }
  const body = requestBody({ ...format, contentType: type }, bindings, args);
  if (body === undefined) return undefined;
  if (typeof body.data !== 'string') return bytes(declared ?? body.contentType, Buffer.from(body.data));
  if (isJsonType(mediaTypeOf(body.contentType))) {
    return { contentType: body.contentType, value: JSON.parse(body.data) };
  }
  // characters travel here, not bytes: their encoding is not ours to name
  const named = mediaTypeOf(type) === mediaTypeOf(body.contentType) ? type : body.contentType;
  return { contentType: named, value: body.data };
}

/** Bytes that a document calls JSON are bytes; fields of a form that go out as multipart are parts. */
function typeOf({ contentType, binary }: BodyFormat, declared: string | undefined): string {
  const type = mediaTypeOf(contentType);
  if (binary && isJsonType(type)) return OCTETS;
  if (declared !== undefined && isFormType(type) && mediaTypeOf(declared).startsWith('multipart/')) {
    return mediaTypeOf(declared);
  }
  return contentType;
}

/** Logic Apps' form of a multipart body: each part with its headers. */
function multipart(contentType: string, given: GivenBody, format: BodyFormat): ConnectorBody {
  const parts = writtenParts(contentType, given, format).map(partOf);
  return { contentType, value: { '$content-type': contentType, $multipart: parts } };
}

function partOf({ head, data, value }: WrittenPart): Json {
  const headers: JsonObject = {};
  for (const line of head.split('\r\n')) {
    const colon = line.indexOf(':');
    if (colon > 0) headers[line.slice(0, colon)] = line.slice(colon + 1).trim();
  }
  const type = headers['Content-Type'];
  if (value !== undefined) return { headers, body: value };
  // what is known of these bytes by nobody is said once, in their own envelope
  if (type === OCTETS) delete headers['Content-Type'];
  return { headers, body: bytes(typeof type === 'string' ? type : '', data).value };
}

function bytes(contentType: string, data: Buffer): ConnectorBody {
  const type = contentType === '' ? OCTETS : contentType;
  return { contentType: type, value: { '$content-type': type, $content: data.toString('base64') } };
}
