import { sql } from 'kysely';
import { storeClock } from '../store/clock.ts';
import type { Store } from '../store/store.ts';

/** How often a process says that it lives, milliseconds. */
const BEAT_MS = 5000;

/** This process's row in `processes`, from its first event until it closes its log. */
export interface Presence {
  /** Makes sure that others see this process alive before it starts a call, also after a long sleep. */
  fresh(): Promise<void> | undefined;
  started(call: string, sequence: number): void;
  /** The call may have been started, with whatever sequence comes. */
  doubted(call: string): void;
  ended(call: string): void;
  saw(sequence: number): void;
  /** Takes the row away; with calls still open it is left for others to see that they have ended. */
  close(): Promise<void>;
}

export function createPresence(store: Store, onError: (error: unknown) => void): Presence {
  const open = new Map<string, number>();
  let last: number | undefined;
  /** Calls before it are not looked for when this process is gone. */
  let announced = 0;
  let beatAt = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;

  const beat = async () => {
    last ??= await newestSequence(store);
    // mostly the oldest stands first; not where the database lost its last commits and numbers anew
    announced = Math.min(last + 1, ...open.values());
    const at = Date.now();
    await announce(store, announced);
    beatAt = at;
  };

  return {
    fresh() {
      // a long sleep or a blocked process stops timers, but not the clock
      if (Math.abs(Date.now() - beatAt) < 2 * BEAT_MS) return undefined;
      timer ??= setInterval(() => void beat().catch(onError), BEAT_MS).unref();
      return beat();
    },
    started(call, sequence) {
      open.set(call, sequence);
      if (sequence < announced) void beat().catch(onError);
    },
    doubted: (call) => void open.set(call, (last ?? 0) + 1),
    ended: (call) => void open.delete(call),
    saw(sequence) {
      // they only increase, unless the database lost its last commits: what it numbers then is what counts
      last = sequence;
    },
    async close() {
      clearInterval(timer);
      if (timer === undefined) return;
      if (open.size === 0) {
        await store.database.deleteFrom('processes').where('id', '=', store.process).execute();
      } else {
        await store.database
          .updateTable('processes')
          .set({ seen_at: 0 })
          .where('id', '=', store.process)
          .execute();
      }
    },
  };
}

async function announce(store: Store, openFrom: number): Promise<void> {
  const { id, machine, pid } = store.identity;
  const now = storeClock(store.dialect);
  await store.database
    .insertInto('processes')
    .values({ id, machine, pid, started_at: now, seen_at: now, open_from: openFrom })
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet({ seen_at: sql`excluded.seen_at`, open_from: openFrom }),
    )
    .execute();
}

export async function newestSequence(store: Pick<Store, 'database'>): Promise<number> {
  const { last } = await store.database
    .selectFrom('events')
    .select((on) => on.fn.max('sequence').as('last'))
    .executeTakeFirstOrThrow();
  return Number(last ?? 0);
}
