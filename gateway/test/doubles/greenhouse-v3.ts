import { GREENHOUSE_V3_OPERATIONS } from './expectations/greenhouse-v3.ts';
import { type HarvestData, type HarvestRecord, harvestData } from './greenhouse-v3-data.ts';
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
  const lists = new Listing(harvestData(options.records ?? 3));
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
  const collection = template.split('/')[1]!;
  const { data } = lists;
  const given = Object.values(path)[0];
  if (given === undefined) {
    return method === 'GET' ? lists.page(call, base()) : { status: 201, body: data.add(collection, body) };
  }
  if (collection === 'bulk_requests')
    return { status: 200, body: { bulk_action_uuid: given, status: 'completed' } };
  const record = data.find(collection, given);
  if (record === undefined) return notFound();
  if (method === 'GET') return { status: 200, body: record };
  if (method === 'DELETE') {
    data.remove(collection, given);
    return { status: 204 };
  }
  data.update(record, body);
  return SILENT.test(template) ? { status: 204 } : { status: 200, body: record };
}

const DATE_FILTER = /^(?:gte|gt|lte|lt)\|\d{4}-\d{2}-\d{2}/;
const isDateFilter = (name: string) => /_(?:at|on)$/.test(name);
const isList = (name: string) => name === 'ids' || name === 'fields' || name.endsWith('_ids');

/** Lists, newest first. A cursor remembers its place, and the filters and page size of the first request. */
class Listing {
  readonly data: HarvestData;
  readonly #cursors = new Map<string, { route: string; start: number; query: Map<string, string> }>();

  constructor(data: HarvestData) {
    this.data = data;
  }

  page({ request, operation, query }: ServiceCall, base: string): Answer {
    const { route } = operation;
    const given = query('cursor');
    if (given !== undefined) {
      const place = this.#cursors.get(given);
      if (request.query.length > 1) return invalid('cursor must be the only query parameter');
      if (place === undefined || place.route !== route) return invalid('cursor is not valid');
      return this.#slice(route, place.query, place.start, base);
    }
    const wrong = request.query.find(([name, value]) => isWrong(name, value));
    if (wrong !== undefined) return invalid({ [wrong[0]]: 'is invalid' });
    return this.#slice(route, new Map(request.query), 0, base);
  }

  #slice(route: string, query: Map<string, string>, start: number, base: string): Answer {
    const { per_page = '100', fields, ...filters } = Object.fromEntries(query);
    const path = route.slice('GET '.length);
    const all = this.data.list(path.slice(1), new Map(Object.entries(filters)));
    const end = start + Number(per_page);
    const body = all.slice(start, end).map((record) => chosen(record, fields));
    if (end >= all.length) return { status: 200, body };
    const cursor = crypto.randomUUID();
    this.#cursors.set(cursor, { route, start: end, query });
    return { status: 200, headers: { link: `<${base}${path}?cursor=${cursor}>; rel="next"` }, body };
  }
}

function chosen(record: HarvestRecord, fields: string | undefined): HarvestRecord {
  if (fields === undefined) return record;
  return Object.fromEntries(Object.entries(record).filter(([name]) => fields.split(',').includes(name)));
}

function isWrong(name: string, value: string): boolean {
  if (name === 'per_page') return !(Number(value) >= 1 && Number(value) <= 500);
  if (isDateFilter(name)) return !DATE_FILTER.test(value);
  return isList(name) && value.split(',').length > 50;
}
