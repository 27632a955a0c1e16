import { ZOHO_OPERATIONS } from './expectations/zoho-recruit.ts';
import type { Answer } from './loopback-service.ts';
import { type ProviderDouble, type Refusal, type ServiceCall, startProvider } from './provider-double.ts';
import { rollingWindow } from './rate-window.ts';
import { type ZohoData, type ZohoRecord, zohoData } from './zoho-recruit-data.ts';

export interface ZohoOptions {
  /** The data centre; its tokens are good nowhere else. Default `us`. */
  readonly region?: string;
  /** Default: 100 requests in 60 seconds. */
  readonly rateLimit?: { readonly requests: number; readonly windowMs: number };
}

/** The one access token of a data centre. */
export const zohoToken = (region: string): string => `1000.zoho-${region}-token`;

/** Zoho Recruit v2 in one data centre: lists in `data` with `info`, 204 for nothing, success and failure by record. */
export async function startZohoRecruit(options: ZohoOptions = {}): Promise<ProviderDouble> {
  const token = zohoToken(options.region ?? 'us');
  const { requests, windowMs } = options.rateLimit ?? { requests: 100, windowMs: 60_000 };
  const data = zohoData();
  return startProvider({
    base: '/recruit/v2',
    operations: ZOHO_OPERATIONS,
    authenticate: ({ headers }) =>
      headers.authorization === `Zoho-oauthtoken ${token}` ? { key: token } : undefined,
    refuse,
    limiter: rollingWindow(requests, windowMs),
    limitHeaders: () => ({}),
    tooMany: failure(429, 'TOO_MANY_REQUESTS', 'Too many requests.'),
    unknownQuery: 'ignore',
    listQuery: ['page', 'per_page'],
    handle: (call) => handle(call, data),
  });
}

function failure(status: number, code: string, message: string, details: object = {}): Answer {
  return { status, body: { code, message, status: 'error', details } };
}

function refuse(refusal: Refusal): Answer {
  switch (refusal.kind) {
    case 'unauthenticated':
      return failure(401, 'INVALID_TOKEN', 'The token is not valid here.');
    case 'no_route':
      return failure(404, 'INVALID_MODULE', 'There is no such module.');
    case 'member_missing':
      return failure(400, 'MANDATORY_NOT_FOUND', 'A needed member is missing.', {
        api_name: refusal.member,
      });
    default:
      return failure(400, 'INVALID_DATA', 'The request cannot be read.');
  }
}

function handle(call: ServiceCall, data: ZohoData): Answer {
  const { id, body, path } = call;
  switch (id) {
    case 'search_candidates':
    case 'search_job_openings':
    case 'search_interviews':
      return search(call, data);
    case 'update_candidate_status':
      return setStatus(recordsOf(call)[0]!, data);
    case 'associate_candidate_to_job':
      return each(recordsOf(call), call, (record) => (record['ids'] as string[])[0]!);
    case 'convert_candidate':
      return { status: 200, body: { data: [{ Contacts: path['id'], Deals: null }] } };
    case 'coql_query':
      return page(data.query(String(body!['select_query'])), 1, 200);
    case 'bulk_read':
      return {
        status: 201,
        body: {
          data: [
            { ...success('409001000000601001'), code: 'ADDED_SUCCESSFULLY', details: { state: 'ADDED' } },
          ],
        },
      };
    case 'get_bulk_read_result':
      return {
        status: 200,
        body: {
          data: [{ id: path['job_id'], state: 'COMPLETED', result: { count: 3, more_records: false } }],
        },
      };
    default:
      return moduleCall(call, data);
  }
}

/** Modules all behave alike: `/Module`, `/Module/{id}`, `/Module/{id}/Related`. */
function moduleCall(call: ServiceCall, data: ZohoData): Answer {
  const [method, template] = call.operation.route.split(' ') as [string, string];
  const [, module, , related] = template.split('/') as [string, string, string?, string?];
  if (method === 'GET' && related !== undefined) {
    return page(data.related(module, call.path['id']!, related), 1, 200);
  }
  if (method === 'GET' && call.path['id'] !== undefined) {
    const record = data.find(module, call.path['id']);
    return record === undefined ? { status: 204 } : { status: 200, body: { data: [record] } };
  }
  if (method === 'GET') return list(call, data.all(module));
  if (method === 'DELETE') {
    const ids = call.query('ids')?.split(',') ?? [];
    return { status: 200, body: { data: ids.map((id) => success(id)) } };
  }
  if (method === 'PUT') return each(recordsOf(call), call, (record) => data.update(module, record));
  const name = related ?? module;
  return each(recordsOf(call), call, (record) => data.add(name, { ...record, Parent_Id: call.path['id'] }));
}

function list(call: ServiceCall, records: readonly ZohoRecord[]): Answer {
  const perPage = Number(call.query('per_page') ?? 200);
  if (!(perPage >= 1 && perPage <= 200)) return failure(400, 'INVALID_DATA', 'per_page is at most 200.');
  const fields = call.query('fields')?.split(',');
  const chosen = fields === undefined ? records : records.map((record) => pick(record, fields));
  return page(chosen, Number(call.query('page') ?? 1), perPage);
}

function pick(record: ZohoRecord, fields: readonly string[]): ZohoRecord {
  return Object.fromEntries(
    Object.entries(record).filter(([name]) => name === 'id' || fields.includes(name)),
  );
}

function page(records: readonly ZohoRecord[], number: number, perPage: number): Answer {
  const shown = records.slice((number - 1) * perPage, number * perPage);
  if (shown.length === 0) return { status: 204 };
  const more = number * perPage < records.length;
  const info = { per_page: perPage, count: shown.length, page: number, more_records: more };
  return { status: 200, body: { data: shown, info } };
}

/** Exactly one way to search; `(Field:operator:value)` by equality or beginning. */
function search(call: ServiceCall, data: ZohoData): Answer {
  const ways = ['criteria', 'email', 'phone', 'word'].filter((name) => call.query(name) !== undefined);
  if (ways.length !== 1) return failure(400, 'INVALID_DATA', 'Give exactly one way to search.');
  const module = call.operation.route.split('/')[1]!;
  const wanted = call.query(ways[0]!)!;
  const terms = [...wanted.matchAll(/\((\w+):(equals|starts_with|contains):([^()]+)\)/g)];
  if (ways[0] === 'criteria' && terms.length === 0)
    return failure(400, 'INVALID_QUERY', 'Criteria unreadable.');
  const fits = (record: ZohoRecord) =>
    ways[0] === 'criteria'
      ? terms.every(([, field, operator, value]) => compare(record[field!], operator!, value!))
      : JSON.stringify(record).toLowerCase().includes(wanted.toLowerCase());
  return list(call, data.all(module).filter(fits));
}

function compare(value: unknown, operator: string, wanted: string): boolean {
  const text = String(value ?? '');
  if (operator === 'equals') return text === wanted;
  return operator === 'starts_with' ? text.startsWith(wanted) : text.includes(wanted);
}

const recordsOf = ({ body }: ServiceCall) => body!['data'] as ZohoRecord[];

/** One entry for each record, in order; the status says whether all, some or none went through. */
function each(
  records: readonly ZohoRecord[],
  { operation, request }: ServiceCall,
  apply: (record: ZohoRecord) => string | undefined,
): Answer {
  const entries = records.map((record) => {
    const missing = operation.required?.find((name) => record[name] === undefined || record[name] === '');
    if (missing !== undefined) return problem('MANDATORY_NOT_FOUND', 'required field not found', missing);
    const id = apply(record);
    return id === undefined ? problem('INVALID_DATA', 'the id given seems to be invalid', 'id') : success(id);
  });
  const failed = entries.filter(({ status }) => status === 'error').length;
  const done = request.method === 'POST' ? 201 : 200;
  const status = failed === 0 ? done : failed === entries.length ? 202 : 207;
  return { status, body: { data: entries } };
}

function problem(code: string, message: string, field: string) {
  return { code, status: 'error', message, details: { api_name: field } };
}

function success(id: string) {
  const by = { name: 'Recruiter', id: '409001000000087001' };
  const at = '2026-05-04T09:00:00+05:30';
  return {
    code: 'SUCCESS',
    status: 'success',
    message: 'record saved',
    details: { id, Created_Time: at, Modified_Time: at, Created_By: by, Modified_By: by },
  };
}

/** The answer is a list of lists. */
function setStatus(record: ZohoRecord, data: ZohoData): Answer {
  const ids = record['ids'] as string[];
  const entries = ids.map((id) => {
    const known = data.update('Candidates', { id, Candidate_Status: record['Candidate_Status'] });
    return known === undefined
      ? problem('INVALID_DATA', 'the id given seems to be invalid', 'ids')
      : success(id);
  });
  return { status: 200, body: { data: [entries] } };
}
