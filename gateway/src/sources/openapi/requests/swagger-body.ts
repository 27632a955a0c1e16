import { isObject, type JsonObject, type PartEncoding } from '../../../operations/index.ts';
import { mediaKindOf, mediaRank } from '../media-types.ts';
import type { Place } from '../place.ts';
import type { Reading } from '../reading.ts';
import { meansBytes } from '../schemas/binary.ts';
import { describeFile, withDescription } from '../schemas/descriptions.ts';
import type { RequestPart } from './argument.ts';
import { type BodyParts, bodyParts } from './body.ts';
import { sentType } from './body-content.ts';
import { internalDefault, onlyValue } from './constants.ts';
import type { DeclaredParameters } from './declared-parameters.ts';
import { swaggerFieldEncoding } from './swagger-arrays.ts';

/** Swagger 2.0: a `body` parameter, or form fields, written as `consumes` says. */
export function swaggerBody(
  reading: Reading,
  operation: Place,
  declared: DeclaredParameters,
): BodyParts | undefined {
  const consumes = mediaTypes(operation.node.consumes) ?? mediaTypes(reading.root.consumes) ?? [];
  if (declared.form.length > 0) {
    if (declared.body !== undefined) {
      const message =
        'The form fields are sent; a body beside them has no place in a request and is left out.';
      reading.log.report('body-unused', 'warning', message, declared.body.pointer);
    }
    return formBody(reading, declared.form, consumes);
  }
  if (declared.body === undefined) return undefined;
  const { node, pointer } = declared.body;
  const types = consumes.length > 0 ? consumes : ['application/json'];
  const schema = bodySchema(reading, node.schema ?? {}, `${pointer}/schema`, types);
  return bodyParts(reading, {
    contents: types.map((mediaType) => ({ mediaType, schema, pointer: `${pointer}/schema` })),
    required: node.required === true,
    description: node.description,
    pointer,
  });
}

/**
 * A body that is one text, of an operation that takes JSON and a type of bytes (`application/x-tar`), is the bytes: nothing
 * else could go by that type, which stands mostly for the whole document. As JSON the text would arrive in quotes.
 */
function bodySchema(reading: Reading, schema: unknown, pointer: string, types: readonly string[]): unknown {
  const kinds = new Set(types.map(mediaKindOf));
  if (!kinds.has('json') || !kinds.has('binary')) return schema;
  const node = reading.references.object(schema, pointer)?.node;
  const isPlainText = node?.type === 'string' && node.format === undefined && node.enum === undefined;
  return isPlainText ? { ...node, format: 'binary' } : schema;
}

/** `consumes` and `produces`: a list, leniently also one text. Undefined where nothing is said. */
export function mediaTypes(value: unknown): string[] | undefined {
  const list = typeof value === 'string' ? [value] : value;
  return Array.isArray(list)
    ? list.filter((type) => typeof type === 'string' && type.includes('/'))
    : undefined;
}

function formBody(reading: Reading, fields: readonly Place[], consumes: readonly string[]): BodyParts {
  const isFile = ({ node, pointer }: Place) => meansBytes(reading.references, node, pointer, true);
  const files = fields.some(isFile);
  const usable = consumes
    .filter(
      (type) => ['form', 'multipart'].includes(mediaKindOf(type)) && !(files && mediaKindOf(type) === 'form'),
    )
    .toSorted(
      (a, b) => mediaRank(a, reading.options.contentTypes) - mediaRank(b, reading.options.contentTypes),
    );
  const usual = files ? 'multipart/form-data' : 'application/x-www-form-urlencoded';
  const stated = usable[0] ?? usual;
  const contentType = sentType(reading, stated, mediaKindOf(stated), fields[0]!.pointer);
  const encoding: Record<string, PartEncoding> = {};
  const parts: RequestPart[] = [];
  for (const field of fields) {
    const file = isFile(field);
    const part = fieldPart(reading, field, stated);
    parts.push(file ? { ...part, schema: describeFile(part.schema) } : part);
    if (file) encoding[part.name] = { file: true };
    else if (field.node.type === 'array') encoding[part.name] = swaggerFieldEncoding(reading, field);
  }
  const required = parts.some((part) => part.required);
  return {
    parts,
    format: { contentType, required, ...(Object.keys(encoding).length === 0 ? {} : { encoding }) },
  };
}

function fieldPart(reading: Reading, { node, pointer }: Place, contentType: string): RequestPart {
  const name = String(node.name);
  const schema = fieldSchema(node);
  const converted = reading.request.convert(schema, pointer);
  const required = node.required === true;
  const constant =
    internalDefault(node, undefined) ??
    (required && isObject(converted.schema) ? onlyValue(converted.schema, reading.request) : undefined);
  return {
    place: 'body',
    name,
    required,
    schema: withDescription(converted.schema, node.description ?? node['x-ms-summary']),
    uses: converted.uses,
    ...(constant === undefined ? {} : { constant }),
    binding: { in: 'body', name, contentType },
  };
}

function fieldSchema(node: JsonObject): JsonObject {
  const { required: _required, schema, ...own } = node;
  return isObject(schema) && own.type === undefined ? schema : own;
}
