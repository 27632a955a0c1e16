import { LEVER_OPERATIONS } from './expectations/lever.ts';
import { type LeverData, type LeverRecord, leverData } from './lever-data.ts';
import type { Answer, ReceivedRequest } from './loopback-service.ts';
import {
  basicCredentials,
  type Caller,
  type ProviderDouble,
  type Refusal,
  type ServiceCall,
  startProvider,
} from './provider-double.ts';
import { tokenBucket } from './rate-window.ts';

export interface LeverOptions {
  /** OAuth access token; default `lever-access-token`. */
  readonly accessToken?: string;
  /** API key, the user name of Basic; default `lever-key`. */
  readonly apiKey?: string;
  /** Default: 10 a second, 20 at once. */
  readonly rateLimit?: { readonly requests: number; readonly windowMs: number; readonly burst: number };
  /** Lever user ids that `perform_as` may name; default 8d49b010-cc6a-4f40-ace5-e86061c677ed only. */
  readonly users?: readonly string[];
}

/** Lever's Data API v1: `{data}` around everything, offsets taken from `next`, perform_as on writes. */
export async function startLever(options: LeverOptions = {}): Promise<ProviderDouble> {
  const { accessToken = 'lever-access-token', apiKey = 'lever-key' } = options;
  const { users = ['8d49b010-cc6a-4f40-ace5-e86061c677ed'] } = options;
  const { requests, windowMs, burst } = options.rateLimit ?? { requests: 10, windowMs: 1000, burst: 20 };
  const data = leverData();
  return startProvider({
    base: '/v1',
    operations: withPerformAs(),
    authenticate: (request) => callerOf(request, accessToken, apiKey),
    actingUserOf: ({ query }) => {
      const user = query.find(([name]) => name === 'perform_as')?.[1];
      return user !== undefined && users.includes(user) ? user : undefined;
    },
    refuse,
    limiter: tokenBucket(requests, windowMs, burst),
    limitHeaders: () => ({}),
    tooMany: failure(429, 'TooManyRequestsError', 'Too many requests.'),
    unknownQuery: 'refuse',
    listQuery: ['limit', 'offset', 'include', 'expand'],
    handle: (call) => handle(call, data),
  });
}

function withPerformAs() {
  return Object.fromEntries(
    Object.entries(LEVER_OPERATIONS).map(([id, operation]) => [
      id,
      operation.actingUser === undefined
        ? operation
        : { ...operation, alsoAccepts: [...(operation.alsoAccepts ?? []), 'perform_as'] },
    ]),
  );
}

function callerOf(request: ReceivedRequest, accessToken: string, apiKey: string): Caller | undefined {
  if (request.headers.authorization === `Bearer ${accessToken}`) return { key: accessToken };
  const basic = basicCredentials(request);
  return basic?.user === apiKey && basic.password === '' ? { key: apiKey } : undefined;
}

function failure(status: number, code: string, message: string): Answer {
  return { status, body: { code, message } };
}

function refuse(refusal: Refusal): Answer {
  switch (refusal.kind) {
    case 'unauthenticated':
      return failure(401, 'Unauthorized', 'The credentials are not valid.');
    case 'no_route':
      return notFound();
    case 'query':
      return failure(400, 'BadRequestError', `Unknown parameters: ${refusal.names.join(', ')}`);
    case 'acting_user':
      return failure(400, 'BadRequestError', 'perform_as must name a user.');
    case 'member_missing':
      return failure(400, 'BadRequestError', `Missing: ${refusal.member}`);
    default:
      return failure(400, 'BadRequestError', 'The body cannot be read.');
  }
}

const notFound = () => failure(404, 'ResourceNotFound', 'There is no such resource.');

function handle(call: ServiceCall, data: LeverData): Answer {
  const { operation, path, id } = call;
  const [method, template] = operation.route.split(' ') as [string, string];
  const owner = path['opportunity'];
  if (owner !== undefined && data.find('opportunities', owner) === undefined) return notFound();
  if (id.startsWith('download_')) {
    return {
      status: 200,
      headers: { 'content-type': 'application/pdf', 'content-disposition': 'attachment; filename="cv.pdf"' },
      body: Buffer.from('%PDF-1.4 harbour\n'),
    };
  }
  const segments = template.split('/').slice(1);
  const last = segments.at(-1)!;
  const item = /^\{(\w+)\}$/.exec(last);
  if (method === 'GET') {
    if (item === null) return last === 'apply' ? applyForm(path['posting']!) : list(call, data, last);
    const collection = segments.at(-2)!;
    const record = data.find(collection, path[item[1]!]!);
    return record === undefined ? notFound() : { status: 200, body: { data: record } };
  }
  return write(call, data, segments);
}

function applyForm(posting: string): Answer {
  const fields = [{ type: 'text', text: 'Full name', required: true, name: 'fullName' }];
  return { status: 200, body: { data: { id: posting, personalInformation: fields, customQuestions: [] } } };
}

/** Offsets are opaque: base64url of the position. */
function list(call: ServiceCall, data: LeverData, collection: string): Answer {
  const limit = Number(call.query('limit') ?? 100);
  if (!(limit >= 1 && limit <= 100)) return failure(400, 'BadRequestError', 'limit is 1 to 100.');
  const start = position(call.query('offset'));
  if (start === undefined) return failure(400, 'BadRequestError', 'offset is not one of ours.');
  const all = data.all(collection).filter((record) => passes(record, call));
  const next = Buffer.from(JSON.stringify({ at: start + limit })).toString('base64url');
  const hasNext = start + limit < all.length;
  const shown = all.slice(start, start + limit);
  return { status: 200, body: { data: shown, hasNext, ...(hasNext ? { next } : {}) } };
}

/** By address, person, tag and stage; other filters let everything through. */
function passes(record: LeverRecord, { request, operation }: ServiceCall): boolean {
  if (operation.route !== 'GET /opportunities') return true;
  const wanted = (name: string) => request.query.flatMap(([key, value]) => (key === name ? [value] : []));
  const among = (name: string, values: readonly unknown[]) => {
    const any = wanted(name);
    return any.length === 0 || any.some((value) => values.includes(value));
  };
  return (
    among('email', record['emails'] as string[]) &&
    among('tag', record['tags'] as string[]) &&
    among('contact_id', [record['contact']]) &&
    among('stage_id', [record['stage']])
  );
}

function position(offset: string | undefined): number | undefined {
  if (offset === undefined) return 0;
  try {
    const { at } = JSON.parse(Buffer.from(offset, 'base64url').toString());
    return typeof at === 'number' ? at : undefined;
  } catch {
    return undefined;
  }
}

function write(call: ServiceCall, data: LeverData, segments: readonly string[]): Answer {
  const { operation, path, body = {}, actingUser } = call;
  const method = operation.route.split(' ')[0];
  const last = segments.at(-1)!;
  const item = /^\{(\w+)\}$/.exec(last)?.[1];
  if (method === 'DELETE') {
    return data.remove(segments.at(-2)!, path[item!]!) ? { status: 204 } : notFound();
  }
  if (segments.length === 3 && method !== 'GET' && isChange(last)) {
    const record = data.find('opportunities', path['opportunity']!)!;
    return { status: 200, body: { data: change(record, last, body) } };
  }
  if (item !== undefined) {
    const contact = data.find(segments.at(-2)!, path[item]!);
    return contact === undefined
      ? notFound()
      : { status: 200, body: { data: data.updateContact(contact, body) } };
  }
  if (last === 'opportunities') return { status: 201, body: { data: createOpportunity(data, body) } };
  return { status: 201, body: { data: data.add(last, { ...body, createdBy: actingUser ?? null }) } };
}

function createOpportunity(data: LeverData, body: LeverRecord): LeverRecord {
  const contact = body['contact'] ?? data.contactFor(body)['id'];
  const lists = { emails: [], phones: [], links: [], tags: [], sources: [] };
  return data.add('opportunities', { stage: 'lead-new', archived: null, ...lists, ...body, contact });
}

const isChange = (name: string) =>
  name === 'stage' || name === 'archived' || name.startsWith('add') || name.startsWith('remove');

function change(record: LeverRecord, name: string, body: LeverRecord): LeverRecord {
  if (name === 'stage') return Object.assign(record, { stage: body['stage'] });
  if (name === 'archived') {
    return Object.assign(record, { archived: body['reason'] === null ? null : { ...body } });
  }
  const [, verb, noun] = /^(add|remove)(\w+)$/.exec(name)!;
  const member = noun!.toLowerCase();
  const given = body[member] as string[];
  const present = (record[member] as string[]).filter((value) => !given.includes(value));
  return Object.assign(record, { [member]: verb === 'add' ? [...present, ...given] : present });
}
