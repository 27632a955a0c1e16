import type { EventStore, JSONRPCMessage } from '@modelcontextprotocol/server';

const MAX_EVENTS = 256;
const MAX_BYTES = 1024 * 1024;

interface StoredEvent {
  readonly id: string;
  readonly stream: string;
  readonly message: JSONRPCMessage;
  readonly size: number;
}

/** The newest messages of one session, so that a client whose stream broke gets what it missed (Last-Event-ID). */
export function createEventReplay(): EventStore {
  const events: StoredEvent[] = [];
  let bytes = 0;
  let sequence = 0;
  return {
    async storeEvent(stream, message) {
      const id = `${stream}.${++sequence}`;
      const size = JSON.stringify(message).length;
      events.push({ id, stream, message, size });
      bytes += size;
      while (events.length > MAX_EVENTS || (bytes > MAX_BYTES && events.length > 1))
        bytes -= events.shift()!.size;
      return id;
    },
    async getStreamIdForEventId(id) {
      return id.slice(0, Math.max(0, id.lastIndexOf('.'))) || undefined;
    },
    async replayEventsAfter(lastId, { send }) {
      const stream = lastId.slice(0, Math.max(0, lastId.lastIndexOf('.')));
      const after = Number(lastId.slice(stream.length + 1));
      for (const event of [...events]) {
        const number = Number(event.id.slice(event.id.lastIndexOf('.') + 1));
        const empty = Object.keys(event.message).length === 0;
        if (event.stream === stream && number > after && !empty) await send(event.id, event.message);
      }
      return stream;
    },
  };
}
