import { GREENHOUSE_V3_OPERATIONS } from './expectations/greenhouse-v3.ts';
import { type GreenhouseTokens, startGreenhouseTokens } from './greenhouse-v3-tokens.ts';
import type { Answer, LoopbackService, ReceivedRequest } from './loopback-service.ts';
import { type ProviderDouble, type Refusal, type ServiceCall, startProvider } from './provider-double.ts';
import { fixedWindow, type RateVerdict } from './rate-window.ts';

export interface GreenhouseV3Options {
  readonly clientId?: string;
  readonly clientSecret?: string;
  /** Default: 75 requests in 30 seconds, the documentation's example. */
  readonly rateLimit?: { readonly requests: number; readonly windowMs: number };
  /** Seconds that a token lives; default 3600. */
  readonly expiresIn?: number;
  /** How many records each list has; default 3. */
  readonly records?: number;
}

export interface GreenhouseV3Double extends ProviderDouble {
  readonly tokenUrl: string;
  /** The token endpoint's own record of requests. */
  readonly tokenService: LoopbackService;
  /** The user in whose name a request was made, by its token; undefined: the integration itself. */
  subjectOf(request: ReceivedRequest): string | undefined;
  /** Ends every token given out so far. */
  expireTokens(): void;
}

/** Greenhouse Harvest v3: tokens from their own endpoint, bare lists with a next link, a cursor that stands alone. */
export async function startGreenhouseV3(options: GreenhouseV3Options = {}): Promise<GreenhouseV3Double> {
  const { requests, windowMs } = options.rateLimit ?? { requests: 75, windowMs: 30_000 };
  const tokens = await startGreenhouseTokens(options);
  const lists = new Listing(options.records ?? 3);
  const double: ProviderDouble = await startProvider({
    base: '/v3',
    operations: withoutActingUser(),
    routesFirst: true,
    authenticate: (request) => callerOf(tokens, request),
    refuse,
    limiter: fixedWindow(requests, windowMs),
    limitHeaders,
    tooMany: { status: 429, body: { message: 'Rate limit exceeded' } },
    unknownQuery: 'ignore',
    listQuery: [],
    handle: (call) => handle(call, lists, () => double.url),
  });
  return {
    ...double,
    tokenUrl: `${tokens.service.url}/token`,
    tokenService: tokens.service,
    subjectOf: (request) => tokens.holder(request)?.subject,
    expireTokens: () => tokens.expireAll(),
    close: async () => {
      await Promise.all([double.close(), tokens.service.close()]);
    },
  };
}

/** A token without subject is the integration's own, which the service takes for everything. */
function withoutActingUser() {
  return Object.fromEntries(
    Object.entries(GREENHOUSE_V3_OPERATIONS).map(([id, { actingUser: _, ...operation }]) => [id, operation]),
  );
}

function callerOf(tokens: GreenhouseTokens, request: ReceivedRequest) {
  const holder = tokens.holder(request);
  if (holder === undefined) return undefined;
  return { key: holder.client, ...(holder.subject === undefined ? {} : { actingUser: holder.subject }) };
}

function refuse(refusal: Refusal): Answer {
  switch (refusal.kind) {
    case 'unauthenticated':
      return { status: 401, body: { message: 'Unauthorized' } };
    case 'no_route':
      return notFound();
    case 'member_missing':
      return invalid({ [refusal.member]: 'is missing' });
    default:
      return { status: 400, body: { message: 'Bad request', errors: [refusal.kind] } };
  }
}

const notFound = (): Answer => ({ status: 404, body: { message: 'Resource not found' } });
const invalid = (error: string | object): Answer => ({
  status: 422,
  body: { message: 'Validation error', errors: [error] },
});

function limitHeaders({ allowed, limit, remaining, resetAt, waitMs }: RateVerdict): Record<string, string> {
  return {
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': String(Math.ceil(resetAt / 1000)),
    ...(allowed ? {} : { 'retry-after': String(Math.ceil(waitMs / 1000)) }),
  };
}

/** Actions that answer without a body. */
const SILENT = /\/(?:move|reject|unreject|hire|activate|deactivate|revoke_permissions|request_approvals)$/;

function handle(call: ServiceCall, lists: Listing, base: () => string): Answer {
  const { operation, path, body = {} } = call;
  const [method, template] = operation.route.split(' ') as [string, string];
  const id = path['id'];
  if (method === 'GET' && Object.keys(path).length === 0) return lists.page(call, base());
  if (method === 'GET') return { status: 200, body: { id: Number(id) || 1, ...path } };
  if (id === '404') return notFound();
  if (method === 'DELETE' || SILENT.test(template)) return { status: 204 };
  const record = { id: Number(id ?? 9_000_000_001), ...body, updated_at: '2026-05-04T08:00:00Z' };
  return { status: method === 'PATCH' || id !== undefined ? 200 : 201, body: record };
}

const DATE_FILTER = /^(?:gte|gt|lte|lt)\|\d{4}-\d{2}-\d{2}/;
const isDateFilter = (name: string) => /_(?:at|on)$/.test(name);
const isList = (name: string) => name === 'ids' || name === 'fields' || name.endsWith('_ids');

/** Lists of made-up records, newest first. A cursor remembers its place and the page size of the first request. */
class Listing {
  readonly #total: number;
  readonly #cursors = new Map<string, { route: string; start: number; size: number }>();

  constructor(total: number) {
    this.#total = total;
  }

  page({ request, operation, query }: ServiceCall, base: string): Answer {
    const given = query('cursor');
    if (given !== undefined) {
      const place = this.#cursors.get(given);
      if (request.query.length > 1) return invalid('cursor must be the only query parameter');
      if (place === undefined || place.route !== operation.route) return invalid('cursor is not valid');
      return this.#slice(operation.route, place.start, place.size, base);
    }
    const wrong = request.query.find(([name, value]) => isWrong(name, value));
    if (wrong !== undefined) return invalid({ [wrong[0]]: 'is invalid' });
    return this.#slice(operation.route, 0, Number(query('per_page') ?? 100), base);
  }

  #slice(route: string, start: number, size: number, base: string): Answer {
    const count = Math.max(0, Math.min(size, this.#total - start));
    const records = Array.from({ length: count }, (_, index) => ({
      id: 53883394 + this.#total - start - index,
      created_at: '2026-02-03T09:00:00Z',
      updated_at: '2026-02-03T09:00:00Z',
    }));
    if (start + size >= this.#total) return { status: 200, body: records };
    const cursor = crypto.randomUUID();
    this.#cursors.set(cursor, { route, start: start + size, size });
    const link = `<${base}${route.slice('GET '.length)}?cursor=${cursor}>; rel="next"`;
    return { status: 200, headers: { link }, body: records };
  }
}

function isWrong(name: string, value: string): boolean {
  if (name === 'per_page') return !(Number(value) >= 1 && Number(value) <= 500);
  if (isDateFilter(name)) return !DATE_FILTER.test(value);
  return isList(name) && value.split(',').length > 50;
}
