import {
  type Binding,
  type BodyFormat,
  isObject,
  type Json,
  type JsonObject,
  type JsonSchema,
} from '../../operations/index.ts';
import { assignArgumentNames } from '../../operations/invocation/arguments.ts';
import { schemaOfSample } from './sample-schema.ts';

const JSON_BODY = 'application/json';
const NO_SLASH = '^[^/]+$';
/** Whoever says one of these of a text says whether it holds a slash. */
const SAID = ['pattern', 'enum', 'const'];
const NEVER_TEXT: ReadonlySet<Json | undefined> = new Set(['integer', 'number', 'boolean', 'null']);
const WITH_BODY: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);
/** Keywords beside which single properties do not tell the whole of a schema. */
const WHOLE = [
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'if',
  'patternProperties',
  'propertyNames',
  'dependentSchemas',
].concat([
  'dependentRequired',
  'minProperties',
  'maxProperties',
  'unevaluatedProperties',
  'enum',
  'const',
  '$ref',
]);

export interface InputFacts {
  readonly method: string;
  /** Names of the path's parameters. */
  readonly parameters: readonly string[];
  /** Declared by an annotation. */
  readonly input: JsonSchema | undefined;
  /** Input properties that go into the query although there is a body. */
  readonly query: readonly string[];
  /** A pinned item of the Webhook node: `{ headers, params, query, body }`. */
  readonly sample: JsonObject | undefined;
}

export interface WebhookInput {
  readonly input: JsonSchema;
  readonly bindings: readonly Binding[];
  readonly body?: BodyFormat;
}

/** One argument on its way into the request. */
interface Part {
  readonly place: 'path' | 'query' | 'body';
  /** The name on the wire; '' for the whole body. */
  readonly name: string;
  /** The argument's name, where it is not the wire's. */
  readonly argument?: string;
  readonly schema: JsonSchema;
  readonly required: boolean;
}

/**
 * The arguments of a tool. A declared object becomes one argument a property; what is open, or no plain object, is one
 * argument `body` or `query`.
 */
export function webhookInput(facts: InputFacts): WebhookInput {
  const declared = declaredProperties(facts.input);
  const rest = facts.input === undefined ? openParts(facts) : declaredParts(facts, facts.input, declared);
  const parts: Part[] = [...pathParts(facts.parameters, declared), ...rest];
  const names = assignArgumentNames(
    parts.map(({ place, name, argument }) => ({ place, name: argument ?? name })),
  );
  const body = parts.filter(({ place }) => place === 'body');
  const required = names.filter((_, index) => parts[index]!.required);
  const definitions = facts.input?.['$defs'];
  return {
    input: {
      type: 'object',
      properties: Object.fromEntries(names.map((name, index) => [name, parts[index]!.schema])),
      ...(required.length === 0 ? {} : { required }),
      additionalProperties: false,
      ...(definitions === undefined ? {} : { $defs: definitions }),
    },
    bindings: parts.map((part, index) => bindingOf(part, names[index]!)),
    ...(body.length === 0
      ? {}
      : { body: { contentType: JSON_BODY, required: body.some((part) => part.required) } }),
  };
}

/** n8n decodes the path before it looks for segments: a slash in a value would lead elsewhere. */
function pathParts(parameters: readonly string[], declared: JsonObject | undefined): Part[] {
  return parameters.map((name) => {
    const stated = declared !== undefined && Object.hasOwn(declared, name) ? declared[name] : undefined;
    const schema = isObject(stated) ? stated : { type: 'string' };
    const guarded = !NEVER_TEXT.has(schema['type']) && SAID.every((keyword) => schema[keyword] === undefined);
    return {
      place: 'path',
      name,
      schema: guarded ? { ...schema, pattern: NO_SLASH } : schema,
      required: true,
    };
  });
}

function declaredParts(
  { method, parameters, query }: InputFacts,
  input: JsonSchema,
  properties: JsonObject | undefined,
): Part[] {
  const place = WITH_BODY.has(method) ? 'body' : 'query';
  const { $defs: _definitions, $schema: _dialect, ...whole } = input;
  if (properties === undefined) return [wholePart(place, whole, true)];
  const required = Array.isArray(input['required']) ? input['required'] : [];
  return Object.entries(properties)
    .filter(([name]) => !parameters.includes(name))
    .map(([name, schema]) => ({
      place: query.includes(name) ? 'query' : place,
      name,
      schema: isObject(schema) ? schema : {},
      required: required.includes(name),
    }));
}

/** Nothing is declared: an open object, whose known members come from the sample. */
function openParts({ method, sample }: InputFacts): Part[] {
  const parts: Part[] = [];
  const query = isObject(sample?.['query']) ? sample['query'] : {};
  if (WITH_BODY.has(method)) {
    const body = sample?.['body'];
    const schema: JsonSchema = body === undefined ? { type: 'object' } : schemaOfSample(body);
    parts.push(
      wholePart('body', { description: 'The JSON body that the workflow receives.', ...schema }, false),
    );
  }
  if (!WITH_BODY.has(method) || Object.keys(query).length > 0) {
    const description = 'The query that the workflow receives; every value arrives as text.';
    parts.push(wholePart('query', { description, ...schemaOfSample(query) }, false));
  }
  return parts;
}

function wholePart(place: 'body' | 'query', schema: JsonSchema, required: boolean): Part {
  return { place, name: place === 'body' ? '' : place, argument: place, schema, required };
}

/** The properties of a plain closed object; undefined where single arguments could not say the same. */
function declaredProperties(schema: JsonSchema | undefined): JsonObject | undefined {
  if (schema === undefined || WHOLE.some((keyword) => Object.hasOwn(schema, keyword))) return undefined;
  const { type, properties, additionalProperties } = schema;
  if (type !== undefined && type !== 'object') return undefined;
  if (additionalProperties !== undefined && additionalProperties !== false) return undefined;
  return isObject(properties) ? properties : undefined;
}

/** n8n reads its query as `qs` does: `a[]` is a list, also of one value, which a repeated name is not; `a[b]` an object. */
function bindingOf({ place, name, argument, schema }: Part, arg: string): Binding {
  if (place === 'body') return { arg, in: 'body', name, contentType: JSON_BODY };
  if (place === 'path') return { arg, in: 'path', name };
  const kind = argument === undefined ? schema['type'] : undefined;
  if (kind === 'array') return { arg, in: 'query', name: `${name}[]`, style: 'form', explode: true };
  return { arg, in: 'query', name, style: kind === 'object' ? 'deepObject' : 'form', explode: true };
}
