import type { Clock } from '../clock.ts';

const FIRST_MS = 2_000;
const LONGEST_MS = 15_000;
/** As long as a link is good. */
export const CONSENT_MS = 10 * 60_000;

export interface ConsentWatchOptions {
  readonly clock: Clock;
  /** Asks Azure for the connection's state; true when it is signed in or gone. */
  look(connection: string): Promise<boolean>;
  /** Milliseconds that requests should wait by Azure's word. */
  restMs(): number;
  /** Nobody is waited for any more. */
  idle(): void;
}

/** Looks at connections whose consent was asked for, until they are signed in or the link has ended. */
export interface ConsentWatch {
  /** Begins, or begins anew. */
  watch(connection: string): void;
  /** Looks now, and goes on with the shortest waits. */
  look(connection: string): Promise<void>;
  /** It is signed in, or gone. */
  done(connection: string): void;
  /** Those that are waited for, the latest first. */
  open(): readonly string[];
  close(): void;
}

interface Watched {
  readonly until: number;
  waitMs: number;
  cancel: (() => void) | undefined;
}

export function consentWatch({ clock, look, restMs, idle }: ConsentWatchOptions): ConsentWatch {
  const watched = new Map<string, Watched>();
  let closed = false;

  const done = (connection: string) => {
    const before = watched.get(connection);
    before?.cancel?.();
    if (watched.delete(connection) && watched.size === 0) idle();
  };

  const schedule = (connection: string, entry: Watched) => {
    const { waitMs } = entry;
    entry.waitMs = Math.min(waitMs * 1.5, LONGEST_MS);
    entry.cancel = clock.after(Math.max(waitMs, restMs()), () => void lookAt(connection, entry));
  };

  const lookAt = async (connection: string, entry: Watched) => {
    entry.cancel?.();
    const signedIn = await look(connection).catch(() => false);
    if (watched.get(connection) !== entry || closed) return;
    if (signedIn || clock.now() >= entry.until) done(connection);
    else schedule(connection, entry);
  };

  const begin = (connection: string): Watched => {
    watched.get(connection)?.cancel?.();
    watched.delete(connection);
    const entry: Watched = { until: clock.now() + CONSENT_MS, waitMs: FIRST_MS, cancel: undefined };
    watched.set(connection, entry);
    return entry;
  };

  return {
    watch(connection) {
      if (!closed) schedule(connection, begin(connection));
    },
    async look(connection) {
      if (!closed) await lookAt(connection, begin(connection));
    },
    done,
    open: () => [...watched.keys()].reverse(),
    close() {
      closed = true;
      for (const { cancel } of watched.values()) cancel?.();
      watched.clear();
    },
  };
}
