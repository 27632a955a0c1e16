import { asToolcribError } from '../../errors.ts';
import {
  type Call,
  type CompletedResult,
  HEADERS_META,
  isObject,
  type Json,
  type JsonObject,
  MAX_SHAPED_PAGES,
  NEXT_PAGE_META,
  type Result,
  UNTRUSTED_META,
} from '../../operations/index.ts';
import type { Pagination } from '../pagination/index.ts';

import { findRows } from './find-rows.ts';

/** Several pages as one answer. */
export interface ReadPages {
  /** Of the first page, with what the others add to its meta and warnings. */
  readonly result: CompletedResult;
  /** Undefined where the answer is no JSON. */
  readonly answer: Json | undefined;
  /** Pages in it. */
  readonly pages: number;
  /** Arguments of the page behind it. */
  readonly next?: JsonObject;
  /** Why fewer pages were read than asked for. */
  readonly note?: string;
}

/** How pages are read. */
export interface PageReading {
  /** Makes one call. */
  next(call: Call): Promise<Result>;
  /** The answer of a result as JSON. */
  answerOf(result: CompletedResult): Promise<Json | undefined>;
}

/** More are not put together. */
const MAX_ROWS = 50_000;

/**
 * Reads up to so many pages, one after the other, each a call of its own through every check further in. Ends early, and
 * says so, where a page fails, pages repeat, or the deadline is near. The first page's failure, or its question to the
 * client, is the answer.
 */
export async function readPages(
  call: Call,
  pagination: Pagination | undefined,
  wanted: number,
  { next, answerOf }: PageReading,
): Promise<ReadPages | Result> {
  const readPage = async (result: CompletedResult, { arguments: args }: Call) =>
    pageOf(await answerOf(result), result, args, pagination);
  const most = Math.min(wanted, MAX_SHAPED_PAGES);
  const began = Date.now();
  const first = await next(call);
  if (first.kind !== 'completed' || first.error !== undefined) return first;
  const whole = await readPage(first, call);
  let page = whole;
  let last = whole;
  const combined = page.found === undefined ? undefined : [...page.found.rows];
  let result = first;
  let pages = 1;
  let note: string | undefined;
  const seen = new Set([JSON.stringify(call.arguments)]);
  while (pages < most && page.next !== undefined && combined !== undefined) {
    const slowest = (Date.now() - began) / pages;
    if (seen.has(JSON.stringify(page.next))) note = 'the service repeats a page';
    else if (Date.now() + slowest >= call.deadline) note = 'the time is up';
    else if (combined.length >= MAX_ROWS) note = 'these are very many rows';
    if (note !== undefined) break;
    seen.add(JSON.stringify(page.next));
    await call.channel.progress?.(pages, most, `${combined.length} rows read`);
    const read = await following({ ...call, arguments: page.next }, next);
    if (typeof read === 'string') {
      note = read;
      break;
    }
    page = await readPage(read, { ...call, arguments: page.next });
    if (page.found === undefined) {
      note = 'a page is no list';
      break;
    }
    for (const row of page.found.rows) combined.push(row);
    last = page;
    result = merged(result, read);
    pages++;
  }
  return {
    result,
    // what stands around the rows says of the last page whether there are more
    answer: pages === 1 || combined === undefined ? whole.answer : last.found!.replace(combined),
    pages,
    ...(page.next === undefined || note === 'the service repeats a page' ? {} : { next: page.next }),
    ...(note === undefined ? {} : { note: `${pages} of ${most} pages were read: ${note}.` }),
  };
}

/** A later page, or why there is none. What ends the call as a whole goes on. */
async function following(
  call: Call,
  next: (call: Call) => Promise<Result>,
): Promise<CompletedResult | string> {
  try {
    const result = await next(call);
    if (result.kind !== 'completed') return 'the service asks something first';
    return result.error === undefined ? result : `the next failed (${result.error.code})`;
  } catch (error) {
    if (call.signal.aborted) throw error;
    return `the next failed (${asToolcribError(error).code})`;
  }
}

function pageOf(
  answer: Json | undefined,
  { meta }: CompletedResult,
  args: JsonObject,
  pagination: Pagination | undefined,
) {
  const found = answer === undefined ? undefined : findRows(answer);
  const next = found === undefined ? undefined : pagination?.next(args, { ...found, meta });
  return { answer, found, next };
}

/** What headers say of a page and the next one. */
const OF_ONE_PAGE: ReadonlySet<string> = new Set([HEADERS_META, NEXT_PAGE_META]);

/** What one page says of strangers holds for all of them; what its headers say, until the next is read. */
function merged(first: CompletedResult, later: CompletedResult): CompletedResult {
  const warnings = [...new Set([...(first.warnings ?? []), ...(later.warnings ?? [])])];
  const artifacts = [...(first.artifacts ?? []), ...(later.artifacts ?? [])];
  const [own, other] = [first.meta?.[UNTRUSTED_META], later.meta?.[UNTRUSTED_META]];
  const label = isObject(other) ? { ...(isObject(own) ? own : {}), ...other } : own;
  const kept = Object.entries(first.meta ?? {}).filter(([name]) => !OF_ONE_PAGE.has(name));
  const last = Object.entries(later.meta ?? {}).filter(([name]) => OF_ONE_PAGE.has(name));
  const meta = { ...Object.fromEntries([...kept, ...last]), ...(label && { [UNTRUSTED_META]: label }) };
  return {
    ...withoutMeta(first),
    ...(warnings.length === 0 ? {} : { warnings }),
    ...(artifacts.length === 0 ? {} : { artifacts }),
    ...(Object.keys(meta).length === 0 ? {} : { meta }),
  };
}

function withoutMeta({ meta: _meta, ...result }: CompletedResult): CompletedResult {
  return result;
}
