import { isObject, type Json, type JsonObject, listOf, objectOf, textOf } from './json.ts';

/** A Swagger 2.0 document, as the export of a managed API gives it. */
export type SwaggerDocument = JsonObject;

/** One operation of a connector as callers of `dynamicInvoke` meet it. */
export interface ConnectorOperation {
  readonly id: string;
  /** Upper case. */
  readonly method: string;
  /** The document's path without a leading `/{connectionId}`. */
  readonly template: string;
  readonly node: JsonObject;
  /** Of the path item, then of the operation; references followed; without the one that ARM fills in. */
  readonly parameters: readonly JsonObject[];
  /** Media types of bodies, lower case without parameters; empty: nothing is said. */
  readonly consumes: readonly string[];
}

const METHODS = ['get', 'put', 'post', 'delete', 'patch', 'head', 'options'];

/** The node itself, or what its `$ref` leads to inside the document; an empty object where it leads nowhere. */
export function resolved(document: SwaggerDocument, node: unknown): JsonObject {
  let at: unknown = node;
  for (let step = 0; isObject(at) && typeof at.$ref === 'string' && step < 50; step++) {
    let target: unknown = document;
    for (const part of at.$ref.replace(/^#\//, '').split('/'))
      target = objectOf(target)[decodeURIComponent(part).replace(/~1/g, '/').replace(/~0/g, '~')];
    at = target;
  }
  return objectOf(at);
}

/** All operations of a document, hidden and old ones too. */
export function readOperations(document: SwaggerDocument): ConnectorOperation[] {
  return Object.entries(objectOf(document.paths)).flatMap(([path, item]) =>
    METHODS.filter((method) => isObject(objectOf(item)[method])).map((method) =>
      readOperation(document, path, objectOf(item), method),
    ),
  );
}

function readOperation(
  document: SwaggerDocument,
  path: string,
  item: JsonObject,
  method: string,
): ConnectorOperation {
  const node = objectOf(item[method]);
  const parameters = new Map<string, JsonObject>();
  for (const declared of [...listOf(item.parameters), ...listOf(node.parameters)]) {
    const parameter = resolved(document, declared);
    // A body has one place; its name is for readers.
    const identity = parameter.in === 'body' ? 'body' : `${textOf(parameter.in)}:${textOf(parameter.name)}`;
    if (identity !== 'path:connectionId') parameters.set(identity, parameter);
  }
  const types = node.consumes ?? document.consumes;
  return {
    id: textOf(node.operationId),
    method: method.toUpperCase(),
    template: path.replace(/^\/\{connectionId\}/, ''),
    node,
    parameters: [...parameters.values()],
    consumes: listOf(types).map((type) => textOf(type).split(';')[0]!.trim().toLowerCase()),
  };
}

/** A schema with its references followed and `allOf` merged: the members that a value is checked by. */
export function schemaView(document: SwaggerDocument, schema: unknown): JsonObject {
  const { allOf, ...own } = resolved(document, schema);
  let view: JsonObject = own;
  for (const part of listOf(allOf)) {
    const other = schemaView(document, part);
    view = {
      ...other,
      ...view,
      properties: { ...objectOf(other.properties), ...objectOf(view.properties) },
      required: [...new Set([...listOf(other.required), ...listOf(view.required)])],
    };
  }
  return view;
}

/** `object`, `array`, …; guessed where the document says nothing; empty: anything goes. */
export function typeOf(schema: JsonObject): string {
  if (typeof schema.type === 'string') return schema.type;
  if (Array.isArray(schema.type)) return textOf(schema.type.find((one) => one !== 'null'));
  if (isObject(schema.properties)) return 'object';
  return schema.items === undefined ? '' : 'array';
}

/** The values that a parameter or schema allows: `enum`, else `x-ms-enum-values`; undefined: any. */
export function allowedValues(node: JsonObject): readonly Json[] | undefined {
  if (Array.isArray(node.enum) && node.enum.length > 0) return node.enum;
  const named = listOf(node['x-ms-enum-values']).map((one) => objectOf(one).value);
  return named.length > 0 ? named.filter((one) => one !== undefined) : undefined;
}

/** Bytes on the wire: a file, or text of the formats `binary` and `byte`. */
export const isBytes = (node: JsonObject): boolean =>
  node.type === 'file' || (node.format === 'binary' && (node.type ?? 'string') === 'string');

/** What is hidden from people and sent with its default: undefined where there is none. */
export function internalDefault(node: JsonObject): Json | undefined {
  const visibility = node['x-ms-visibility'] ?? node['x-ms-visibilty'];
  return visibility === 'internal' && node.default !== null ? node.default : undefined;
}
