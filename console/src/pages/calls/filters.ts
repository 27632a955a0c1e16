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
}

export const FILTER_NAMES = ['q', 'state', 'access', 'tool', 'source', 'principal', 'code'] as const;
export const STATES = ['running', 'waiting', 'completed', 'asked', 'failed'] as const;
export const ACCESSES = ['read', 'write', 'delete', 'dangerous'] as const;

export function filtersOf(params: URLSearchParams): CallFilters {
  return Object.fromEntries(FILTER_NAMES.map((name) => [name, params.get(name)?.trim() ?? ''])) as never;
}

export function isFiltered(filters: CallFilters): boolean {
  return FILTER_NAMES.some((name) => filters[name] !== '');
}

/** Whether the list shows this call: the same that the gateway finds by `queryOf`. */
export function fits(row: CallRow, filters: CallFilters): boolean {
  const { q, state, access, tool, source, principal, code } = filters;
  return (
    (state === '' || row.state === state) &&
    (access === '' || row.access === access) &&
    (tool === '' || row.tool === tool) &&
    (source === '' || row.source === source) &&
    (principal === '' || row.principal === principal) &&
    (code === '' || row.code === code) &&
    (q === '' || holds(row, q.toLowerCase()))
  );
}

function holds({ tool, operation, text = '', code = '' }: CallRow, wanted: string): boolean {
  return `${tool} ${operation} ${text} ${code}`.toLowerCase().includes(wanted);
}

/** Members of `GET /api/v1/events` that find the calls of these filters. */
export function queryOf(filters: CallFilters): Readonly<Record<string, string>> {
  const { state, ...members } = filters;
  const asked = state === 'asked' && members.code === '' ? { code: ASKED_CODE } : {};
  return { ...members, ...asked, type: typesOf(state, filters) };
}

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
