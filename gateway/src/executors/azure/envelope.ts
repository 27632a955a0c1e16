import { ToolcribError } from '../../errors.ts';
import {
  type AzureInvocation,
  type BodyBinding,
  type Json,
  type JsonObject,
  type Operation,
  type ParameterBinding,
  withFixedValues,
} from '../../operations/index.ts';
import { isFormType, mediaTypeOf } from '../../results/media-type.ts';
import { assertArgumentRules } from '../http/argument-rules.ts';
import { cookieHeader } from '../http/cookie-header.ts';
import { boundHeader } from '../http/request-headers.ts';
import { type ConnectorBody, connectorBody } from './body.ts';
import { connectorPath } from './path.ts';
import { connectorQueries } from './queries.ts';

/** The request that `dynamicInvoke` carries out at the connector. */
export interface ConnectorRequest {
  readonly method: string;
  /** Without the connection's own prefix, percent-encoded. */
  readonly path: string;
  readonly queries?: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Json;
}

const JSON_TYPE = 'application/json';
const NONE: ReadonlySet<string> = new Set();
/** They speak of the envelope's request, not of ours to Azure. */
const OF_THE_CONNECTOR: ReadonlySet<string> = new Set(['accept', 'content-type']);

/** The body of a `dynamicInvoke`; members in one order, so that the same call is the same bytes. */
export function envelopeOf({ method, path, queries, headers, body }: ConnectorRequest): Json {
  const request: JsonObject = { method, path };
  if (queries !== undefined) request['queries'] = { ...queries };
  request['headers'] = { ...headers };
  if (body !== undefined) request['body'] = body;
  return { request };
}

/**
 * What an operation's bindings make of the arguments. Pure. Throws `arguments_invalid` (pointer to the argument) and
 * `source_invalid` where the document fixed a value that cannot be sent.
 */
export function connectorRequest(operation: Operation, given: JsonObject): ConnectorRequest {
  const invocation = azureOf(operation);
  const args = withFixedValues(given, invocation.fixed);
  if (invocation.rules !== undefined) assertArgumentRules(invocation.rules, args);
  const places = sortBindings(invocation);
  const { path, query } = connectorPath(invocation, places.path, args);
  const queries = connectorQueries(places.query, query, args);
  const bound = boundHeaders(places.headers, args);
  const declared = bound.find(([name]) => name.toLowerCase() === 'content-type')?.[1];
  const body = connectorBody(invocation.body, places.body, args, declared);
  const headers: Record<string, string> = { 'Content-Type': contentTypeOf(declared, body) };
  for (const [name, value] of bound) if (name.toLowerCase() !== 'content-type') headers[name] = value;
  return {
    method: invocation.method.toUpperCase(),
    path,
    ...(Object.keys(queries).length === 0 ? {} : { queries }),
    headers,
    ...(body === undefined ? {} : { body: body.value }),
  };
}

/** Throws `internal` for operations of another kind. */
export function azureOf({ id, invocation }: Operation): AzureInvocation {
  if (invocation.kind === 'azure') return invocation;
  throw new ToolcribError('internal', `Operation ${id} belongs to no managed connector.`);
}

interface Places {
  readonly path: Map<string, ParameterBinding>;
  readonly query: ParameterBinding[];
  readonly headers: ParameterBinding[];
  readonly body: BodyBinding[];
}

function sortBindings({ bindings }: AzureInvocation): Places {
  const places: Places = { path: new Map(), query: [], headers: [], body: [] };
  for (const binding of bindings) {
    if (binding.in === 'path') places.path.set(binding.name, binding);
    else if (binding.in === 'body') places.body.push(binding);
    else if (binding.in === 'header' || binding.in === 'cookie') places.headers.push(binding);
    else places.query.push(binding);
  }
  return places;
}

function boundHeaders(
  bindings: readonly ParameterBinding[],
  args: JsonObject,
): Array<readonly [name: string, value: string]> {
  const headers: Array<readonly [string, string]> = [];
  for (const binding of bindings) {
    if (binding.in === 'cookie') continue;
    const header = boundHeader(binding, args, NONE, NONE, OF_THE_CONNECTOR);
    if (header !== undefined) headers.push([header[0], header[1].trim()]);
  }
  const cookies = bindings.filter((binding) => binding.in === 'cookie');
  const cookie = cookieHeader(undefined, cookies, args, NONE);
  if (cookie !== '') headers.push(['Cookie', cookie]);
  return headers;
}

/** What a parameter declares counts, but for forms, whose text only their own type explains; JSON and nothing are JSON. */
function contentTypeOf(declared: string | undefined, body: ConnectorBody | undefined): string {
  if (body === undefined) return declared ?? JSON_TYPE;
  const type = mediaTypeOf(body.contentType);
  const form = isFormType(type) || type.startsWith('multipart/');
  if (declared !== undefined && (!form || mediaTypeOf(declared) === type)) return declared;
  return type === JSON_TYPE || type.includes('*') ? JSON_TYPE : body.contentType;
}
