/** What the tabs of one browser have in common. */
export interface Tabs {
  /** What a channel and a lock are called for whoever this is: tells nothing of it. */
  nameOf(whose: string): Promise<string>;
  /** Words go to the other tabs of this name, in the order in which one tab says them. */
  join(name: string, onWord: (word: unknown) => void): TabChannel;
  /**
   * Runs `held` while this tab has the lock. `signal` ends the waiting, `steal` takes it from whoever has it. Rejects
   * with `AbortError` when the waiting was ended, or the lock was taken away: then `held` may still run.
   */
  lock(name: string, wanted: LockWanted, held: () => Promise<void>): Promise<void>;
}

export type LockWanted = { readonly steal: true } | { readonly signal: AbortSignal };

export interface TabChannel {
  post(word: unknown): void;
  close(): void;
}

/** Raised when words change their meaning: a tab may be older than the gateway. */
const VERSION = 1;

/** The tabs of this browser; where it lacks what that takes, or the page comes by plain HTTP, each is alone. */
export function browserTabs(): Tabs {
  const { locks } = navigator as Partial<Navigator>;
  const { subtle } = crypto as Partial<Crypto>;
  if (locks === undefined || subtle === undefined || !('BroadcastChannel' in globalThis)) return ALONE;
  return {
    async nameOf(whose) {
      const hash = new Uint8Array(await subtle.digest('SHA-256', new TextEncoder().encode(whose)));
      const text = [...hash.subarray(0, 16)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
      return `toolcrib-events-${VERSION}-${text}`;
    },
    join(name, onWord) {
      const channel = new BroadcastChannel(name);
      channel.onmessage = ({ data }) => onWord(data);
      return { post: (word) => channel.postMessage(word), close: () => channel.close() };
    },
    async lock(name, wanted, held) {
      await locks.request(name, wanted, held);
    },
  };
}

const ALONE: Tabs = {
  nameOf: async () => '',
  join: () => ({ post: () => undefined, close: () => undefined }),
  lock: (_name, _wanted, held) => held(),
};
