import type { Json, JsonObject } from '../json.ts';

// Short ways to write the nodes that every operation of a connector has.

export const CONNECTION_ID: JsonObject = {
  name: 'connectionId',
  in: 'path',
  required: true,
  type: 'string',
  'x-ms-visibility': 'internal',
};

/** A parameter beside the body; text unless `more` says otherwise. */
export const parameter = (place: string, name: string, more: JsonObject = {}): JsonObject => ({
  name,
  in: place,
  required: place === 'path',
  type: 'string',
  ...more,
});

export const inPath = (name: string, more: JsonObject = {}): JsonObject => parameter('path', name, more);

export const inQuery = (name: string, more: JsonObject = {}): JsonObject => parameter('query', name, more);

/** A path value that must be percent-encoded twice. */
export const twice = (name: string, more: JsonObject = {}): JsonObject =>
  inPath(name, { 'x-ms-url-encoding': 'double', ...more });

export const body = (schema: JsonObject, more: JsonObject = {}): JsonObject => ({
  name: 'body',
  in: 'body',
  required: true,
  schema,
  ...more,
});

export const ref = (definition: string): JsonObject => ({ $ref: `#/definitions/${definition}` });

export const text = (summary: string, more: JsonObject = {}): JsonObject => ({
  type: 'string',
  'x-ms-summary': summary,
  ...more,
});

export const object = (
  properties: JsonObject,
  required: readonly string[] = [],
  more: JsonObject = {},
): JsonObject => ({
  type: 'object',
  properties,
  ...(required.length === 0 ? {} : { required }),
  ...more,
});

export const list = (items: JsonObject): JsonObject => ({ type: 'array', items });

/** `{ value: [ … ] }`, as OData services answer. */
export const rows = (items: JsonObject): JsonObject => object({ value: list(items) });

/** Responses: one 200 with a schema, or none. */
export const ok = (schema?: JsonObject): JsonObject => ({
  '200': { description: 'OK', ...(schema === undefined ? {} : { schema }) },
  default: { description: 'Operation failed.' },
});

/** An operation below `/{connectionId}`: the connection's own parameter is added. */
export const operation = (
  operationId: string,
  summary: string,
  parameters: readonly Json[],
  more: JsonObject = {},
): JsonObject => ({
  operationId,
  summary,
  description: `${summary}.`,
  consumes: [],
  produces: ['application/json'],
  parameters: [CONNECTION_ID, ...parameters],
  responses: ok(),
  ...more,
});

export const family = (name: string, revision: number, more: JsonObject = {}): JsonObject => ({
  'x-ms-api-annotation': { status: 'Production', family: name, revision, ...more },
});

export const INTERNAL: JsonObject = { 'x-ms-visibility': 'internal' };

/** A Swagger document as the export of a managed API gives it. */
export const connectorDocument = (
  name: string,
  title: string,
  description: string,
  parts: JsonObject,
): JsonObject => ({
  swagger: '2.0',
  info: { version: '1.0', title, description, 'x-ms-api-annotation': { status: 'Production' } },
  host: 'logic-apis-westus.azure-apim.net',
  basePath: `/apim/${name}`,
  schemes: ['https'],
  ...parts,
});
