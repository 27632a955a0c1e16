import { isDay } from '../../components/time/is-day.ts';
import { isTime } from '../../components/time/is-time.ts';
import { momentOf, startOf } from '../../components/time/start-of-day.ts';
import type { CallRow } from './call-row.ts';

/** Code of a call that ended with a question to a person. */
export const ASKED_CODE = 'approval_required';

/** What is looked for; stands in the address of the page. An empty text is no filter. */
export interface CallFilters {
  readonly q: string;
  readonly state: string;
  readonly access: string;
  readonly tool: string;
  readonly source: string;
  readonly principal: string;
  readonly code: string;
  /** First and last day on which a call may have begun, `2026-11-21`, where the browser is. */
  readonly from: string;
  readonly to: string;
  /** Time of the first day from which, and of the last before which a call may have begun: `14:30`. */
  readonly fromTime: string;
  readonly toTime: string;
}

export const FILTER_NAMES = [
  'q',
  'state',
  'access',
  'tool',
  'source',
  'principal',
  'code',
  'from',
  'to',
  'fromTime',
  'toTime',
] as const;
export const STATES = ['running', 'waiting', 'completed', 'asked', 'failed'] as const;
export const ACCESSES = ['read', 'write', 'delete', 'dangerous'] as const;

export function filtersOf(params: URLSearchParams): CallFilters {
  const given = (name: string) => {
    const value = params.get(name)?.trim() ?? '';
    if (name === 'from' || name === 'to') return isDay(value) ? value : '';
    if (name === 'fromTime' || name === 'toTime')
      return isTime(value) && isDay(params.get(name.slice(0, -'Time'.length))) ? value : '';
    return value;
  };
  return Object.fromEntries(FILTER_NAMES.map((name) => [name, given(name)])) as never;
}

export const NO_FILTERS: CallFilters = filtersOf(new URLSearchParams());

export function isFiltered(filters: CallFilters): boolean {
  return FILTER_NAMES.some((name) => filters[name] !== '');
}

/** Which calls the list shows: those that the gateway finds by `queryOf`. */
export function fitting(filters: CallFilters): (row: CallRow) => boolean {
  const { q, state, access, tool, source, principal, code } = filters;
  const from = beginOf(filters);
  const to = endOf(filters);
  const wanted = q.toLowerCase();
  return (row) =>
    (state === '' || row.state === state) &&
    (access === '' || row.access === access) &&
    (tool === '' || row.tool === tool) &&
    (source === '' || row.source === source) &&
    (principal === '' || row.principal === principal) &&
    (code === '' || row.code === code) &&
    (from === '' || row.startedAt >= from) &&
    (to === '' || row.startedAt < to) &&
    (q === '' || holds(row, wanted));
}

function beginOf({ from, fromTime }: CallFilters): string {
  return fromTime === '' ? startOf(from) : momentOf(from, fromTime);
}

function endOf({ to, toTime }: CallFilters, more = 0): string {
  return toTime === '' ? startOf(to, 1, more) : momentOf(to, toTime, more);
}

function holds({ tool, operation, text = '', code = '' }: CallRow, wanted: string): boolean {
  return `${tool} ${operation} ${text} ${code}`.toLowerCase().includes(wanted);
}

/** Members of `GET /api/v1/events` that find the calls of these filters. */
export function queryOf(filters: CallFilters): Readonly<Record<string, string>> {
  const { state, from: _from, to: _to, fromTime: _fromTime, toTime: _toTime, ...members } = filters;
  const asked = state === 'asked' && members.code === '' ? { code: ASKED_CODE } : {};
  const times = { from: beginOf(filters), to: endOf(filters, UNTIL_OVER_MS) };
  return { ...members, ...asked, ...times, type: typesOf(state, filters) };
}

/** What began late ends behind the last moment: so long afterwards its end is looked for. */
const UNTIL_OVER_MS = 600_000;

/** Members of `GET /api/v1/events` that find who of these calls waits for a person: what was asked has neither access nor text. */
export function approvalsOf({ tool, source, principal }: CallFilters): Readonly<Record<string, string>> {
  return { tool, source, principal, type: APPROVALS };
}

const APPROVALS = 'approval-requested,approval-decided,approval-used,approval-void';

/** The start of a call has no code and no message; its end has all that its start has but the arguments. */
function typesOf(state: string, { code }: CallFilters): string {
  if (state === 'completed') return 'call-completed';
  if (state === 'failed' || state === 'asked' || code !== '') return 'call-failed';
  return 'call-started,call-completed,call-failed';
}
