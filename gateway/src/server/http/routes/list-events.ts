import { z } from 'zod';
import { eventStream } from '../event-stream.ts';
import { profileOf } from '../profile-of.ts';
import { route } from '../route.ts';
import { shownTo } from '../shown-events.ts';
import { EVENT } from './schemas.ts';

export const listEvents = route({
  method: 'get',
  path: '/api/v1/events',
  operationId: 'listEvents',
  summary: 'List the newest events',
  description:
    'Calls, catalog changes and source failures, oldest first. With `Accept: text/event-stream` the answer stays open and new events follow; Last-Event-ID continues a stream. An admin sees the organisation, a user the own calls.',
  access: 'read',
  tag: 'events',
  query: z.strictObject({
    after: z.coerce.number().int().min(0).optional().describe('Only events with a larger sequence.'),
  }),
  response: { description: 'Events.', schema: z.object({ events: z.array(EVENT), last: z.number().int() }) },
  handle: async ({ query }, { gateway, principal, request, signal, streams, closing }) => {
    const shown = async () => shownTo(principal, (await profileOf(gateway, principal)).roles);
    const { organisation } = principal;
    const own = organisation === undefined ? {} : { organisation };
    // A HEAD request is routed as its GET (RFC 9110 §9.3.2), and nobody would read or end its stream.
    if (request.method === 'GET' && request.headers.get('accept')?.includes('text/event-stream')) {
      const lastId = Number(request.headers.get('last-event-id') ?? '');
      const resumed = Number.isSafeInteger(lastId) && lastId > 0 ? lastId : undefined;
      const [oldest] = resumed === undefined ? await gateway.events(undefined, own) : [];
      const after = query.after ?? resumed ?? (oldest?.sequence ?? 1) - 1;
      const released = streams.open(principal);
      return eventStream(gateway, after, [signal, closing], shown, own, released);
    }
    const events = await gateway.events(query.after, own);
    return { events: events.filter(await shown()), last: events.at(-1)?.sequence ?? query.after ?? 0 };
  },
});
