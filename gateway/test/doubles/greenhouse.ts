import { GREENHOUSE_OPERATIONS } from './expectations/greenhouse.ts';
import { type GreenhouseData, greenhouseData } from './greenhouse-data.ts';
import type { Answer, ReceivedRequest } from './loopback-service.ts';
import {
  basicCredentials,
  type ProviderDouble,
  type Refusal,
  type ServiceCall,
  startProvider,
} from './provider-double.ts';
import { type RateVerdict, rollingWindow } from './rate-window.ts';

export interface GreenhouseOptions {
  /** The Harvest API key; default `greenhouse-key`. */
  readonly token?: string;
  /** Default: 50 requests in 10 seconds, as documented. */
  readonly rateLimit?: { readonly requests: number; readonly windowMs: number };
  /** Greenhouse user ids that may act; default 158104 only. */
  readonly users?: readonly string[];
}

/** Greenhouse Harvest v1: bare objects and arrays, pages with a Link header, On-Behalf-Of on every write. */
export async function startGreenhouse(options: GreenhouseOptions = {}): Promise<ProviderDouble> {
  const { token = 'greenhouse-key', users = ['158104'] } = options;
  const { requests, windowMs } = options.rateLimit ?? { requests: 50, windowMs: 10_000 };
  const data = greenhouseData();
  const double: ProviderDouble = await startProvider({
    base: '/v1',
    operations: GREENHOUSE_OPERATIONS,
    authenticate: (request) => {
      const credentials = basicCredentials(request);
      return credentials?.user === token && credentials.password === '' ? { key: token } : undefined;
    },
    actingUserOf: ({ headers }: ReceivedRequest) => {
      const user = headers['on-behalf-of'];
      return typeof user === 'string' && users.includes(user) ? user : undefined;
    },
    refuse,
    limiter: rollingWindow(requests, windowMs),
    limitHeaders,
    tooMany: { status: 429, body: { message: 'Too many requests.' } },
    unknownQuery: 'ignore',
    listQuery: ['page', 'per_page', 'skip_count'],
    handle: (call) => handle(call, data, () => double.url),
  });
  return double;
}

function refuse(refusal: Refusal): Answer {
  switch (refusal.kind) {
    case 'unauthenticated':
      return { status: 401, body: { message: 'Invalid Basic Auth credentials' } };
    case 'no_route':
      return notFound();
    case 'acting_user':
      return failure(403, 'On-Behalf-Of must name an active user.', 'On-Behalf-Of');
    case 'member_missing':
      return failure(422, 'Validation error', refusal.member);
    default:
      return failure(400, 'Invalid request', 'body');
  }
}

const notFound = (): Answer => ({ status: 404, body: { message: 'Resource not found' } });

function failure(status: number, message: string, field: string): Answer {
  return { status, body: { message, errors: [{ message: `Missing or invalid: ${field}`, field }] } };
}

function limitHeaders({ allowed, limit, remaining, resetAt, waitMs }: RateVerdict): Record<string, string> {
  return {
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': String(Math.ceil(resetAt / 1000)),
    ...(allowed ? {} : { 'retry-after': String(Math.ceil(waitMs / 1000)) }),
  };
}

function handle(call: ServiceCall, data: GreenhouseData, base: () => string): Answer {
  const [method, template] = call.operation.route.split(' ') as [string, string];
  const segments = template.split('/').filter((segment) => segment !== '');
  if (method === 'GET' && segments.length === 1) return list(call, data, segments[0]!, base());
  if (method === 'GET' && segments.length === 2) return found(data.find(segments[0]!, call.path['id']!));
  if (method === 'GET') return jobPart(call, data, segments[2]!);
  return change(call, data, segments);
}

function found(record: object | undefined): Answer {
  return record === undefined ? notFound() : { status: 200, body: record };
}

function list(call: ServiceCall, data: GreenhouseData, collection: string, base: string): Answer {
  const perPage = Number(call.query('per_page') ?? 100);
  const page = Number(call.query('page') ?? 1);
  if (!(perPage >= 1 && perPage <= 500 && page >= 1)) return failure(422, 'Invalid paging', 'per_page');
  const all = data.list(collection, call.query);
  const last = Math.max(1, Math.ceil(all.length / perPage));
  const link = (rel: string, to: number) =>
    `<${base}/${collection}?page=${to}&per_page=${perPage}>; rel="${rel}"`;
  const links = [
    ...(page < last ? [link('next', page + 1)] : []),
    ...(page > 1 ? [link('prev', page - 1)] : []),
    ...(call.query('skip_count') === 'true' ? [] : [link('last', last)]),
  ];
  return {
    status: 200,
    headers: links.length === 0 ? {} : { link: links.join(',') },
    body: all.slice((page - 1) * perPage, page * perPage),
  };
}

function jobPart(call: ServiceCall, data: GreenhouseData, part: string): Answer {
  const job = data.find('jobs', call.path['id']!);
  if (job === undefined) return notFound();
  return { status: 200, body: part === 'stages' ? data.stages(job) : job['hiring_team'] };
}

/** Writes change the data, so that a later read shows them. */
function change({ id, path, body = {} }: ServiceCall, data: GreenhouseData, segments: string[]): Answer {
  const collection = segments[0]!;
  const own = Object.values(path)[0];
  if (id === 'create_candidate') return { status: 201, body: data.add('candidates', body) };
  const record = data.find(collection, own!);
  if (record === undefined) return notFound();
  switch (id) {
    case 'update_candidate':
    case 'update_scheduled_interview':
      return { status: 200, body: Object.assign(record, body) };
    case 'delete_candidate':
    case 'delete_scheduled_interview':
      data.remove(collection, own!);
      return { status: 200, body: { message: 'Removed.' } };
    case 'anonymize_candidate':
      return { status: 200, body: Object.assign(record, { first_name: '(anonymized)', last_name: '' }) };
    case 'create_application':
      return { status: 201, body: data.add('applications', { candidate_id: record['id'], ...body }) };
    case 'create_scheduled_interview':
      return {
        status: 201,
        body: data.add('scheduled_interviews', { application_id: record['id'], ...body }),
      };
    case 'add_candidate_note':
      return { status: 201, body: data.add('notes', body) };
    default:
      return moveApplication(id, record, body);
  }
}

const STATUS: Readonly<Record<string, string>> = {
  reject_application: 'rejected',
  unreject_application: 'active',
  hire_application: 'hired',
};

function moveApplication(id: string, application: Record<string, unknown>, body: object): Answer {
  const status = STATUS[id] ?? application['status'];
  return { status: 200, body: Object.assign(application, { status, last_change: body }) };
}
