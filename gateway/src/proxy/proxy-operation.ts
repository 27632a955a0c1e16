import { percentDecoded } from '../operations/http/percent-decoded.ts';
import type {
  Access,
  Binding,
  BodyFormat,
  HttpInvocation,
  Json,
  JsonObject,
  Operation,
} from '../operations/index.ts';
import type { HttpOperation, ProxyRequest, RawTemplate } from './proxy-types.ts';
import type { ReadPath } from './request-path.ts';

/** An operation with the arguments that make it send exactly this request. */
export interface PreparedProxyCall {
  readonly operation: Operation;
  readonly arguments: JsonObject;
}

/** Callers' headers that may go on: they describe the caller's wish, not who it is or what is sent. */
const FORWARDED: ReadonlySet<string> = new Set([
  ...['if-match', 'if-none-match', 'if-modified-since', 'if-unmodified-since'],
  ...['accept-language', 'idempotency-key', 'prefer'],
]);

/** Arguments are checked by the executor; the proxy sends what the caller wrote, not what a schema names. */
const ANY_INPUT = Object.freeze({ type: 'object' });
/** An output schema keeps the whole answer as a value, however long it is. */
const ANY_OUTPUT = Object.freeze({});

/**
 * A matched operation, reduced to this one request. Its id, access, requirements, limits, security and what the
 * gateway injects stay; the literal parts of the path are the operation's own.
 */
export function matchedCall(
  operation: HttpOperation,
  access: Access,
  values: Readonly<Record<string, string>>,
  request: ProxyRequest,
  path: ReadPath,
): PreparedProxyCall {
  const { invocation } = operation;
  const declared = invocation.bindings.filter(
    ({ in: place, arg }) => place === 'header' && arg !== undefined,
  );
  const parts = requestParts(request, path, new Set(declared.map(({ name }) => name.toLowerCase())));
  const placeholders = Object.entries(values).map(([name, value]) => part('path', name, value));
  const written = new Set(parts.map(({ binding }) => keyOf(binding)));
  const kept = invocation.bindings.filter(
    (binding) => binding.arg === undefined && binding.in !== 'body' && !written.has(keyOf(binding)),
  );
  return prepared({ ...operation, access }, invocation, [...placeholders, ...parts], kept, request);
}

/**
 * A request that no operation describes. Its method and path stand in the description: what a person agrees to from now
 * on is bound to the operation as it is, and all such requests of a source would else be one.
 */
export function rawCall(
  source: string,
  access: Access,
  template: RawTemplate,
  request: ProxyRequest,
  path: ReadPath,
): PreparedProxyCall {
  const segments = pathParts(path.sent.map(percentDecoded));
  const operation: Operation = {
    id: `raw ${request.method}`,
    source,
    description: `A request that no operation of the source describes: ${request.method} /${path.sent.join('/')}.`,
    input: ANY_INPUT,
    access,
    tags: [],
    safety: {
      network: true,
      file: false,
      destructive: access === 'delete',
      idempotent: access === 'read',
      openWorld: true,
    },
    invocation: {
      kind: 'http',
      method: request.method,
      path: `/${segments.map(({ binding }) => `{${binding.name}}`).join('/')}`,
      servers: template.servers,
      bindings: [],
      accept: ['application/json'],
      security: template.security,
    },
  };
  const parts = [...segments, ...requestParts(request, path, new Set())];
  return prepared(operation, operation.invocation as HttpInvocation, parts, [], request);
}

/** Stands for a request that is refused: the router records it, and nothing could carry it out. */
export function refusedCall(source: string, request: ProxyRequest, meant?: string): PreparedProxyCall {
  const operation: Operation = {
    id: meant ?? `raw ${request.method}`,
    source,
    description: 'A request that was refused.',
    input: ANY_INPUT,
    access: 'dangerous',
    tags: [],
    safety: { network: false, file: false, destructive: false, idempotent: true, openWorld: false },
    invocation: { kind: 'function', function: 'refused' },
  };
  return { operation: Object.freeze(operation), arguments: {} };
}

interface Part {
  readonly binding: Binding;
  readonly value: Json;
}

/**
 * The path as one argument, which a person who is asked can read. Where a slash stands within a segment, each is one of
 * its own: in one text that slash would read, and go out, as the end of the segment.
 */
function pathParts(segments: readonly string[]): Part[] {
  if (segments.length === 0 || segments.some((segment) => segment.includes('/'))) {
    return segments.map((segment, index) => part('path', `s${index}`, segment));
  }
  const binding: Binding = { in: 'path', name: 'path', arg: 'path', encoding: 'slashes' };
  return [{ binding, value: segments.join('/') }];
}

function requestParts(request: ProxyRequest, path: ReadPath, declared: ReadonlySet<string>): Part[] {
  // a map: names of a caller may be those of every object's members
  const query = new Map<string, Json>(Object.entries(request.query ?? {}));
  for (const [name, value] of path.query) query.set(name, joined(query.get(name), value));
  const headers = Object.entries(request.headers ?? {}).filter(
    ([name]) => FORWARDED.has(name.toLowerCase()) || declared.has(name.toLowerCase()),
  );
  return [
    ...[...query].map(([name, value]) => part('query', name, value)),
    ...headers.map(([name, value]) => part('header', name, value)),
  ];
}

function prepared(
  operation: Operation,
  invocation: HttpInvocation,
  parts: readonly Part[],
  kept: readonly Binding[],
  request: ProxyRequest,
): PreparedProxyCall {
  const body = bodyOf(request, invocation.body);
  const all = body === undefined ? parts : [...parts, body.part];
  // rules speak of the tool's arguments, which a request does not have: what it lacks, the provider says
  const { body: _body, wrapsResult: _wraps, rules: _rules, ...others } = invocation;
  const call: Operation = Object.freeze({
    ...operation,
    input: ANY_INPUT,
    output: ANY_OUTPUT,
    invocation: Object.freeze({
      ...others,
      bindings: [...kept, ...all.map(({ binding }) => binding)],
      ...(body === undefined ? {} : { body: body.format }),
      wrapsResult: true,
    }),
  });
  return {
    operation: call,
    arguments: Object.fromEntries(all.map(({ binding, value }) => [binding.arg!, value])),
  };
}

/** The body as it is; its media type is the operation's. */
function bodyOf(
  { body }: ProxyRequest,
  declared: BodyFormat | undefined,
): { part: Part; format: BodyFormat } | undefined {
  if (body === undefined || body === null) return undefined;
  const { wrapInData: _wrap, ...format } = declared ?? { contentType: 'application/json', required: true };
  return {
    part: {
      binding: { in: 'body', name: '', arg: 'body', contentType: format.contentType },
      value: body,
    },
    format: { ...format, required: true },
  };
}

function part(place: 'path' | 'query' | 'header', name: string, value: Json): Part {
  return { binding: { in: place, name, arg: `${place} ${name}` }, value };
}

function keyOf({ in: place, name }: Binding): string {
  return `${place} ${place === 'header' ? name.toLowerCase() : name}`;
}

function joined(before: Json | undefined, value: string): Json {
  if (before === undefined) return value;
  return Array.isArray(before) ? [...before, value] : [before, value];
}
