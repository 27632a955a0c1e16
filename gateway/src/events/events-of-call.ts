import { sql } from 'kysely';
import type { Event } from '../operations/index.ts';
import type { Store } from '../store/store.ts';
import { bodyMember } from './body-member.ts';
import { type EventQuery, matches, pageOf } from './event-query.ts';
import { eventOf, isCallBound } from './event-rows.ts';

/** They name their call in the body only; a person may decide long after the call ended. */
const OF_APPROVALS = ['approval-requested', 'approval-decided', 'approval-used', 'approval-void'] as const;
/** They lie between the start and the end of their call. */
const OF_SKILLS = [
  'dynamic_tool.call',
  'dynamic_tool.retry',
  'dynamic_tool.failed',
  'dynamic_tool.degraded',
] as const;
/** Events of one kind that one call can have. */
const MOST = 1000;

/**
 * Everything that names a call. Its start and end are found by their index, and bound where the rest is looked for: the
 * log is not read from one end to the other.
 */
export async function eventsOfCall(
  store: Store,
  call: string,
  after: number | undefined,
  query: EventQuery,
): Promise<readonly Event[]> {
  const rows = () => store.database.selectFrom('events').select(['sequence', 'time', 'body']).limit(MOST);
  const bounds = await rows().where('call_id', '=', call).where(isCallBound()).execute();
  const first = Math.min(...bounds.map(({ sequence }) => Number(sequence)));
  if (bounds.length === 0) return [];
  const ended = bounds.length > 1 || !isStart(bounds[0]!.body);
  const last = Math.max(...bounds.map(({ sequence }) => Number(sequence)));
  const beside = () =>
    rows()
      .where('call_id', 'is', null)
      .where('sequence', '>', first)
      .where(sql<boolean>`${bodyMember(store, 'call')} = ${call}`);
  const progress = rows()
    .where('call_id', '=', call)
    .where('type', '=', 'call-progress')
    .where('sequence', '>', first);
  const ofSkills = beside().where('type', 'in', OF_SKILLS);
  const found = [
    ...bounds,
    ...(await (ended ? progress.where('sequence', '<', last) : progress).execute()),
    ...(await (ended ? ofSkills.where('sequence', '<', last) : ofSkills).execute()),
    ...(await beside().where('type', 'in', OF_APPROVALS).execute()),
  ].map(eventOf);
  const fits = matches(query);
  const fitting = found
    .filter((event) => fits(event) && event.sequence > (after ?? 0))
    .sort((one, other) => one.sequence - other.sequence);
  return pageOf(fitting, after, query);
}

function isStart(body: string): boolean {
  return (JSON.parse(body) as { type?: string }).type === 'call-started';
}
