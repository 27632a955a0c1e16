import { z } from 'zod';
import { ToolcribError } from '../../../../errors.ts';
import { areBesideCalls, type EventQuery, matches } from '../../../../events/event-log.ts';
import { type RunEvent, toRunEvent } from '../../../../events/run-event.ts';
import { unknownEventType } from '../../../../operations/event-types.ts';
import type { Event, Principal } from '../../../../operations/index.ts';
import { printable } from '../../../../operations/text/printable.ts';
import type { CapabilityProfile, GatewayAdmin } from '../../admin/gateway-admin.ts';
import { profileOf } from '../../profile-of.ts';
import { route } from '../../route.ts';
import { shownTo } from '../../shown-events.ts';
import { ACCESS, EVENT } from '../schemas.ts';
import { eventStream } from './event-stream.ts';

const listOf = (text: string) => text.split(',').map((one) => one.trim());

const NAME = z.string().min(1).max(300).optional();
/** A type that there is not would find nothing, and look like good news. */
const TYPES = NAME.superRefine((text, { addIssue }) => {
  const message = text === undefined ? undefined : listOf(text).map(unknownEventType).find(Boolean);
  if (message !== undefined) addIssue({ code: 'custom', message });
});
const MOMENT = z.iso.datetime({ offset: true }).optional();

/** Sequences that one request looks at where every event has to be read to know whether it fits. */
const WINDOW = 50_000;

/** So far apart may be what the clocks of several processes say. */
const CLOCKS_MS = 60_000;

export const listEvents = route({
  method: 'get',
  path: '/api/v1/events',
  operationId: 'listEvents',
  summary: 'List the newest events',
  description:
    'Calls, approvals, progress, catalog changes, sources and upstreams, oldest first. With `Accept: text/event-stream` the answer stays open and new events follow; Last-Event-ID continues a stream. An admin sees the organisation, a user the own calls. With `before` older events: `earlier` of the answer is the next `before`, also where none fitted so far; with `after` newer ones, and `last` is the next `after`.',
  access: 'read',
  tag: 'events',
  query: z.strictObject({
    after: z.coerce.number().int().min(0).optional().describe('Only events with a larger sequence.'),
    before: z.coerce
      .number()
      .int()
      .min(1)
      .optional()
      .describe('Only events with a smaller sequence, the newest of those; lists only.'),
    limit: z.coerce.number().int().min(1).max(1000).optional().describe('Default 1000; lists only.'),
    type: TYPES.describe('One type, or several with commas between.'),
    tool: NAME,
    source: NAME,
    principal: NAME,
    call: NAME.describe('Correlation id of one call.'),
    organisation: NAME.describe("For the operator; everybody else has the own one's."),
    subject: z
      .string()
      .min(1)
      .max(10_000)
      .optional()
      .describe('Id of the user, key, organisation … that was changed, or several with commas between.'),
    run: NAME.describe('What several calls belong to.'),
    code: NAME.describe('Of the error that a call ended with.'),
    access: ACCESS.optional().describe('What the operation of a call is.'),
    q: z.string().min(1).max(200).optional().describe('Text in tool, operation, message or code.'),
    from: MOMENT.describe('Not earlier.'),
    to: MOMENT.describe('Earlier than that.'),
    format: z
      .enum(['event', 'run'])
      .optional()
      .describe('run: TOOL_CALL_STARTED, TOOL_CALL_COMPLETED, TOOL_CALL_FAILED … Default: event.'),
  }),
  response: {
    description: 'Events.',
    schema: z.object({
      events: z.array(EVENT),
      last: z.number().int(),
      earlier: z.number().int().optional().describe('The next `before`; absent: there is nothing older.'),
    }),
  },
  handle: async ({ query: asked }, { gateway, principal, session, request, signal, streams, closing }) => {
    const { after, before, limit = 1000, format: wanted, ...filter } = asked;
    const profile = () => profileOf(gateway, principal);
    const shown = async () => {
      // a stream outlives its request: whoever signed out reads nothing more
      await session?.still();
      return shownTo(principal, await profile());
    };
    const query = { ...queryOf(filter), ...ownOf(principal) };
    const format: (event: Event) => Event | RunEvent = wanted === 'run' ? toRunEvent : (event) => event;
    // A HEAD request is routed as its GET (RFC 9110 §9.3.2), and nobody would read or end its stream.
    if (request.method === 'GET' && request.headers.get('accept')?.includes('text/event-stream')) {
      const { organisation } = filter;
      const wants = matches({ ...query, ...(organisation === undefined ? {} : { organisation }) });
      const start = await streamStart(gateway, principal, after, request.headers.get('last-event-id'));
      return eventStream(gateway, {
        ...start,
        ends: [signal, closing],
        shown: async () => {
          const shows = await shown();
          return (event) => shows(event) && wants(event);
        },
        ...ownOf(principal),
        format,
        released: streams.open(principal),
      });
    }
    const held = await profile();
    const own = isOther(principal, filter.organisation) ? undefined : ownCalls(principal, held, query);
    if (own === undefined) return { events: [], last: after ?? 0 };
    const asks = { ...query, ...own };
    const isForwards = after !== undefined && before === undefined;
    // a log reaches back as far as its organisation: where that begins is not looked for
    const sought = held.roles.includes('admin') ? query : asks;
    const window = isForwards
      ? await windowAfter(gateway, asks, after)
      : await windowBefore(gateway, sought, before, after);
    const events = await gateway.events(window?.start ?? after, {
      ...asks,
      limit,
      // with `before` the newest ones of the window
      ...(isForwards || (before === undefined && window === undefined) ? {} : { before: before ?? NEVER }),
      ...(window === undefined ? {} : { through: window.end }),
    });
    const isFull = events.length >= limit;
    const rest = window === undefined || window.last ? 1 : window.start + 1;
    const earlier = isFull ? events[0]!.sequence : rest;
    const seen = isForwards && window !== undefined && !isFull ? window.end : 0;
    return {
      events: events.filter(shownTo(principal, held)).map(format),
      last: Math.max(seen, events.at(-1)?.sequence ?? after ?? 0),
      ...(after === undefined && earlier > 1 ? { earlier } : {}),
    };
  },
});

/** Larger than every sequence. */
const NEVER = Number.MAX_SAFE_INTEGER;

/** Which sequences one request looks at. */
interface Window {
  /** Larger ones than that. */
  readonly start: number;
  /** No larger ones than that. */
  readonly end: number;
  /** Nothing that is older is asked for. */
  readonly last: boolean;
}

/** What is looked for in the events themselves, one after the other: a page is looked for in so many at most. */
function isSearch(asked: EventQuery): boolean {
  const { call, organisation: _indexed, from: _from, to: _to, ...looked } = asked;
  if (call !== undefined || areBesideCalls(asked)) return false;
  return Object.values(looked).some((value) => value !== undefined);
}

/** Backwards. Undefined where an index or the newest events are enough. */
async function windowBefore(
  gateway: GatewayAdmin,
  asked: EventQuery,
  before: number | undefined,
  after = 0,
): Promise<Window | undefined> {
  if (!isSearch(asked)) return undefined;
  const { from, to } = asked;
  const end = before ?? (await newest(gateway, to));
  const first = from === undefined ? 0 : await newest(gateway, from - CLOCKS_MS);
  return {
    start: Math.max(end - WINDOW, first, after),
    end: to === undefined ? NEVER : end,
    last: end - WINDOW <= first,
  };
}

/** Forwards. Undefined where an index, or as many events as are left, are enough. */
async function windowAfter(
  gateway: GatewayAdmin,
  asked: EventQuery,
  after: number,
): Promise<Window | undefined> {
  if (!isSearch(asked)) return undefined;
  const end = after + WINDOW;
  // of what is old enough nothing is written any more: whoever goes on behind it misses nothing
  return end < (await newest(gateway)) ? { start: after, end, last: false } : undefined;
}

/** Sequence of the newest event, or of the newest one before that time. */
async function newest(gateway: GatewayAdmin, until?: number): Promise<number> {
  const query = { limit: 1, ...(until === undefined ? {} : { to: until }) };
  return (await gateway.events(undefined, query)).at(-1)?.sequence ?? 0;
}

/**
 * What a caller sees is asked for: all others' calls would fill the page and then be left out, and `last` would tell
 * which questions about them have an answer. Undefined: nothing that is asked for is shown.
 */
function ownCalls(
  { kind, id, organisation }: Principal,
  { roles, since = 0 }: CapabilityProfile,
  { principal = id, from = since }: EventQuery,
): Pick<EventQuery, 'principal' | 'from'> | undefined {
  if (kind !== 'user') return {};
  if (organisation === undefined) return undefined;
  const own = { from: Math.max(from, since) };
  if (roles.includes('admin')) return own;
  return principal === id ? { principal, ...own } : undefined;
}

/** Events that have a subject; the store finds them without looking at calls. */
const CHANGES =
  'organisation-changed,user-changed,key-changed,access-changed,connection-changed,feature-changed,session-opened,session-closed';

type Filter = Readonly<Record<string, string | undefined>>;

function queryOf({ type, subject, q, from, to, ...members }: Filter): EventQuery {
  const given = Object.entries(members).filter(([, value]) => value !== undefined);
  const types = (type === undefined && subject === undefined ? undefined : listOf(type ?? CHANGES)) as
    | Event['type'][]
    | undefined;
  return {
    ...Object.fromEntries(given),
    ...(types === undefined ? {} : { type: types }),
    ...(subject === undefined ? {} : { subjects: listOf(subject) }),
    ...(q === undefined ? {} : { text: q }),
    ...(from === undefined ? {} : { from: Date.parse(from) }),
    ...(to === undefined ? {} : { to: Date.parse(to) }),
  };
}

/** Nobody but the operator is told of another organisation. */
function isOther({ kind, organisation }: Principal, asked: string | undefined): boolean {
  return kind === 'user' && asked !== undefined && asked !== organisation;
}

/** Asked for rather than left out of the answer, for the same reason. */
function ownOf({ organisation, sources }: Principal): Pick<EventQuery, 'organisation' | 'sources'> {
  return {
    ...(organisation === undefined ? {} : { organisation }),
    ...(sources === undefined ? {} : { sources }),
  };
}

/**
 * Where a stream begins: behind the last event that the client says it has seen, or behind `after`; else with the
 * newest events. `oldest` where some in between are gone: old ones were removed, a log without a store began anew, or a
 * database lost its last commits.
 */
async function streamStart(
  gateway: GatewayAdmin,
  principal: Principal,
  after: number | undefined,
  lastEventId: string | null,
): Promise<{ readonly after: number; readonly oldest?: number; readonly reached?: boolean }> {
  const resumed = resumedAt(lastEventId);
  // who reconnects asks for the address again that the stream was opened with
  if (after !== undefined && (resumed === undefined || resumed <= after)) return { after };
  if (resumed === undefined) {
    const [oldest] = await gateway.events(undefined, ownOf(principal));
    return { after: (oldest?.sequence ?? 1) - 1 };
  }
  const [first] = await gateway.events(0, { limit: 1 });
  const newest = (await gateway.events(undefined, { limit: 1 })).at(-1);
  // a log without a store that began anew counts from one again
  if (first === undefined || newest === undefined) return { after: 0 };
  if (resumed > newest.sequence) return { after: first.sequence - 1, oldest: first.sequence };
  return resumed < first.sequence - 1
    ? { after: resumed, oldest: first.sequence }
    : { after: resumed, reached: true };
}

/**
 * The last event seen. What is no sequence was never an id of ours: a stream from wherever would look like the rest of
 * one. A client gives up at an answer that is no 200 (HTML §9.2), so that it is seen.
 */
function resumedAt(lastEventId: string | null): number | undefined {
  const id = lastEventId?.trim() ?? '';
  // a client that has seen no id sends none; some write that down
  if (id === '') return undefined;
  const sequence = /^\d{1,16}$/.test(id) ? Number(id) : Number.NaN;
  if (Number.isSafeInteger(sequence)) return sequence;
  throw new ToolcribError('cursor_invalid', `Last-Event-ID ${printable(id, 40)} is no id of an event here.`, {
    next: 'Send the `id` of the last event that was read, or open the stream anew without the header.',
  });
}
