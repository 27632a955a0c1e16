import type { Answer, ReceivedRequest } from '../loopback-service.ts';
import { badRequest, json } from './answers.ts';
import type { Row } from './rows.ts';

type Condition = Readonly<Record<string, unknown>>;

interface PageRequest {
  readonly sortBy?: readonly { readonly column: string; readonly order: string }[] | null;
  readonly limit?: number | null;
  readonly after?: number;
  readonly where?: Condition | null;
}

const MEMBERS = ['sortBy', 'limit', 'after', 'where'];

/**
 * A list as the service answers it. `pagination` is ONE parameter that holds JSON; its members as parameters of
 * their own (form-exploded) are refused. Without it: every row, bare where `optional`, else as one page.
 */
export function listAnswer(rows: readonly Row[], request: ReceivedRequest, optional: boolean): Answer {
  const exploded = request.query.find(([name]) =>
    MEMBERS.includes(name.replace(/^pagination\[(.+)\]$/, '$1')),
  );
  if (exploded !== undefined) {
    return badRequest(`Unknown query parameter ${exploded[0]}: pagination is one JSON value`);
  }
  const texts = request.query.filter(([name]) => name === 'pagination').map(([, value]) => value);
  if (texts.length > 1) return badRequest('pagination was sent more than once');
  const page = texts[0] === undefined ? undefined : parsePage(texts[0]);
  if (typeof page === 'string') return badRequest(page);
  if (page === undefined) {
    return json(200, optional ? rows : { data: rows, total: rows.length, after: 0, limit: null });
  }
  const found = sorted(
    rows.filter((row) => matches(row, page.where)),
    page,
  );
  const after = page.after ?? 0;
  const data = found.slice(after, page.limit == null ? undefined : after + page.limit);
  return json(200, { data, total: found.length, after, limit: page.limit ?? null });
}

function parsePage(text: string): PageRequest | string {
  let page: unknown;
  try {
    page = JSON.parse(text);
  } catch {
    return 'pagination is not JSON';
  }
  if (page === null || typeof page !== 'object' || Array.isArray(page)) return 'pagination is not an object';
  const { limit, after } = page as PageRequest;
  if (limit != null && !(Number.isInteger(limit) && limit >= 0)) return 'pagination.limit is not a number';
  if (after !== undefined && !(Number.isInteger(after) && after >= 0))
    return 'pagination.after is not a number';
  return page as PageRequest;
}

function sorted(rows: readonly Row[], { sortBy }: PageRequest): readonly Row[] {
  const [first] = sortBy ?? [];
  if (first === undefined) return rows;
  const sign = /^desc/i.test(first.order) ? -1 : 1;
  return [...rows].sort((a, b) => sign * compare(a[first.column], b[first.column]));
}

function matches(row: Row, where: Condition | null | undefined): boolean {
  if (where == null) return true;
  return Object.entries(where).every(([key, value]) => {
    if (value === null) return true;
    if (key === '_and') return (value as Condition[]).every((part) => matches(row, part));
    if (key === '_or') return (value as Condition[]).some((part) => matches(row, part));
    if (key === '_not') return !matches(row, value as Condition);
    if (key === '_search') {
      return JSON.stringify(row).toLowerCase().includes(String(value).toLowerCase());
    }
    return fieldMatches(row[key], value as Condition);
  });
}

function fieldMatches(actual: unknown, condition: Condition): boolean {
  const text = actual == null ? '' : typeof actual === 'object' ? JSON.stringify(actual) : String(actual);
  return Object.entries(condition).every(([operator, value]) => {
    if (value == null) return true;
    const wanted = String(value);
    if (operator === '_eq') return text === wanted;
    if (operator === '_neq') return text !== wanted;
    if (operator === '_gt') return compare(actual, value) > 0;
    if (operator === '_gte') return compare(actual, value) >= 0;
    if (operator === '_lt') return compare(actual, value) < 0;
    if (operator === '_lte') return compare(actual, value) <= 0;
    if (operator === '_contains' || operator === '_in') return text.includes(wanted);
    return false;
  });
}

function compare(a: unknown, b: unknown): number {
  const difference = Number(a) - Number(b);
  if (!Number.isNaN(difference)) return difference;
  return String(a) < String(b) ? -1 : String(a) > String(b) ? 1 : 0;
}
