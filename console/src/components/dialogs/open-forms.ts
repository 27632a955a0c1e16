import { useEffect, useSyncExternalStore } from 'react';

const listeners = new Set<() => void>();
let open = 0;

/** While it is drawn, a dialog holds what would be lost. */
export function useOpenForm(keeps: boolean): void {
  useEffect(() => {
    if (!keeps) return;
    count(1);
    return () => count(-1);
  }, [keeps]);
}

/** Something is written, or shown once, that goes with its page. */
export function useHasOpenForm(): boolean {
  return useSyncExternalStore(listen, () => open > 0);
}

function count(change: number): void {
  open += change;
  for (const told of listeners) told();
}

function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
