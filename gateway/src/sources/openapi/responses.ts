import {
  escapeToken,
  isObject,
  type Json,
  type JsonObject,
  type JsonSchema,
} from '../../operations/index.ts';
import { mediaTypeObject } from './media-type-object.ts';
import { mediaKindOf, mediaRank } from './media-types.ts';
import type { Place } from './place.ts';
import type { Reading, ResponseOutput } from './reading.ts';
import { mediaTypes } from './requests/swagger-body.ts';
import { MAX_PARTS_DEPTH } from './schemas/all-of.ts';
import { meansBytes } from './schemas/binary.ts';
import { viewObject } from './schemas/object-view.ts';

export interface ResponseReading extends ResponseOutput {
  /** Media types of success, JSON first. */
  readonly accept: readonly string[];
  /** The responses of success themselves. */
  readonly responses: readonly Place[];
}

interface Success {
  readonly mediaType: string;
  readonly schema: unknown;
  readonly pointer: string;
}

/** What success looks like: 2xx responses, or `default` where there is none. */
export function readResponses(reading: Reading, operation: Place): ResponseReading {
  const responses = successes(reading, operation);
  const found = responses.flatMap((response) => contentsOf(reading, operation, response));
  const accept = [...new Set(found.map((success) => success.mediaType))].sort(
    (a, b) => mediaRank(a, []) - mediaRank(b, []),
  );
  const kinds = new Set(accept.map(mediaKindOf));
  const json = found.filter(
    ({ mediaType, schema, pointer }) =>
      schema !== undefined &&
      schema !== null &&
      mediaKindOf(mediaType) === (kinds.has('json') ? 'json' : 'json-lines') &&
      // a file, whatever type the document gives it
      !meansBytes(reading.references, schema, pointer, false) &&
      !(isBareString(schema) && successCodes(operation.node.responses).length === 0),
  );
  return { accept, responses, ...outputOf(reading, distinct(json)) };
}

function successes(reading: Reading, operation: Place): Place[] {
  const { responses } = operation.node;
  const pointer = `${operation.pointer}/responses`;
  if (!isObject(responses)) {
    if (responses !== undefined)
      reading.log.report(
        'responses-invalid',
        'warning',
        '`responses` must be an object; it is left out.',
        pointer,
      );
    return [];
  }
  const codes = successCodes(responses);
  const chosen = codes.length > 0 ? codes : Object.keys(responses).filter((code) => code === 'default');
  return chosen.flatMap((code) => {
    const found = responseAt(reading, responses[code], `${pointer}/${code}`);
    return found === undefined ? [] : [found];
  });
}

function successCodes(responses: Json | undefined): string[] {
  const codes = isObject(responses) ? Object.keys(responses) : [];
  return codes.filter((code) => /^2(?:\d\d|XX)$/i.test(code)).sort();
}

/** What hapi-swagger writes of every answer that nobody described: as `default` it promises nothing. */
function isBareString(schema: unknown): boolean {
  return isObject(schema) && schema.type === 'string' && Object.keys(schema).length === 1;
}

function responseAt(reading: Reading, declared: Json | undefined, at: string): Place | undefined {
  const response = reading.references.object(declared, at);
  if (response === undefined && declared !== null) {
    const message = 'The response cannot be found; its shape is unknown.';
    reading.log.report('reference-broken', 'info', message, at);
  }
  return response;
}

function contentsOf(reading: Reading, operation: Place, response: Place): Success[] {
  const { node, pointer } = response;
  if (reading.version.swagger) return swaggerContents(reading, operation, response);
  // Not allowed by the specification, but met: the whole map by reference.
  const content = reading.references.object(node.content, `${pointer}/content`);
  return Object.entries(content?.node ?? {}).flatMap(([mediaType, entry]) => {
    if (!mediaType.includes('/')) return [];
    const at = `${content!.pointer}/${escapeToken(mediaType)}`;
    const media = mediaTypeObject(reading, entry, at);
    const pointer = media?.pointer ?? at;
    if (mediaKindOf(mediaType) === 'json-lines')
      return [{ mediaType, ...recordsOf(reading, media?.node, pointer) }];
    return [{ mediaType, schema: media?.node.schema, pointer: `${pointer}/schema` }];
  });
}

/** OpenAPI 3.2 "Sequential Media Types": records are a list. What older documents say there may mean one of them. */
function recordsOf(
  reading: Reading,
  { schema, itemSchema }: JsonObject = {},
  pointer: string,
): Pick<Success, 'schema' | 'pointer'> {
  const whole = reading.references.object(schema, `${pointer}/schema`)?.node;
  if (reading.version.queryMethod && whole?.type === 'array') return { schema, pointer: `${pointer}/schema` };
  const items = isObject(itemSchema) ? { type: 'array', items: itemSchema } : undefined;
  return { schema: items, pointer: `${pointer}/itemSchema` };
}

function swaggerContents(reading: Reading, operation: Place, { node, pointer }: Place): Success[] {
  const produces = mediaTypes(operation.node.produces) ?? mediaTypes(reading.root.produces) ?? [];
  const types = produces.length > 0 || node.schema === undefined ? produces : ['application/json'];
  const isFile = isObject(node.schema) && node.schema.type === 'file';
  return types.map((mediaType) => ({
    mediaType,
    schema: isFile ? undefined : node.schema,
    pointer: `${pointer}/schema`,
  }));
}

/** Schemas that are the same reference or the same node count once. */
function distinct(found: readonly Success[]): readonly Success[] {
  if (found.length < 2) return found;
  const byIdentity = new Map<unknown, Success>();
  for (const success of found) {
    const { schema } = success;
    const identity = isObject(schema) && typeof schema.$ref === 'string' ? schema.$ref : schema;
    if (!byIdentity.has(identity)) byIdentity.set(identity, success);
  }
  return [...byIdentity.values()];
}

/** Object schemas are published as they are, everything else inside `{ "result": … }`; what says nothing is not published. */
function outputOf(reading: Reading, found: readonly Success[]): ResponseOutput {
  const first = found[0];
  if (first === undefined) return { wrapsResult: false };
  if (found.length > 1 || !isBareReference(first.schema)) return freshOutput(reading, found, first);
  const { $ref } = first.schema;
  const known = reading.outputs.get($ref) ?? freshOutput(reading, found, first);
  reading.outputs.set($ref, known);
  return known;
}

function isBareReference(schema: unknown): schema is { readonly $ref: string } {
  return isObject(schema) && typeof schema.$ref === 'string' && Object.keys(schema).length === 1;
}

function freshOutput(reading: Reading, found: readonly Success[], first: Success): ResponseOutput {
  if (found.length === 1 && isPlainObject(reading, first))
    return { wrapsResult: false, ...objectOutput(reading, first) };
  const converted = found.map((success) => reading.response.convert(success.schema, success.pointer));
  if (converted.every(({ schema }) => saysNothing(schema))) return { wrapsResult: false };
  const uses = new Set(converted.flatMap((part) => [...part.uses]));
  const result =
    converted.length === 1 ? converted[0]!.schema : { anyOf: converted.map((part) => part.schema) };
  const definitions = reading.response.definitions(uses);
  const output: JsonSchema = {
    type: 'object',
    properties: { result },
    required: ['result'],
    ...(definitions === undefined ? {} : { $defs: definitions }),
  };
  return { wrapsResult: true, output };
}

function saysNothing(schema: Json): boolean {
  if (!isObject(schema)) return true;
  return Object.keys(schema).every(
    (key) =>
      ['description', 'title', 'format', 'default'].includes(key) ||
      (key === 'type' && schema.type === 'object'),
  );
}

/** An object without a choice at its root. */
function isPlainObject(reading: Reading, { schema, pointer }: Success): boolean {
  const node = reading.references.object(schema, pointer)?.node;
  if (node === undefined || node.nullable === true || node['x-nullable'] === true) return false;
  const view = viewObject(reading.references, schema, pointer, reading.version.jsonSchema);
  if (view === undefined || hasUnion(reading, schema, pointer)) return false;
  if (Array.isArray(node.type)) return node.type.length === 1 && node.type[0] === 'object';
  return node.type === 'object' || view.properties.size > 0 || isObject(node.additionalProperties);
}

function hasUnion(
  reading: Reading,
  schema: unknown,
  pointer: string,
  depth = 0,
  seen = new Set<object>(),
): boolean {
  if (depth > MAX_PARTS_DEPTH) return true;
  const node = reading.references.object(schema, pointer)?.node;
  if (node === undefined || seen.has(node)) return false;
  seen.add(node);
  const { oneOf, anyOf, allOf } = node;
  if ((Array.isArray(oneOf) && oneOf.length > 0) || (Array.isArray(anyOf) && anyOf.length > 0)) return true;
  return Array.isArray(allOf) && allOf.some((part) => hasUnion(reading, part, pointer, depth + 1, seen));
}

/** The root is spelled out: an output schema's root must say `type: object` itself. */
function objectOutput(reading: Reading, { schema, pointer }: Success): { output?: JsonSchema } {
  let { schema: converted, uses } = reading.response.convert(schema, pointer);
  for (let hops = 0; isObject(converted) && typeof converted.$ref === 'string' && hops < 50; hops++) {
    const definition = reading.response.definition(converted.$ref.slice('#/$defs/'.length));
    if (definition === undefined) break;
    const { $ref: _reference, ...beside } = converted;
    uses = new Set([...definition.uses, ...usesBeside(beside, uses, definition.name)]);
    converted = isObject(definition.schema) ? joined(definition.schema, beside) : definition.schema;
  }
  if (!isObject(converted) || saysNothing(converted)) return {};
  const definitions = reading.response.definitions(uses);
  return {
    output: { ...converted, type: 'object', ...(definitions === undefined ? {} : { $defs: definitions }) },
  };
}

/** Keywords beside a reference are rare: what they use is kept, the reference's own name only if they do. */
function usesBeside(beside: JsonObject, uses: ReadonlySet<string>, name: string): Iterable<string> {
  return Object.keys(beside).every((key) => typeof beside[key] !== 'object')
    ? [...uses].filter((use) => use !== name)
    : uses;
}

function joined(target: JsonObject, beside: JsonObject): JsonObject {
  const clash = Object.keys(beside).some((key) => key !== 'description' && key !== 'title' && key in target);
  return clash ? { allOf: [target, beside] } : { ...target, ...beside };
}
