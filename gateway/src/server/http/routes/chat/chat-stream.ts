import type { ChatEvent } from '../../../../operations/chat.ts';
import { eventResponse, KEEP_ALIVE, soon } from '../../server-sent-events.ts';

/**
 * A conversation as Server-Sent Events, read only as fast as the client takes them. What keeps it from beginning
 * rejects. `released` is called when it is over, maybe more than once.
 */
export async function chatStream(events: AsyncIterable<ChatEvent>, released: () => void): Promise<Response> {
  const iterator = events[Symbol.asyncIterator]();
  let coming = iterator.next();
  // what fails before the first event has a status of its own
  await coming.catch((error: unknown) => {
    released();
    throw error;
  });
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const next = await soon(coming).catch((error: unknown) => {
        released();
        throw error;
      });
      if (next === undefined) {
        controller.enqueue(encoder.encode(KEEP_ALIVE));
      } else if (next.done) {
        released();
        controller.close();
      } else {
        coming = iterator.next();
        coming.catch(() => undefined);
        controller.enqueue(encoder.encode(frame(next.value)));
      }
    },
    cancel: released,
  });
  return eventResponse(body);
}

/** An event as clients see it: what is for going on in this process stays here. */
export function shownEvent(event: ChatEvent): Omit<ChatEvent, 'messages'> {
  if (event.type !== 'done' && event.type !== 'error') return event;
  const { messages: _messages, ...shown } = event;
  return shown;
}

function frame(event: ChatEvent): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(shownEvent(event))}\n\n`;
}
