import type { Event } from '../operations/index.ts';

export interface EventQuery {
  /** At most so many; default 1000. */
  readonly limit?: number;
  /** Only smaller sequences: the newest of those. */
  readonly before?: number;
  /** No larger sequences; the page begins as it would without. */
  readonly through?: number;
  readonly type?: Event['type'] | readonly Event['type'][];
  readonly organisation?: string;
  readonly principal?: string;
  /** Name of the tool that was called. */
  readonly tool?: string;
  readonly source?: string;
  /** Only events of these sources; those of none are left out. */
  readonly sources?: readonly string[];
  /** Only events of changes of these records: ids of users, keys, organisations … */
  readonly subjects?: readonly string[];
  /** Correlation id of a call. */
  readonly call?: string;
  /** What several calls belong to. */
  readonly run?: string;
  /** Id of an approval. */
  readonly approval?: string;
  /** Of the error that a call ended with. */
  readonly code?: string;
  /** What the operation of a call is: `read`, `write` … */
  readonly access?: string;
  /** Stands somewhere in the tool, the operation, the message or the code, whatever the case of its letters. */
  readonly text?: string;
  /** Not earlier, milliseconds since the epoch. */
  readonly from?: number;
  /** Earlier than that, milliseconds since the epoch. */
  readonly to?: number;
}

/** Only types are asked for that no event of a call has: the store has an index of those. */
export function areBesideCalls({ type = [] }: EventQuery): boolean {
  const types = [type].flat();
  return types.length > 0 && types.every((one) => !one.startsWith('call-'));
}

/** Members of an event that a query names by their whole value. */
const MEMBERS = [
  'organisation',
  'principal',
  'tool',
  'source',
  'call',
  'run',
  'approval',
  'code',
  'access',
] as const;

/** Members that a text is looked for in. */
export const TEXT_MEMBERS = ['tool', 'operation', 'message', 'code'] as const;

/** Which events a query means, without its limit. */
export function matches(query: EventQuery): (event: Event) => boolean {
  const {
    type,
    before = Number.POSITIVE_INFINITY,
    through = before,
    sources,
    subjects,
    from,
    to,
    text,
  } = query;
  const types = type === undefined ? undefined : new Set([type].flat());
  const members = MEMBERS.filter((name) => query[name] !== undefined);
  const wanted = text?.toLowerCase();
  return (event) => {
    const body = event as unknown as Readonly<Record<string, unknown>>;
    return (
      event.sequence < before &&
      event.sequence <= through &&
      (types === undefined || types.has(event.type)) &&
      members.every((name) => body[name] === query[name]) &&
      (sources === undefined || sources.some((source) => source === body['source'])) &&
      (subjects === undefined || subjects.some((subject) => subject === body['subject'])) &&
      (from === undefined || Date.parse(event.time) >= from) &&
      (to === undefined || Date.parse(event.time) < to) &&
      (wanted === undefined || textOf(body).includes(wanted))
    );
  };
}

function textOf(body: Readonly<Record<string, unknown>>): string {
  return TEXT_MEMBERS.map((name) => body[name] ?? '')
    .join(' ')
    .toLowerCase();
}

/** The page that a query means of what fits it, oldest first: from the oldest after `after`, else the newest ones. */
export function pageOf<E>(fitting: readonly E[], after: number | undefined, query: EventQuery): readonly E[] {
  const { limit = 1000, before } = query;
  const fromOldest = after !== undefined && before === undefined;
  return fromOldest ? fitting.slice(0, limit) : fitting.slice(Math.max(0, fitting.length - limit));
}
