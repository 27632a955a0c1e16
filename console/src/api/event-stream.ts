import { useEffect, useRef, useSyncExternalStore } from 'react';
import type { Event } from '../../../gateway/src/operations/index.ts';
import { EventConnection, type Gap, type StreamState } from './event-connection.ts';
import { type Session, useSession } from './session.ts';

export type { Event, StreamState };

interface EventFilter {
  /** Only these types; absent: all. A type that ends with `*` stands for all that begin so: `approval-*`. */
  readonly types?: readonly string[];
  /** Only what belongs to this call. */
  readonly call?: string;
}

interface EventListener {
  /** In the order of the log, several at once: at most one round a frame, four a second in a hidden tab. */
  onEvents(events: readonly Event[]): void;
  /** Events were lost, or the log began anew: whoever keeps a list reads it again. */
  onGap?(gap: Gap): void;
}

/** The console's one stream: opened with the first listener, closed a moment after the last one. */
const connection = new EventConnection();

/**
 * Tells what happens from now on, by the stream that the whole console shares; continues behind the last event after
 * a lost connection. A new listener hears only what comes: read the list once `useStreamState` says `open` (what
 * comes in between is then in one of the two, maybe in both).
 */
export function useEvents(filter: EventFilter, listener: EventListener | EventListener['onEvents']): void {
  const { data: session } = useSession();
  const who = identityOf(session);
  useEffect(() => connection.as(who), [who]);
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
          if (shown.length === 0) return;
          if (typeof told === 'function') told(shown);
          else told.onEvents(shown);
        },
        onGap(gap) {
          const { listener: told } = latest.current;
          if (typeof told !== 'function') told.onGap?.(gap);
        },
      }),
    [],
  );
}

/** How the stream is: `connecting` (never open yet), `open`, `lost` (tried again by itself), `closed` (nobody may, or listens). */
export function useStreamState(): StreamState {
  return useSyncExternalStore(connection.onState, () => connection.state);
}

/** Undefined: nobody is signed in, and the gateway wants somebody to be. */
function identityOf(session: Session | undefined): string | undefined {
  if (session === undefined || (!session.signedIn && session.mode !== 'open')) return undefined;
  return `${session.kind ?? 'nobody'} ${session.principal?.organisation ?? ''} ${session.principal?.id ?? ''}`;
}

function fits(event: Event, { types, call }: EventFilter): boolean {
  if (call !== undefined && !('call' in event && event.call === call)) return false;
  return (
    types === undefined ||
    types.some((type) =>
      type.endsWith('*') ? event.type.startsWith(type.slice(0, -1)) : type === event.type,
    )
  );
}
