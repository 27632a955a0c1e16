import type { OutgoingRequest } from '../../egress/index.ts';
import { ToolcribError } from '../../errors.ts';
import { type BaseUrl, baseUrlOf } from '../../operations/http/base-url.ts';
import { parsePathKey } from '../../operations/http/path-key.ts';
import type {
  BodyBinding,
  Connection,
  HttpInvocation,
  JsonObject,
  Operation,
  ParameterBinding,
} from '../../operations/index.ts';
import { assertActingUser, withActingUser } from './acting-user.ts';
import { assertArgumentRules } from './argument-rules.ts';
import { assertMethodKept } from './method-override.ts';
import { expandPath, isDotSegment } from './path-template.ts';
import { decodedFully } from './percent-encoding.ts';
import { queryString } from './query-string.ts';
import { requestBody } from './request-body.ts';
import { requestHeaders } from './request-headers.ts';

/**
 * The request that an operation's bindings make of the arguments, without credentials. Pure. Throws
 * `arguments_invalid` (pointer to the argument), `configuration_invalid` (no usable base URL), `source_invalid`,
 * `acting_user_missing`.
 */
export function buildRequest(
  operation: Operation,
  args: JsonObject,
  connection: Connection,
): OutgoingRequest {
  const { invocation } = operation;
  if (invocation.kind !== 'http') {
    throw new ToolcribError('internal', `Operation ${operation.id} is no HTTP operation.`);
  }
  if (invocation.actingUser !== undefined) assertActingUser(operation, connection);
  if (invocation.rules !== undefined) assertArgumentRules(invocation.rules, args);
  assertMethodKept(operation, args);
  const base = baseUrlOf(invocation, connection);
  const places = sortBindings(invocation, connection);
  const credentials = credentialNames(invocation, connection);
  const key = parsePathKey(invocation.path);
  const template = key.path.startsWith('/') || key.path === '' ? key.path : `/${key.path}`;
  const expanded = expandPath(template, places.path, args);
  const query = queryString(
    {
      base: base.query,
      configured: configuredQuery(base, connection),
      key: key.query,
      bindings: places.query,
      path: places.path,
      fromPath: expanded.query,
      credentials: credentials.query,
      headers: places.headerNames,
    },
    args,
  );
  const path = base.path + expanded.path;
  const url = checkedUrl(base, path === '' ? '/' : path, query);
  const body = requestBody(invocation.body, places.body, args);
  const headers = requestHeaders(
    {
      invocation,
      connection,
      bindings: places.headers,
      bodyType: body?.contentType,
      bodyName: body?.filename,
      credentials: credentials.header,
      credentialCookies: credentials.cookie,
    },
    args,
  );
  const request = { method: invocation.method, url, base: base.href, headers };
  return body === undefined ? request : { ...request, body: body.data };
}

const NONE: ReadonlySet<string> = new Set();

/** Names in the query of the connection's own base URL, which wins over arguments as its headers do. */
function configuredQuery({ query }: BaseUrl, { baseUrl }: Connection): ReadonlySet<string> {
  return baseUrl === undefined || query === '' ? NONE : new Set(new URLSearchParams(query).keys());
}

interface Places {
  readonly path: Map<string, ParameterBinding>;
  readonly query: ParameterBinding[];
  readonly headers: ParameterBinding[];
  readonly headerNames: Set<string>;
  readonly body: BodyBinding[];
}

function sortBindings({ bindings }: HttpInvocation, connection: Connection): Places {
  const places: Places = { path: new Map(), query: [], headers: [], headerNames: new Set(), body: [] };
  for (const stated of bindings) {
    const binding = stated.inject === undefined ? stated : withActingUser(stated, connection);
    if (binding === undefined) continue;
    if (binding.in === 'path') places.path.set(binding.name, binding);
    else if (binding.in === 'body') places.body.push(binding);
    else if (binding.in === 'header' || binding.in === 'cookie') {
      places.headers.push(binding);
      if (binding.in === 'header') places.headerNames.add(binding.name.toLowerCase());
    } else places.query.push(binding);
  }
  return places;
}

interface CredentialNames {
  readonly header: Set<string>;
  readonly query: Set<string>;
  readonly cookie: Set<string>;
}

/** Where this operation's API keys go. */
function credentialNames({ security }: HttpInvocation, { securitySchemes }: Connection): CredentialNames {
  const names: CredentialNames = { header: new Set(), query: new Set(), cookie: new Set() };
  for (const alternative of security) {
    for (const scheme in alternative) {
      const definition = Object.hasOwn(securitySchemes, scheme) ? securitySchemes[scheme] : undefined;
      if (definition?.type !== 'apiKey') continue;
      names[definition.in].add(definition.in === 'header' ? definition.name.toLowerCase() : definition.name);
    }
  }
  return names;
}

/**
 * Defence in depth behind the encoding: a parser reads the URL back, and it must be the same host and the same
 * path, segment by segment, with nothing that a decoding server would take for a dot segment.
 */
function checkedUrl(base: BaseUrl, path: string, query: string): string {
  for (const segment of path.split('/')) {
    if (!segment.includes('.') && !segment.includes('%')) continue;
    if (isDotSegment(decodedFully(segment))) {
      throw new ToolcribError(
        'arguments_invalid',
        `The path ${path} would hold a dot segment and leave its place.`,
      );
    }
  }
  const url = `${base.origin}${path}${query === '' ? '' : `?${query}`}`;
  const read = URL.parse(url);
  if (read === null || read.origin !== base.origin || read.pathname !== path || read.hash !== '') {
    throw new ToolcribError(
      'arguments_invalid',
      `The arguments would lead outside the operation's path ${path}.`,
    );
  }
  return url;
}
