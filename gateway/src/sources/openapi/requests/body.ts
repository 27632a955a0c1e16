import {
  type BodyFormat,
  escapeToken,
  isObject,
  type Json,
  type JsonObject,
  type JsonSchema,
  type PartEncoding,
} from '../../../operations/index.ts';
import { scalarText } from '../../../operations/text/scalar-text.ts';
import { mediaTypeObject } from '../media-type-object.ts';
import { bareMediaType, type MediaKind } from '../media-types.ts';
import { OperationUnusable } from '../operation-unusable.ts';
import type { Place } from '../place.ts';
import type { Reading } from '../reading.ts';
import { isBinarySchema } from '../schemas/binary.ts';
import {
  describeBinary,
  describeFile,
  describeFileOrText,
  describeOpenType,
  describeXml,
  withDescription,
} from '../schemas/descriptions.ts';
import { invalidKeyword } from '../schemas/keyword-values.ts';
import { type ObjectView, type PropertyPart, viewObject } from '../schemas/object-view.ts';
import type { RequestPart } from './argument.ts';
import {
  type BodyContent,
  type BodyDeclaration,
  chooseContent,
  isBytes,
  kindOf,
  reportBytesInJson,
  sentType,
} from './body-content.ts';
import { internalDefault, onlyValue } from './constants.ts';
import { acceptsAnything, leavesBytesOpen, readEncoding, readUnnamedParts } from './encoding.ts';
import { reportJsonMembers } from './json-members.ts';
import { withOwnDescription } from './own-description.ts';
import { xmlOutline } from './xml-outline.ts';

export interface BodyParts {
  readonly parts: readonly RequestPart[];
  readonly format: BodyFormat;
}

/** OpenAPI 3 Request Body Object. */
export function requestBody(reading: Reading, operation: Place): BodyParts | undefined {
  const { requestBody: declared } = operation.node;
  if (declared === undefined || declared === null) return undefined;
  const at = `${operation.pointer}/requestBody`;
  const body = reading.references.object(declared, at);
  if (body === undefined) {
    const reference = isObject(declared) ? (scalarText(declared.$ref) ?? '') : '';
    reading.log.report(
      'reference-broken',
      'warning',
      `The request body ${reference} cannot be found; the operation is skipped.`,
      at,
    );
    throw new OperationUnusable(`the request body cannot be found: ${reference}`);
  }
  const { content } = body.node;
  // some generators write `{ "required": true }` for operations without any body, GET among them
  if (content === undefined) return undefined;
  if (!isObject(content)) {
    const message = 'The request body has no `content` that can be read; none is sent.';
    reading.log.report('body-invalid', 'warning', message, body.pointer);
    return undefined;
  }
  if (Object.keys(content).length === 0) return undefined;
  const contents = Object.keys(content).map((mediaType) => {
    const pointer = `${body.pointer}/content/${escapeToken(mediaType)}`;
    const media = mediaTypeObject(reading, content[mediaType], pointer);
    const schema =
      media?.node.schema ??
      (isObject(media?.node.itemSchema) ? { type: 'array', items: media.node.itemSchema } : {});
    return {
      mediaType,
      schema,
      pointer: `${media?.pointer ?? pointer}/schema`,
      encoding: media?.node.encoding,
      prefixEncoding: media?.node.prefixEncoding,
      itemEncoding: media?.node.itemEncoding,
    };
  });
  const { description, required } = withOwnDescription(reading, declared, body.node);
  return bodyParts(reading, { contents, required: required === true, description, pointer: body.pointer });
}

/** Chooses the media type and makes the parts: one per property of a plain object, otherwise one for the whole. */
export function bodyParts(reading: Reading, declaration: BodyDeclaration): BodyParts {
  const { content: chosen, withoutFiles } = chooseContent(reading, declaration);
  const kind = kindOf(reading, chosen);
  const contentType = sentType(reading, chosen.mediaType, kind, declaration.pointer);
  const content = kind === 'multipart' ? withNamedParts(reading, chosen) : chosen;
  const known = { reading, declaration, content, kind, contentType };
  if (kind === 'binary' || kind === 'text' || kind === 'xml')
    return { parts: [rawPart(known)], format: rawFormat(known) };
  const view = viewObject(reading.references, content.schema, content.pointer, reading.version.jsonSchema);
  if (view !== undefined) reportBytesInJson(reading, content, view);
  if (kind === 'multipart' && view === undefined && !hasParts(known)) {
    throw new OperationUnusable('its multipart body is a bare array, whose parts have no names');
  }
  if (kind === 'form' && isWithoutFields(reading, content)) {
    throw new OperationUnusable('its form body is a list or a number, whose fields have no names');
  }
  const { firstParts, otherParts } = kind === 'multipart' ? readUnnamedParts(reading, content) : {};
  const encoding =
    kind === 'form' || kind === 'multipart' ? readEncoding(reading, content, view, kind, otherParts) : {};
  if (view !== undefined && (kind === 'form' || kind === 'multipart'))
    reportJsonMembers(reading, view, encoding, kind, content.pointer);
  const format: BodyFormat = {
    contentType,
    required: declaration.required,
    ...(withoutFiles === undefined ? {} : { withoutFiles: withoutFiles.mediaType }),
    ...(Object.keys(encoding).length === 0 ? {} : { encoding }),
    ...(firstParts === undefined ? {} : { firstParts }),
    ...(otherParts === undefined ? {} : { otherParts }),
  };
  const parts =
    view === undefined || kind === 'json-lines' || kind === 'other'
      ? undefined
      : propertyParts(known, view, encoding);
  return { parts: parts ?? [wholePart(known, format)], format };
}

/** What describes bytes or one value describes each part, whose names nobody says. */
function withNamedParts(reading: Reading, content: BodyContent): BodyContent {
  const { schema } = content;
  if (acceptsAnything(schema))
    return { ...content, schema: { ...(isObject(schema) ? schema : {}), type: 'object' } };
  const type = reading.references.object(schema, content.pointer)?.node.type;
  const isOneValue = typeof type === 'string' && type !== 'object' && type !== 'array';
  return isOneValue || isBytes(reading, content)
    ? { ...content, schema: { type: 'object', additionalProperties: schema } }
    : content;
}

/** Text is a form that is written already. */
function isWithoutFields({ references }: Reading, { schema, pointer }: BodyContent): boolean {
  const type = references.object(schema, pointer)?.node.type;
  return typeof type === 'string' && ['array', 'integer', 'number', 'boolean'].includes(type);
}

/** False for a list whose parts would need names. */
function hasParts({ reading, content, contentType }: Chosen): boolean {
  const node = reading.references.object(content.schema, content.pointer)?.node;
  return node?.type !== 'array' || !/^multipart\/form-data/i.test(contentType);
}

interface Chosen {
  readonly reading: Reading;
  readonly declaration: BodyDeclaration;
  readonly content: BodyContent;
  readonly kind: MediaKind;
  readonly contentType: string;
}

function rawFormat({ declaration, content, kind, contentType }: Chosen): BodyFormat {
  const type = bareMediaType(content.mediaType);
  return {
    contentType,
    required: declaration.required,
    ...(kind === 'binary' ? { binary: true } : {}),
    ...(kind === 'binary' && type.includes('*') ? { range: type } : {}),
  };
}

/** Bytes as base64, text and XML as text. */
function rawPart(chosen: Chosen): RequestPart {
  const { reading, content, kind } = chosen;
  if (kind === 'text' && isObject(content.schema) && !isBinarySchema(content.schema)) {
    const { schema, uses } = reading.request.convert(content.schema, content.pointer);
    if (isObject(schema) && schema.type === 'string') return wholeBody(chosen, schema, uses);
  }
  if (kind === 'xml') return xmlPart(chosen);
  const schema: JsonSchema =
    kind === 'binary'
      ? { type: 'string', contentEncoding: 'base64', description: 'File content, base64' }
      : { type: 'string' };
  const part = wholeBody(chosen, schema, new Set());
  return kind === 'binary' && leavesTypeOpen(chosen)
    ? { ...part, schema: describeOpenType(part.schema) }
    : part;
}

function xmlPart(chosen: Chosen): RequestPart {
  const part = wholeBody(chosen, { type: 'string' }, new Set());
  const { reading, content } = chosen;
  return { ...part, schema: describeXml(part.schema, xmlOutline(reading, content.schema, content.pointer)) };
}

/** A range, or what stands for bytes of any type (RFC 2046 §4.5.1). */
function leavesTypeOpen({ content: { mediaType }, contentType }: Chosen): boolean {
  return mediaType.includes('*') || bareMediaType(contentType) === 'application/octet-stream';
}

function wholePart(chosen: Chosen, { encoding = {}, firstParts = [], otherParts }: BodyFormat): RequestPart {
  const { schema, uses } = chosen.reading.request.convert(chosen.content.schema, chosen.content.pointer);
  const part = wholeBody(chosen, schema, uses);
  const holdsFiles = [otherParts, ...firstParts, ...Object.values(encoding)].some((part) => part?.file);
  return holdsFiles ? { ...part, schema: describeFile(part.schema) } : part;
}

function wholeBody(chosen: Chosen, schema: Json, uses: ReadonlySet<string>): RequestPart {
  return {
    place: 'body',
    name: 'body',
    required: chosen.declaration.required,
    schema: withDescription(schema, chosen.declaration.description),
    uses,
    binding: { in: 'body', name: '', contentType: namedType(chosen) },
  };
}

/** Undefined where the body must stay one argument. */
function propertyParts(
  chosen: Chosen,
  view: ObjectView,
  encoding: Readonly<Record<string, PartEncoding>>,
): RequestPart[] | undefined {
  const { reading, declaration } = chosen;
  if (!view.flat || view.properties.size === 0) return undefined;
  const parts: RequestPart[] = [];
  for (const [name, definitions] of view.properties) {
    const visible = definitions.filter((part) => !reading.request.hides(part.schema, part.pointer));
    if (visible.length > 0) {
      const part = propertyPart(chosen, name, visible, view.required.has(name));
      const file = encoding[name]?.file;
      parts.push(file ? filePart(part, file) : part);
    }
  }
  const asked = parts.some((part) => part.required);
  if (parts.length === 0 || (!declaration.required && asked)) return undefined;
  if ([...view.required].some((name) => !view.properties.has(name))) return undefined;
  for (const { key, pointer } of view.misfits)
    reading.log.report('keyword-invalid', 'warning', invalidKeyword(key), pointer);
  return parts;
}

/** A schema that allows anything, or any text, is bytes by its encoding alone. */
function filePart(part: RequestPart, file: PartEncoding['file']): RequestPart {
  if (file === 'data-url') return { ...part, schema: describeFileOrText(part.schema) };
  const schema: JsonObject = { ...part.schema };
  if (leavesBytesOpen(schema)) {
    const items = isObject(schema.items) ? { ...schema.items } : undefined;
    describeBinary(items ?? schema, {});
    if (items !== undefined) schema.items = items;
  }
  return { ...part, schema: describeFile(schema) };
}

function propertyPart(
  chosen: Chosen,
  name: string,
  definitions: readonly PropertyPart[],
  required: boolean,
): RequestPart {
  const { reading } = chosen;
  const { schema, uses } = combined(reading, definitions);
  const first = definitions[0]!.schema;
  const internal = isObject(first) ? internalDefault(first, undefined) : undefined;
  const constant = internal ?? (required ? onlyValue(schema, reading.request) : undefined);
  return {
    place: 'body',
    name,
    required,
    schema,
    uses,
    ...(constant === undefined ? {} : { constant }),
    binding: { in: 'body', name, contentType: namedType(chosen) },
  };
}

/** As the document says it, where it names one. */
function namedType({ content: { mediaType }, contentType }: Chosen): string {
  return mediaType.includes('*') || mediaType.trim() === '' ? contentType : mediaType;
}

function combined(
  reading: Reading,
  definitions: readonly PropertyPart[],
): { schema: JsonSchema; uses: ReadonlySet<string> } {
  const nodes =
    definitions.length === 1
      ? definitions
      : [...new Map(definitions.map((part) => [part.schema, part])).values()];
  const converted = nodes.map((part) => reading.request.convert(part.schema, part.pointer));
  const only = converted[0]!;
  if (converted.length === 1) return { schema: withDescription(only.schema, undefined), uses: only.uses };
  const all: JsonObject = { allOf: converted.map((part) => part.schema) };
  return { schema: all, uses: new Set(converted.flatMap((part) => [...part.uses])) };
}
