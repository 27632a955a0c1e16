import type { Store } from '../../store/store.ts';
import { BoundedMap } from '../bounded-map.ts';

/** What was noted of an account is not noted again so soon, milliseconds. */
const PAUSE_MS = 60_000;
const ACCOUNTS = 10_000;

/** Notes how accounts fare, beside the calls: nothing waits for it, and what anybody may do stays as it is. */
export interface AccountNotes {
  /** Whoever keeps the credential says that somebody has to connect the account anew. */
  ended(account: string): void;
  /** The provider took the credential. */
  worked(account: string): void;
  /** When what was noted is written. */
  settled(): Promise<void>;
}

interface Noted {
  readonly ended: boolean;
  readonly at: number;
}

export function createAccountNotes(store: Store, now: () => number = Date.now): AccountNotes {
  const noted = new BoundedMap<string, Noted>(ACCOUNTS);
  /** One after the other: what came later counts. */
  let written: Promise<unknown> = Promise.resolve();
  const write = async (account: string, { ended, at }: Noted) => {
    const row = store.database.updateTable('connections').where('id', '=', account);
    const changed = ended
      ? row.set({ reconnect_since: at }).where('reconnect_since', 'is', null)
      : row.set({ reconnect_since: null }).where('reconnect_since', 'is not', null);
    await changed.execute();
  };
  const note = (account: string, ended: boolean) => {
    const at = now();
    const before = noted.get(account);
    if (before?.ended === ended && at - before.at < PAUSE_MS) return;
    const one = { ended, at };
    noted.set(account, one);
    // a store that is busy or closing: the next call notes it again
    written = written.then(() => write(account, one)).catch(() => noted.delete(account));
  };
  return {
    ended: (account) => note(account, true),
    worked: (account) => note(account, false),
    settled: async () => void (await written),
  };
}
