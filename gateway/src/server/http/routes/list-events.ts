import { z } from 'zod';
import { type EventQuery, matches } from '../../../events/event-log.ts';
import { type RunEvent, toRunEvent } from '../../../events/run-event.ts';
import type { Event, Principal } from '../../../operations/index.ts';
import { eventStream } from '../event-stream.ts';
import type { GatewayAdmin } from '../gateway-admin.ts';
import { profileOf } from '../profile-of.ts';
import { route } from '../route.ts';
import { shownTo } from '../shown-events.ts';
import { EVENT } from './schemas.ts';

const NAME = z.string().min(1).max(300).optional();

export const listEvents = route({
  method: 'get',
  path: '/api/v1/events',
  operationId: 'listEvents',
  summary: 'List the newest events',
  description:
    'Calls, approvals, progress, catalog changes, sources and upstreams, oldest first. With `Accept: text/event-stream` the answer stays open and new events follow; Last-Event-ID continues a stream. An admin sees the organisation, a user the own calls.',
  access: 'read',
  tag: 'events',
  query: z.strictObject({
    after: z.coerce.number().int().min(0).optional().describe('Only events with a larger sequence.'),
    limit: z.coerce.number().int().min(1).max(1000).optional().describe('Default 1000; lists only.'),
    type: NAME.describe('One type, or several with commas between.'),
    tool: NAME,
    source: NAME,
    principal: NAME,
    call: NAME.describe('Correlation id of one call.'),
    run: NAME.describe('What several calls belong to.'),
    format: z
      .enum(['event', 'run'])
      .optional()
      .describe('run: TOOL_CALL_STARTED, TOOL_CALL_COMPLETED, TOOL_CALL_FAILED … Default: event.'),
  }),
  response: { description: 'Events.', schema: z.object({ events: z.array(EVENT), last: z.number().int() }) },
  handle: async ({ query: asked }, { gateway, principal, request, signal, streams, closing }) => {
    const { after, limit, format: wanted, ...filter } = asked;
    const shown = async () => shownTo(principal, (await profileOf(gateway, principal)).roles);
    const query = { ...queryOf(filter), ...ownOf(principal) };
    const format: (event: Event) => Event | RunEvent = wanted === 'run' ? toRunEvent : (event) => event;
    // A HEAD request is routed as its GET (RFC 9110 §9.3.2), and nobody would read or end its stream.
    if (request.method === 'GET' && request.headers.get('accept')?.includes('text/event-stream')) {
      const wants = matches(query);
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
    const events = await gateway.events(after, { ...query, ...(limit === undefined ? {} : { limit }) });
    return {
      events: events.filter(await shown()).map(format),
      last: events.at(-1)?.sequence ?? after ?? 0,
    };
  },
});

function queryOf({ type, ...members }: Readonly<Record<string, string | undefined>>): EventQuery {
  const given = Object.entries(members).filter(([, value]) => value !== undefined);
  const types = type?.split(',').map((one) => one.trim()) as Event['type'][] | undefined;
  return { ...Object.fromEntries(given), ...(types === undefined ? {} : { type: types }) };
}

function ownOf({ organisation }: Principal): { readonly organisation?: string } {
  return organisation === undefined ? {} : { organisation };
}

/**
 * Where a stream begins: behind `after`, or behind the last event that the client says it has seen; else with the
 * newest events. `oldest` where some in between are gone: old ones were removed, or a log without a store began anew.
 */
async function streamStart(
  gateway: GatewayAdmin,
  principal: Principal,
  after: number | undefined,
  lastEventId: string | null,
): Promise<{ readonly after: number; readonly oldest?: number }> {
  const lastId = Number(lastEventId ?? '');
  const resumed = Number.isSafeInteger(lastId) && lastId > 0 ? lastId : undefined;
  if (after !== undefined) return { after };
  if (resumed === undefined) {
    const [oldest] = await gateway.events(undefined, ownOf(principal));
    return { after: (oldest?.sequence ?? 1) - 1 };
  }
  const [first] = await gateway.events(0, { limit: 1 });
  const newest = (await gateway.events(undefined, { limit: 1 })).at(-1);
  if (first === undefined || newest === undefined) return { after: resumed };
  if (resumed > newest.sequence) return { after: first.sequence - 1, oldest: first.sequence };
  return resumed < first.sequence - 1 ? { after: resumed, oldest: first.sequence } : { after: resumed };
}
