import type { ToolcribError } from '../errors.ts';
import type { EventBody } from '../operations/index.ts';
import type { Store } from '../store/store.ts';
import { storeError, translated } from '../store/store-errors.ts';
import type { EventLog, EventLogOptions } from './event-log.ts';
import { endsCall, entryOf } from './event-rows.ts';
import { followEvents } from './follow.ts';
import { createGroupCommit } from './group-commit.ts';
import { listEvents } from './list-events.ts';
import { createPresence, newestSequence } from './presence.ts';
import { startRecovery } from './recovery.ts';
import { createSubscribers } from './subscribers.ts';

export interface DurableEventsOptions extends Pick<EventLogOptions, 'now' | 'onListenerError'> {
  readonly store: Store;
  /** Takes secrets out of a fact before it is written or told. */
  readonly redact?: (body: EventBody) => EventBody;
  /** The store could not be written. The end of a call, and a fact beside calls, is written as soon as the store takes it. */
  readonly onError?: (error: ToolcribError, body?: EventBody) => void;
  /** Also ends the calls of processes that are gone. Default: true. */
  readonly recover?: boolean;
}

/**
 * The log in the store: numbered by the database, shared by all processes. `append` resolves after the commit; the
 * end of a call brings its usage row in the same transaction.
 */
export function createDurableEvents(options: DurableEventsOptions): EventLog {
  const { store, redact = (body) => body, now = Date.now, onError = () => {} } = options;
  const subscribers = createSubscribers(options.onListenerError ?? (() => {}));
  const presence = createPresence(store, (error) => onError(storeError(error)));
  const group = createGroupCommit({
    store,
    entryOf: (body) => entryOf(body, now(), store.process),
    prepare: () => presence.fresh(),
    doubted: (call) => presence.doubted(call),
    committed(event) {
      if (event.type === 'call-started') presence.started(event.call, event.sequence);
      else if (endsCall(event)) presence.ended(event.call);
      presence.saw(event.sequence);
      subscribers.tell(event);
    },
    failed: onError,
  });
  const recovery =
    options.recover === false ? undefined : startRecovery(store, (error) => onError(storeError(error)));
  return {
    append: (body) => group.add(redact(body)),
    subscribe: subscribers.add,
    list: (after, query) => listEvents(store, after, query),
    follow(signal, after) {
      // what is newest is asked now: the reader may begin later
      const start = after === undefined ? newestSequence(store) : Promise.resolve(after);
      start.catch(() => undefined);
      return followEvents(
        {
          read: (seen) => listEvents(store, seen),
          onNews(wake) {
            const stops = [subscribers.add(wake), store.onAppend(wake)];
            return () => {
              for (const stop of stops) stop();
            };
          },
        },
        signal,
        () => start.catch(() => newestSequence(store)),
      );
    },
    async close() {
      await recovery?.stop();
      await group.close();
      await translated(presence.close());
    },
  };
}
