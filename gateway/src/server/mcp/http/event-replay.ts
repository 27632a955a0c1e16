import type { EventStore } from '@modelcontextprotocol/server';

const MAX_EVENTS = 256;
const MAX_BYTES = 1024 * 1024;

interface StoredEvent {
  readonly id: string;
  readonly stream: string;
  /** The message as JSON; an empty object marks the beginning of a stream. */
  readonly message: string;
}

export interface EventReplay extends EventStore {
  /** Keeps a message that is JSON already; answers with its event's id. */
  add(stream: string, message: string): string;
}

/**
 * The newest messages of one session, so that a client whose stream broke gets what it missed (Last-Event-ID). It has no
 * `getStreamIdForEventId`: with it the SDK refuses to continue a stream whose old connection is not known to be gone.
 */
export function createEventReplay(): EventReplay {
  const events: StoredEvent[] = [];
  let bytes = 0;
  let sequence = 0;
  const add = (stream: string, message: string): string => {
    const id = `${stream}.${++sequence}`;
    events.push({ id, stream, message });
    bytes += message.length;
    while (events.length > MAX_EVENTS || (bytes > MAX_BYTES && events.length > 1))
      bytes -= events.shift()!.message.length;
    return id;
  };
  return {
    add,
    storeEvent: async (stream, message) => add(stream, JSON.stringify(message)),
    async replayEventsAfter(lastId, { send }) {
      const stream = lastId.slice(0, Math.max(0, lastId.lastIndexOf('.')));
      const after = Number(lastId.slice(stream.length + 1));
      for (const event of [...events]) {
        const number = Number(event.id.slice(event.id.lastIndexOf('.') + 1));
        if (event.stream === stream && number > after && event.message !== '{}')
          await send(event.id, JSON.parse(event.message));
      }
      return stream;
    },
  };
}
