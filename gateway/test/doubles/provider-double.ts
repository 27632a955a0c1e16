import {
  type Answer,
  type LoopbackService,
  type ReceivedRequest,
  startLoopbackService,
} from './loopback-service.ts';
import type { DocumentedOperation, OperationTable } from './operation-table.ts';
import type { RateLimiter, RateVerdict } from './rate-window.ts';

/** Why a request gets no further; each provider has its own words and shapes for it. */
export type Refusal =
  | { readonly kind: 'unauthenticated' }
  | { readonly kind: 'no_route' }
  | { readonly kind: 'query'; readonly names: readonly string[] }
  | { readonly kind: 'acting_user' }
  | { readonly kind: 'body_unreadable' }
  | { readonly kind: 'member_missing'; readonly member: string };

/** A request that came through, taken apart. */
export interface ServiceCall {
  readonly id: string;
  readonly operation: DocumentedOperation;
  readonly request: ReceivedRequest;
  /** Decoded values of the placeholders. */
  readonly path: Readonly<Record<string, string>>;
  /** The JSON body; undefined without one. */
  readonly body: Record<string, unknown> | undefined;
  readonly query: (name: string) => string | undefined;
  /** Who acts, as the request or its token says. */
  readonly actingUser: string | undefined;
}

export interface Caller {
  /** Limits are counted by it. */
  readonly key: string;
  readonly actingUser?: string;
}

export interface ProviderRules {
  readonly base: string;
  readonly operations: OperationTable;
  authenticate(request: ReceivedRequest): Caller | undefined;
  refuse(refusal: Refusal): Answer;
  readonly limiter: RateLimiter;
  /** Headers of every answer, or of a refused one. */
  limitHeaders(verdict: RateVerdict): Record<string, string>;
  readonly tooMany: Answer;
  actingUserOf?(request: ReceivedRequest): string | undefined;
  /** `refuse` answers an unknown query parameter with an error, `ignore` does as if it were not there. */
  readonly unknownQuery: 'refuse' | 'ignore';
  /** Query parameters that every list takes. */
  readonly listQuery: readonly string[];
  /** An unknown route is told before anything is asked of the caller. */
  readonly routesFirst?: boolean;
  handle(call: ServiceCall): Answer;
}

interface Route {
  readonly id: string;
  readonly operation: DocumentedOperation;
  readonly method: string;
  readonly pattern: RegExp;
}

export type ProviderDouble = LoopbackService & { readonly operations: OperationTable };

/** Runs a provider's rules as a server: limit, authentication, route, parameters, acting user, body, answer. */
export async function startProvider(rules: ProviderRules): Promise<ProviderDouble> {
  const routes = Object.entries(rules.operations)
    .map(([id, operation]) => routeOf(id, operation))
    .sort((a, b) => placeholders(a) - placeholders(b));
  const service = await startLoopbackService(rules.base, (request) => answer(rules, routes, request));
  return { ...service, operations: rules.operations };
}

function answer(rules: ProviderRules, routes: readonly Route[], request: ReceivedRequest): Answer {
  if (rules.routesFirst && !routes.some((route) => leadsTo(route, request))) {
    return rules.refuse({ kind: 'no_route' });
  }
  const caller = rules.authenticate(request);
  if (caller === undefined) return rules.refuse({ kind: 'unauthenticated' });
  const verdict = rules.limiter(caller.key);
  const headers = rules.limitHeaders(verdict);
  const given = verdict.allowed ? answerCaller(rules, routes, request, caller) : rules.tooMany;
  return { ...given, headers: { ...headers, ...given.headers } };
}

function answerCaller(
  rules: ProviderRules,
  routes: readonly Route[],
  request: ReceivedRequest,
  caller: Caller,
): Answer {
  const body = readBody(request);
  if (body === 'unreadable') return rules.refuse({ kind: 'body_unreadable' });
  const route = chosen(routes, request, body);
  if (route === undefined) return rules.refuse({ kind: 'no_route' });
  const { id, operation } = route;
  const unknown = unknownQuery(rules, operation, request);
  if (unknown.length > 0 && rules.unknownQuery === 'refuse') {
    return rules.refuse({ kind: 'query', names: unknown });
  }
  const actingUser = caller.actingUser ?? rules.actingUserOf?.(request);
  if (operation.actingUser === 'required' && actingUser === undefined) {
    return rules.refuse({ kind: 'acting_user' });
  }
  const missing = missingMember(operation, body);
  if (missing !== undefined) return rules.refuse({ kind: 'member_missing', member: missing });
  const query = new Map(request.query);
  const path = route.pattern.exec(request.path)!.groups ?? {};
  return rules.handle({
    id,
    operation,
    request,
    path: Object.fromEntries(Object.entries(path).map(([name, value]) => [name, decodeURIComponent(value)])),
    body,
    query: (name) => query.get(name),
    actingUser,
  });
}

function routeOf(id: string, operation: DocumentedOperation): Route {
  const [method, template] = operation.route.split(' ') as [string, string];
  const pattern = new RegExp(`^${template.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`);
  return { id, operation, method, pattern };
}

const leadsTo = ({ method, pattern }: Route, request: ReceivedRequest) =>
  method === request.method && pattern.test(request.path);

const placeholders = ({ operation }: Route) => operation.route.split('{').length;

/** Of the operations on this method and path, the one whose needed members are there; the most demanding first. */
function chosen(
  routes: readonly Route[],
  request: ReceivedRequest,
  body: Record<string, unknown> | undefined,
): Route | undefined {
  const candidates = routes.filter((route) => leadsTo(route, request));
  const complete = candidates
    .filter(({ operation }) => missingMember(operation, body) === undefined)
    .sort((a, b) => (b.operation.required?.length ?? 0) - (a.operation.required?.length ?? 0));
  return complete[0] ?? candidates[0];
}

function unknownQuery(
  rules: ProviderRules,
  operation: DocumentedOperation,
  request: ReceivedRequest,
): string[] {
  const known = new Set([
    ...Object.keys(operation.query ?? {}),
    ...(operation.alsoAccepts ?? []),
    ...(operation.route.startsWith('GET ') ? rules.listQuery : []),
  ]);
  return request.query.map(([name]) => name).filter((name) => !known.has(name));
}

function missingMember(
  { required = [], record, file }: DocumentedOperation,
  body: Record<string, unknown> | undefined,
): string | undefined {
  if (file !== undefined) return undefined;
  if (record === undefined) return required.find((member) => !hasValue(body?.[member]));
  const records = body?.['data'];
  if (!Array.isArray(records) || records.length === 0) return 'data';
  // A record without a member fails by itself: its own entry in the answer says so.
  return undefined;
}

function hasValue(value: unknown): boolean {
  return value !== undefined && value !== '';
}

function readBody({ headers, body }: ReceivedRequest): Record<string, unknown> | undefined | 'unreadable' {
  if (body.length === 0) return undefined;
  const type = headers['content-type'] ?? '';
  if (type.startsWith('multipart/form-data')) return undefined;
  if (!/^application\/json\b/.test(type)) return 'unreadable';
  try {
    const value: unknown = JSON.parse(body.toString());
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : 'unreadable';
  } catch {
    return 'unreadable';
  }
}

/** User and password of an `Authorization: Basic` header (RFC 7617). */
export function basicCredentials({
  headers,
}: ReceivedRequest): { user: string; password: string } | undefined {
  const [, encoded] = /^Basic ([A-Za-z0-9+/]+=*)$/.exec(headers.authorization ?? '') ?? [];
  if (encoded === undefined) return undefined;
  const text = Buffer.from(encoded, 'base64').toString();
  const colon = text.indexOf(':');
  return colon < 0 ? undefined : { user: text.slice(0, colon), password: text.slice(colon + 1) };
}
