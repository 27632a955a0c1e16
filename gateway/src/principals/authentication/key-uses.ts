import type { Store } from '../../store/store.ts';
import { BoundedMap } from '../bounded-map.ts';

/** How exactly the last use is known, milliseconds: one write a key and process in that time. */
const EXACTNESS_MS = 60_000;
const KEYS = 10_000;

/** Notes when keys are used, beside the request: nothing waits for it, and no revision is raised. */
export interface KeyUses {
  note(key: string): void;
  /** When what was noted is written. */
  settled(): Promise<void>;
}

export function createKeyUses(store: Store, now: () => number = Date.now): KeyUses {
  const noted = new BoundedMap<string, number>(KEYS);
  const writing = new Set<Promise<unknown>>();
  const write = async (key: string, at: number) => {
    await store.database
      .updateTable('api_keys')
      .set({ last_used_at: at })
      .where('id', '=', key)
      .where((where) => where.or([where('last_used_at', 'is', null), where('last_used_at', '<', at)]))
      .execute();
  };
  return {
    note(key) {
      const at = now();
      if (at - (noted.get(key) ?? Number.NEGATIVE_INFINITY) < EXACTNESS_MS) return;
      noted.set(key, at);
      // a store that is busy or closing: the next use is noted again
      const written = write(key, at).catch(() => noted.delete(key));
      writing.add(written);
      void written.finally(() => writing.delete(written));
    },
    settled: async () => void (await Promise.all(writing)),
  };
}
