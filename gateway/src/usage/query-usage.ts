import { type Expression, sql } from 'kysely';
import { isOneOf } from '../store/one-of.ts';
import type { Store } from '../store/store.ts';

export type UsageGroup = 'day' | 'user' | 'operation' | 'source' | 'organisation';

export interface UsageQuery {
  readonly organisation?: string;
  readonly user?: string;
  /** An operation's id. */
  readonly operation?: string;
  readonly source?: string;
  /** Only calls of these; absent: of every source. */
  readonly sources?: readonly string[];
  /** First and last UTC day, `2026-11-21`, both included. */
  readonly from?: string;
  readonly to?: string;
  /** Not earlier, milliseconds since the epoch. */
  readonly since?: number;
  readonly groupBy: UsageGroup;
  /** Groups at most; default 1000. */
  readonly limit?: number;
}

export interface UsageSummary {
  /** The day, user, operation, source or organisation; null: calls of nobody in particular. */
  readonly key: string | null;
  readonly calls: number;
  /** Those that failed. One that ended with a question to a person is a call, and no error. */
  readonly errors: number;
  /** All calls together, the average and the longest, milliseconds. */
  readonly totalMs: number;
  readonly meanMs: number;
  readonly maxMs: number;
}

const COLUMNS = {
  day: 'day',
  user: 'user_id',
  operation: 'operation',
  source: 'source',
  organisation: 'organisation_id',
} as const;

/** Days in order; everything else by the number of calls, most first. */
export async function queryUsage(store: Store, query: UsageQuery): Promise<readonly UsageSummary[]> {
  const column = COLUMNS[query.groupBy];
  let rows = store.database
    .selectFrom('skill_usage_logs')
    .select(({ fn, ref }) => [
      ref(column).as('key'),
      fn.countAll().as('calls'),
      fn.count(failure(ref('error_code'))).as('errors'),
      real(fn.sum('duration_ms')).as('totalMs'),
      real(fn.avg('duration_ms')).as('meanMs'),
      real(fn.max('duration_ms')).as('maxMs'),
    ])
    .groupBy(column)
    .limit(query.limit ?? 1000);
  if (query.organisation !== undefined) rows = rows.where('organisation_id', '=', query.organisation);
  if (query.user !== undefined) rows = rows.where('user_id', '=', query.user);
  if (query.operation !== undefined) rows = rows.where('operation', '=', query.operation);
  if (query.source !== undefined) rows = rows.where('source', '=', query.source);
  if (query.sources !== undefined) rows = rows.where(isOneOf('source', query.sources));
  if (query.from !== undefined) rows = rows.where('day', '>=', query.from);
  if (query.since !== undefined) rows = rows.where('time', '>=', query.since);
  if (query.to !== undefined) rows = rows.where('day', '<=', query.to);
  rows = query.groupBy === 'day' ? rows.orderBy('day') : rows.orderBy('calls', 'desc').orderBy(column);
  const found = await rows.execute();
  return found.map(({ key, calls, errors, totalMs, meanMs, maxMs }) => ({
    key,
    calls: Number(calls),
    errors: Number(errors),
    totalMs: hundredths(totalMs),
    meanMs: hundredths(meanMs),
    maxMs: hundredths(maxMs),
  }));
}

/** Null for a call that did not fail. */
function failure(code: Expression<string | null>) {
  return sql`nullif(${code}, 'approval_required')`;
}

/** PostgreSQL gives sums and averages in types of their own. */
function real(value: Expression<unknown>) {
  return sql<number>`cast(${value} as double precision)`;
}

function hundredths(value: number): number {
  return Math.round(value * 100) / 100;
}
