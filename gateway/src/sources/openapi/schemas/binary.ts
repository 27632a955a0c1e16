import { isObject, type JsonObject } from '../../../operations/index.ts';

/**
 * True for a string schema whose value is bytes on the wire: Swagger 2.0 `type: file`, OpenAPI 3.0
 * `format: binary`, OpenAPI 3.1 `contentMediaType` without `contentEncoding` (§4.8.14.4).
 * `format: byte` and `contentEncoding: base64` are text on the wire and stay text.
 */
export function isBinarySchema(schema: unknown): boolean {
  if (!isObject(schema)) return false;
  if (schema.type === 'file') return true;
  const { type } = schema;
  const isString =
    type === undefined || type === 'string' || (Array.isArray(type) && type.includes('string'));
  if (!isString || schema.contentEncoding !== undefined) return false;
  return schema.format === 'binary' || hasBinaryMediaType(schema);
}

function hasBinaryMediaType({ contentMediaType }: JsonObject): boolean {
  return typeof contentMediaType === 'string' && !/^text\/|json|xml|yaml/i.test(contentMediaType);
}
