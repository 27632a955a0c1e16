import { type Selectable, sql } from 'kysely';
import type { CallEvent, Event, EventBody, ProgressEvent } from '../operations/index.ts';
import type { EventEntry } from '../store/store.ts';
import type { EventTable } from '../store/tables.ts';
import { usageOf } from '../usage/usage-row.ts';
import { stepsOf, storedSteps } from './stored-steps.ts';

/** An event as the store keeps it, with the usage row where it ends a call. */
export function entryOf(body: EventBody, time: number, process: string): EventEntry {
  // an approval names the call that asked, but is no event of that call
  const call = body.type.startsWith('call-') ? (body as CallEvent | ProgressEvent) : undefined;
  return {
    event: {
      time,
      type: body.type,
      organisation_id: 'organisation' in body ? (body.organisation ?? null) : null,
      principal_id: 'principal' in body ? body.principal : null,
      call_id: call?.call ?? null,
      process_id: process,
      body: JSON.stringify(
        call !== undefined && 'steps' in call && call.steps !== undefined
          ? { ...call, steps: storedSteps(call.steps) }
          : body,
      ),
    },
    ...(call !== undefined && endsCall(call) ? { usage: usageOf(call, time) } : {}),
  };
}

export function eventOf(row: Pick<Selectable<EventTable>, 'sequence' | 'time' | 'body'>): Event {
  const body = JSON.parse(row.body) as EventBody;
  return Object.freeze({
    ...body,
    ...('steps' in body && body.steps !== undefined ? { steps: stepsOf(body.steps) } : {}),
    sequence: Number(row.sequence),
    time: new Date(Number(row.time)).toISOString(),
  });
}

export function endsCall(body: EventBody): body is CallEvent {
  return body.type === 'call-completed' || body.type === 'call-failed';
}

/** In the words of the partial index: SQLite uses it for nothing else, bound values included. */
const isOfCall = (table: string) =>
  sql`${sql.ref(`${table}.type`)} in ('call-started', 'call-completed', 'call-failed')`;
/** One of the two events that every call has. */
export const isCallBound = (table = 'events') => sql<boolean>`${isOfCall(table)}`;
export const isCallStart = (table = 'events') =>
  sql<boolean>`${isOfCall(table)} and ${sql.ref(`${table}.type`)} = 'call-started'`;
export const isCallEnd = (table = 'events') =>
  sql<boolean>`${isOfCall(table)} and ${sql.ref(`${table}.type`)} <> 'call-started'`;
