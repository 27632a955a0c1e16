import { useEffect, useEffectEvent, useMemo, useRef, useSyncExternalStore } from 'react';
import type { Event } from '../../../gateway/src/operations/index.ts';
import { ApiError } from './api-error.ts';
import { api, doubtSession } from './client.ts';
import { EventConnection, type StreamIdentity } from './event-connection.ts';
import type { Gap, StreamFailure } from './event-reader.ts';
import { oneAtATime } from './one-at-a-time.ts';
import { isInside, personOf, type Session, useSession } from './session.ts';
import { onSessionChanged } from './session-news.ts';
import type { StreamState } from './stream-words.ts';

export type { Event, StreamState };

interface EventFilter {
  /** Only these types; absent: all. A type that ends with `*` stands for all that begin so: `approval-*`. */
  readonly types?: readonly string[];
  /** Only what belongs to this call. */
  readonly call?: string;
  /** Only what names this tool. */
  readonly tool?: string;
}

interface EventListener {
  /** In the order of the log, several at once: at most one round a frame, four a second in a hidden tab. */
  onEvents(events: readonly Event[]): void;
  /** Events were lost, or the log began anew: whoever keeps a list reads it again. */
  onGap?(gap: Gap): void;
}

/** This tab's part in the one stream: joined with the first listener, left a moment after the last one. */
const connection = new EventConnection(checkSession);

/**
 * Tells what happens from now on, by the stream that all tabs share; continues behind the last event after
 * a lost connection. A new listener hears only what comes: read the list once `useStreamState` says `open` (what
 * comes in between is then in one of the two, maybe in both).
 */
export function useEvents(filter: EventFilter, listener: EventListener): void {
  const { data: session, dataUpdatedAt } = useSession();
  useEffect(() => connection.as(identityOf(session), dataUpdatedAt), [session, dataUpdatedAt]);
  const latest = useRef({ filter, listener });
  useEffect(() => {
    latest.current = { filter, listener };
  });
  useEffect(
    () =>
      connection.listen({
        onEvents(events) {
          const { filter: wanted, listener: told } = latest.current;
          const shown = events.filter((event) => fits(event, wanted));
          if (shown.length > 0) told.onEvents(shown);
        },
        onGap: (gap) => latest.current.listener.onGap?.(gap),
      }),
    [],
  );
}

/**
 * For what is read by requests: `again` is called when one of these events happened, and when one may have happened
 * unheard: where events were lost, and once the stream is open behind a page that was read before. It resolves when it
 * has read: what happens until then is read by one more round.
 */
export function useChanges(filter: EventFilter, again: () => Promise<unknown>): void {
  const latest = useRef(again);
  useEffect(() => {
    latest.current = again;
  });
  const ask = useMemo(() => oneAtATime(() => latest.current()), []);
  useEvents(filter, { onEvents: ask, onGap: ask });
  const stream = useStreamState();
  const before = useRef(stream);
  const onOpen = useEffectEvent(ask);
  useEffect(() => {
    if (stream === 'open' && before.current !== 'open' && before.current !== 'lost') onOpen();
    before.current = stream;
  }, [stream]);
}

/** Once a page: when another tab signs in or out, this one's stream is closed until it is known who it is now. */
export function useSessionChanges(): void {
  useEffect(
    () =>
      onSessionChanged(() => {
        connection.hold();
        doubtSession();
      }),
    [],
  );
}

/** How the stream is: `connecting` (never open yet), `open`, `lost` (tried again by itself), `closed` (nobody may, or listens). */
export function useStreamState(): StreamState {
  return useSyncExternalStore(connection.onState, () => connection.state);
}

/** Why the stream is lost; undefined where that is not known. */
export function useStreamFailure(): StreamFailure | undefined {
  return useSyncExternalStore(connection.onState, () => connection.failure);
}

/** Undefined: nobody is signed in, and the gateway wants somebody to be. */
function identityOf(session: Session | undefined): StreamIdentity | undefined {
  if (session === undefined || !isInside(session)) return undefined;
  return { person: personOf(session), session: session.csrf ?? '' };
}

/** Another tab may have signed in or out since. Throws what requests throw, and where it is another session. */
async function checkSession({ person, session }: StreamIdentity, signal: AbortSignal): Promise<void> {
  const now = identityOf(await api<Session>('GET', '/session', { signal }));
  if (now?.person === person && now.session === session) return;
  doubtSession();
  throw new ApiError(401, { message: 'Somebody else is signed in by now.' });
}

function fits(event: Event, { types, call, tool }: EventFilter): boolean {
  if (call !== undefined && !('call' in event && event.call === call)) return false;
  if (tool !== undefined && !('tool' in event && event.tool === tool)) return false;
  return (
    types === undefined ||
    types.some((type) =>
      type.endsWith('*') ? event.type.startsWith(type.slice(0, -1)) : type === event.type,
    )
  );
}
