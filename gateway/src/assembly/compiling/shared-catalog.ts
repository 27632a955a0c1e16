import type { Store } from '../../store/store.ts';

const SCOPE = 'catalog';

export interface SharedCatalog {
  /** This process's catalog or its lock changed: the others look again. */
  announce(): void;
  /** Resolves when the others know of the last change. */
  close(): Promise<void>;
}

/**
 * Keeps the catalogs of several processes together: a change on one makes the others read their sources and the
 * lock again. What they find there decides, so that nothing is taken over from another process's word.
 */
export function shareCatalog(
  store: Store,
  lookAgain: () => Promise<unknown>,
  failed: (error: unknown) => void,
): SharedCatalog {
  let own = -1;
  let announcing: Promise<unknown> = Promise.resolve();
  const stop = store.onChange((scope) => {
    if (scope !== SCOPE && scope !== '*') return;
    void announcing
      .then(() => store.revision(SCOPE))
      .then(async (revision) => {
        if (revision === own || revision === 0) return;
        own = revision;
        await lookAgain();
      })
      .catch(failed);
  });
  return {
    announce() {
      announcing = announcing
        .then(() => store.change([SCOPE], async () => undefined))
        .then(async () => {
          own = await store.revision(SCOPE);
        })
        .catch(failed);
    },
    async close() {
      stop();
      await announcing;
    },
  };
}
