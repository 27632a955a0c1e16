import { type RefObject, useEffect, useSyncExternalStore } from 'react';
import { isPageKey } from './single-keys.ts';

export type PageKey = readonly [keys: string, what: string];

const listeners = new Set<() => void>();
const NONE: readonly PageKey[] = [];
let shown: readonly PageKey[] = NONE;

/** Says which keys this page has, for the list that `?` opens. `keys` is one constant. */
export function usePageKeys(keys: readonly PageKey[]): void {
  useEffect(() => {
    show(keys);
    return () => show(NONE);
  }, [keys]);
}

/** Keys of the page that is shown. */
export function useShownKeys(): readonly PageKey[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    () => shown,
  );
}

/** `/` goes to the search of the page. */
export function useSearchKey(search: RefObject<HTMLInputElement | null>): void {
  useEffect(() => {
    const go = (event: KeyboardEvent) => {
      if (event.key !== '/' || !isPageKey(event) || search.current === null) return;
      event.preventDefault();
      search.current.focus();
    };
    addEventListener('keydown', go);
    return () => removeEventListener('keydown', go);
  }, [search]);
}

function show(keys: readonly PageKey[]): void {
  shown = keys;
  for (const listener of listeners) listener();
}
