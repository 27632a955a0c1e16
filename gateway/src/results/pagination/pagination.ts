import {
  isObject,
  type Json,
  type JsonObject,
  NEXT_PAGE_META,
  type Operation,
} from '../../operations/index.ts';
import { isScimList } from '../scim-list.ts';
import { linkParameter } from './link-parameters.ts';
import { type PageFacts, pageFacts } from './page-facts.ts';
import { pagePlace, rowsUpTo } from './page-number.ts';
import {
  defaultOf,
  minimumOf,
  numberAt,
  type PageParameter,
  type PageParameters,
  pageParameters,
} from './page-parameters.ts';

/** What became of one page. */
export interface PageAnswer {
  readonly rows: readonly Json[];
  /** The answer without its rows, and the names that lead to them. */
  readonly envelope?: Json | undefined;
  readonly path?: readonly string[];
  /** The result's meta: what a header says of the next page stands there. */
  readonly meta?: JsonObject | undefined;
}

/** How an operation pages, read from its arguments. */
export interface Pagination {
  readonly style: 'object' | 'cursor' | 'last-id' | 'page' | 'offset' | 'link' | 'limit';
  /** Arguments that choose a page or its length; every other argument stays the same from page to page. */
  readonly parameters: readonly string[];
  /** Arguments of the next page; undefined where this was the last, or nothing says how to go on. */
  next(args: JsonObject, answer: PageAnswer): JsonObject | undefined;
  /** The arguments with the operation's own limit, where the caller chose neither a limit nor a page. */
  limit(args: JsonObject, rows: number): JsonObject;
  /** Rows of a page by these arguments, where they say. */
  limitOf(args: JsonObject): number | undefined;
}

/** Undefined for operations that no argument and no link can lead to a next page of. */
export function paginationOf(operation: Operation): Pagination | undefined {
  const found = pageParameters(operation);
  const style = styleOf(found, operation);
  if (style === undefined) return undefined;
  const parameters = [...new Set(Object.values(found).map(({ name }: PageParameter) => name))];
  const limitOf = (args: JsonObject) => givenLimit(found, args);
  return {
    style,
    parameters,
    limitOf,
    limit: (args, rows) => withLimit(found, parameters, args, rows),
    next: (args, answer) => nextArguments(found, operation, args, answer, limitOf(args)),
  };
}

function styleOf(found: PageParameters, { invocation }: Operation): Pagination['style'] | undefined {
  if (found.object) return 'object';
  if (found.cursor) return 'cursor';
  if (found.lastId) return 'last-id';
  if (found.page) return 'page';
  if (found.offset) return 'offset';
  if (found.limit) return 'limit';
  return invocation.kind === 'http' ? 'link' : undefined;
}

function nextArguments(
  found: PageParameters,
  operation: Operation,
  args: JsonObject,
  { rows, envelope, path, meta }: PageAnswer,
  limit: number | undefined,
): JsonObject | undefined {
  const linked = meta?.[NEXT_PAGE_META];
  if (isObject(linked) && !isRepeated(linked, args)) return { ...args, ...linked };
  const facts = pageFacts(envelope, path);
  if (facts.more === false) return undefined;
  const byAddress = facts.query && fromQuery(facts.query, found, operation);
  if (byAddress !== undefined) return { ...args, ...byAddress };
  const undescribed = facts.query && linkParameter(facts.query, operation);
  if (undescribed !== undefined)
    return isRepeated(undescribed, args) ? undefined : { ...args, ...undescribed };
  if (found.object !== undefined) return nextObject(found.object, args, rows.length, facts);
  if (found.cursor !== undefined) {
    const token = facts.token ?? (facts.more ? facts.lastId : undefined);
    if (token === undefined && found.page === undefined && found.offset === undefined) return undefined;
    if (token !== undefined && token === args[found.cursor.name]) return undefined;
    if (token !== undefined) return { ...withoutPlace(args, found), [found.cursor.name]: token };
  }
  if (rows.length === 0) return undefined;
  if (found.lastId !== undefined) return nextById(found.lastId, args, rows, facts);
  const size = limit ?? defaultOf(found.limit);
  const isFull = (count: number) =>
    size !== undefined &&
    (count >= Math.min(size, facts.size ?? size) || (limit !== undefined && mayBeCut(found.limit, count)));
  if (found.page !== undefined) {
    const { number, before } = pagePlace(found.page, args, envelope, path);
    if (facts.pages !== undefined && before + 1 >= facts.pages) return undefined;
    const seen = rowsUpTo(before, rows.length, facts.size ?? size, facts.total);
    return hasMore(facts, seen, isFull(rows.length)) ? { ...args, [found.page.name]: number + 1 } : undefined;
  }
  if (found.offset !== undefined) {
    const first = firstOf(found.offset, envelope);
    const next = Math.max(numberAt(args, found.offset) ?? first, first) + rows.length;
    return hasMore(facts, next - first, isFull(rows.length))
      ? { ...args, [found.offset.name]: next }
      : undefined;
  }
  return undefined;
}

function isRepeated(next: JsonObject, args: JsonObject): boolean {
  return Object.entries(next).every(([name, value]) => args[name] === value);
}

/** The number of the first row: 1 where the description or SCIM says so (RFC 7644 §3.4.2.4), else 0. */
function firstOf(offset: PageParameter, envelope: Json | undefined): 0 | 1 {
  const declared = defaultOf(offset) ?? minimumOf(offset);
  const isFromOne = declared === undefined ? isScimList(envelope) : declared === 1;
  return isFromOne ? 1 : 0;
}

/** Only what the service says, or a page that is full, leads on: a list that is complete must not be read twice. */
function hasMore({ more, pages, total }: PageFacts, seen: number, isFull: boolean): boolean {
  if (more === true || pages !== undefined) return true;
  return total === undefined ? isFull : seen < total;
}

/** Rows that services give at most, whatever is asked for. */
const MOST_ROWS: ReadonlySet<number> = new Set([20, 25, 30, 50, 100, 200, 250, 500, 1000, 2000, 5000, 10000]);

/** A page shorter than was asked for may be as long as the service makes them, where it says of no length that it may be. */
function mayBeCut(limit: PageParameter | undefined, rows: number): boolean {
  return limit?.schema['maximum'] === undefined && MOST_ROWS.has(rows);
}

/** `{limit, after}` as one argument: `after` is an offset. */
function nextObject(
  { name, schema }: PageParameter,
  args: JsonObject,
  rows: number,
  facts: PageFacts,
): JsonObject | undefined {
  const given = objectAt(args, name);
  if (given === undefined || rows === 0) return undefined;
  const place =
    isObject(schema['properties']) && Object.hasOwn(schema['properties'], 'after') ? 'after' : 'offset';
  const seen = (typeof given[place] === 'number' ? given[place] : 0) + rows;
  const limit = typeof given['limit'] === 'number' ? given['limit'] : undefined;
  if (!hasMore(facts, seen, limit !== undefined && rows >= limit)) return undefined;
  return { ...args, [name]: { ...given, [place]: seen } };
}

function nextById(
  { name }: PageParameter,
  args: JsonObject,
  rows: readonly Json[],
  { more }: PageFacts,
): JsonObject | undefined {
  const last = rows.at(-1);
  const id = isObject(last) && Object.hasOwn(last, 'id') ? last['id'] : undefined;
  if (more !== true || (typeof id !== 'string' && typeof id !== 'number') || args[name] === id)
    return undefined;
  return { ...args, [name]: String(id) };
}

/** Of an address in a body only what chooses a page counts; whoever wrote it must not change anything else. */
function fromQuery(
  query: URLSearchParams,
  found: PageParameters,
  { invocation }: Operation,
): JsonObject | undefined {
  const wireName = (argument: string): string => {
    if (invocation.kind !== 'http') return argument;
    return (
      invocation.bindings.find(({ arg, in: place }) => arg === argument && place === 'query')?.name ??
      argument
    );
  };
  const next: [string, Json][] = [];
  for (const role of ['cursor', 'page', 'offset', 'lastId', 'limit'] as const) {
    const parameter = found[role];
    const text = parameter && query.get(wireName(parameter.name));
    if (parameter === undefined || text === null || text === undefined || text === '') continue;
    const numeric = role === 'page' || role === 'offset' || role === 'limit';
    if (numeric && !/^\d{1,15}$/.test(text)) continue;
    next.push([parameter.name, numeric ? Number(text) : text]);
  }
  const leads = next.some(([name]) => name !== found.limit?.name);
  return leads ? Object.fromEntries(next) : undefined;
}

function withLimit(
  found: PageParameters,
  parameters: readonly string[],
  args: JsonObject,
  rows: number,
): JsonObject {
  if (parameters.some((name) => name !== found.object?.name && args[name] !== undefined)) return args;
  if (found.object !== undefined) {
    const given = objectAt(args, found.object.name) ?? {};
    if (given['limit'] !== undefined || given['after'] !== undefined || given['offset'] !== undefined)
      return args;
    const schema = isObject(found.object.schema['properties'])
      ? found.object.schema['properties']['limit']
      : undefined;
    return {
      ...args,
      [found.object.name]: { ...given, limit: within(rows, isObject(schema) ? schema : {}) },
    };
  }
  if (found.limit === undefined) return args;
  const choices = found.limit.schema['enum'];
  if (Array.isArray(choices) && !choices.includes(rows)) return args;
  return { ...args, [found.limit.name]: within(rows, found.limit.schema) };
}

function within(rows: number, { maximum, minimum, exclusiveMaximum, multipleOf }: JsonObject): number {
  const step = typeof multipleOf === 'number' && multipleOf > 1 ? multipleOf : 1;
  const most = Math.min(
    typeof maximum === 'number' ? maximum : Infinity,
    typeof exclusiveMaximum === 'number' ? exclusiveMaximum - 1 : Infinity,
  );
  const bounded = Math.max(Math.min(rows, most), typeof minimum === 'number' ? minimum : 1);
  const stepped = Math.ceil(bounded / step) * step;
  return stepped > most ? Math.floor(most / step) * step : stepped;
}

function givenLimit({ object, limit }: PageParameters, args: JsonObject): number | undefined {
  const inside = object && objectAt(args, object.name)?.['limit'];
  if (typeof inside === 'number') return inside;
  return limit && numberAt(args, limit);
}

/** A new cursor takes the place of whatever named a page before. */
function withoutPlace(args: JsonObject, { page, offset }: PageParameters): JsonObject {
  return Object.fromEntries(
    Object.entries(args).filter(([name]) => name !== page?.name && name !== offset?.name),
  );
}

function objectAt(args: JsonObject, name: string): JsonObject | undefined {
  const value = Object.hasOwn(args, name) ? args[name] : undefined;
  return isObject(value) ? value : undefined;
}
