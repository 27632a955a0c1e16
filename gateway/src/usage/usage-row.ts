import type { Insertable } from 'kysely';
import type { CallEvent } from '../operations/index.ts';
import type { UsageTable } from '../store/tables.ts';

/** What the usage log keeps of a call that ended: never messages, arguments or personal data. */
export function usageOf(end: CallEvent, time: number): Insertable<UsageTable> {
  return {
    time,
    day: dayOf(time),
    slug: end.tool,
    organisation_id: end.organisation ?? null,
    user_id: end.principal,
    source: end.source,
    operation: end.operation,
    duration_ms: end.durationMs ?? 0,
    error_code: end.type === 'call-failed' ? (end.code ?? 'internal') : null,
  };
}

const DAY_MS = 86_400_000;
let today = { number: -1, text: '' };

/** In UTC. Nearly always that of the call before. */
function dayOf(time: number): string {
  const number = Math.floor(time / DAY_MS);
  if (number !== today.number) today = { number, text: new Date(time).toISOString().slice(0, 10) };
  return today.text;
}
