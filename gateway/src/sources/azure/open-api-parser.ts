import { isObject, type Json, type JsonObject, type JsonSchema } from '../../operations/index.ts';
import type { ListedOperation } from '../openapi/path-items.ts';
import { declaredParameters } from '../openapi/requests/declared-parameters.ts';
import { isBinarySchema } from '../openapi/schemas/binary.ts';
import { viewObject } from '../openapi/schemas/object-view.ts';
import type { ConnectorDocument } from './connector-document.ts';
import { openConnectorDocument } from './connector-document.ts';
import type { ApiAnnotation } from './filters.ts';
import { annotationOf, operationIdOf, visibilityOf } from './marks.ts';
import { textOf } from './texts.ts';

/** One operation of a connector's Swagger, as plain facts. */
export interface ParsedOperation {
  readonly operationId: string;
  /** Lower case. */
  readonly method: string;
  /** As the document says it, with `/{connectionId}`. */
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly deprecated: boolean;
  /** `important`, `advanced`, `internal`, or `none` where nothing is said. */
  readonly visibility: string;
  readonly isTrigger: boolean;
  readonly apiAnnotation?: ApiAnnotation;
  /** Path, query, header and form parameters; those of the path item count, references are resolved. */
  readonly parameters: readonly ParsedParameter[];
  readonly requestBody?: ParsedRequestBody;
  /** JSON Schema of the first 2xx answer. */
  readonly responseSchema?: JsonSchema;
}

export interface ParsedParameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header' | 'formData';
  readonly type: string;
  readonly format?: string;
  readonly required: boolean;
  readonly description: string;
  readonly visibility: string;
  readonly default?: Json;
  readonly enum?: readonly Json[];
  /** JSON Schema of an array's items. */
  readonly items?: JsonSchema;
  readonly dynamicValues?: {
    readonly operationId: string;
    readonly valueCollection: string;
    readonly valuePath: string;
    readonly valueTitle: string;
    readonly parameters?: JsonObject;
  };
}

export interface ParsedRequestBody {
  readonly required: boolean;
  /** JSON Schema with `$defs`. */
  readonly schema: JsonSchema;
  readonly requiredFields: readonly string[];
  /** Empty where the body is no plain object: it is then one value, `schema` says which. */
  readonly properties: Readonly<Record<string, ParsedBodyProperty>>;
  /** The whole body is bytes. */
  readonly binary?: true;
}

export interface ParsedBodyProperty {
  readonly name: string;
  readonly type: string;
  readonly format?: string;
  readonly description: string;
  readonly required: boolean;
  readonly visibility: string;
  readonly enum?: readonly Json[];
  readonly default?: Json;
  /** The whole schema, nested objects and items included, with `$defs`. */
  readonly schema: JsonSchema;
}

const METHODS: ReadonlySet<string> = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);

/**
 * Every operation of a connector's Swagger, in the document's order, before any filter. The document is copied, not
 * changed. Throws `source_invalid` for what has no paths.
 */
export function parseOpenApiSpec(swagger: unknown, apiName: string): ParsedOperation[] {
  const document = openConnectorDocument(structuredClone(swagger), { api: apiName, location: apiName });
  return document.operations
    .filter(({ method }) => METHODS.has(method))
    .map((listed) => parsedOperation(document, listed));
}

function parsedOperation(document: ConnectorDocument, listed: ListedOperation): ParsedOperation {
  const { node } = listed.operation;
  const declared = declaredParameters(document.reading, listed.pathItem, listed.operation);
  const annotation = annotationOf(node);
  const response = responseSchema(document, listed);
  return {
    operationId: operationIdOf(node) ?? '',
    method: listed.method.toLowerCase(),
    path: listed.path,
    summary: typeof node.summary === 'string' ? node.summary : '',
    description: typeof node.description === 'string' ? node.description : '',
    deprecated: node.deprecated === true,
    visibility: visibilityOf(node),
    isTrigger: Boolean(node['x-ms-trigger']),
    ...(annotation === undefined ? {} : { apiAnnotation: annotation }),
    parameters: [...declared.beside, ...declared.form].map(({ node: one, pointer }) =>
      parameterOf(document, one, pointer),
    ),
    ...(declared.body === undefined
      ? {}
      : { requestBody: bodyOf(document, declared.body.node, declared.body.pointer) }),
    ...(response === undefined ? {} : { responseSchema: response }),
  };
}

function parameterOf(document: ConnectorDocument, node: JsonObject, pointer: string): ParsedParameter {
  const dynamicValues = dynamicValuesOf(node['x-ms-dynamic-values']);
  const file = isBinarySchema(node);
  return {
    name: String(node.name),
    in: node.in as ParsedParameter['in'],
    type: typeof node.type === 'string' && !file ? node.type : 'string',
    ...(file ? { format: 'binary' } : typeof node.format === 'string' ? { format: node.format } : {}),
    required: node.required === true || node.in === 'path',
    description: textOf(node),
    visibility: visibilityOf(node),
    ...(node.default === undefined ? {} : { default: node.default }),
    ...(Array.isArray(node.enum) ? { enum: node.enum } : {}),
    ...(isObject(node.items) ? { items: standalone(document, node.items, `${pointer}/items`) } : {}),
    ...(dynamicValues === undefined ? {} : { dynamicValues }),
  };
}

function dynamicValuesOf(said: unknown): ParsedParameter['dynamicValues'] {
  if (!isObject(said) || typeof said.operationId !== 'string') return undefined;
  const text = (name: string): string => (typeof said[name] === 'string' ? said[name] : '');
  return {
    operationId: said.operationId,
    valueCollection: text('value-collection'),
    valuePath: text('value-path'),
    valueTitle: text('value-title'),
    ...(isObject(said.parameters) ? { parameters: said.parameters } : {}),
  };
}

function bodyOf(document: ConnectorDocument, node: JsonObject, pointer: string): ParsedRequestBody {
  const { references } = document.reading;
  const at = `${pointer}/schema`;
  const declared = node.schema ?? {};
  const view = viewObject(references, declared, at, false);
  const properties: Record<string, ParsedBodyProperty> = {};
  const flat = view?.flat === true ? view.properties : [];
  for (const [name, [part]] of flat) {
    const target = references.object(part!.schema, part!.pointer)?.node;
    if (!isObject(part!.schema) || target === undefined || target.readOnly === true) continue;
    const own = { ...target, ...part!.schema };
    properties[name] = {
      name,
      type:
        typeof target.type === 'string' ? target.type : target.properties === undefined ? 'string' : 'object',
      ...(typeof target.format === 'string' ? { format: target.format } : {}),
      description: textOf(own),
      required: view!.required.has(name),
      visibility: visibilityOf(own),
      ...(Array.isArray(target.enum) ? { enum: target.enum } : {}),
      ...(target.default === undefined ? {} : { default: target.default }),
      schema: standalone(document, part!.schema, part!.pointer),
    };
  }
  const binary = isBinarySchema(references.object(declared, at)?.node);
  return {
    required: node.required === true,
    schema: standalone(document, declared, at),
    requiredFields: [...(view?.required ?? [])],
    properties,
    ...(binary ? { binary: true } : {}),
  };
}

function responseSchema(
  { reading }: ConnectorDocument,
  { operation }: ListedOperation,
): JsonSchema | undefined {
  const { responses } = operation.node;
  if (!isObject(responses)) return undefined;
  const code =
    Object.keys(responses)
      .filter((one) => /^2\d\d$/.test(one))
      .sort()[0] ?? 'default';
  const at = `${operation.pointer}/responses/${code}`;
  const response = reading.references.object(responses[code], at);
  if (response === undefined || !isObject(response.node.schema)) return undefined;
  const { schema, uses } = reading.response.convert(response.node.schema, `${response.pointer}/schema`);
  return withDefinitions(schema, reading.response.definitions(uses));
}

/** A schema with everything that it refers to. */
function standalone({ reading }: ConnectorDocument, schema: unknown, pointer: string): JsonSchema {
  const { schema: converted, uses } = reading.request.convert(schema, pointer);
  return withDefinitions(converted, reading.request.definitions(uses));
}

function withDefinitions(schema: Json, definitions: JsonObject | undefined): JsonSchema {
  const own = isObject(schema) ? schema : {};
  return definitions === undefined ? own : { ...own, $defs: definitions };
}
