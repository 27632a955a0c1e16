import type { Change } from '../gateway-types.ts';

/** Tells every listener of a change. */
export function changeNotices() {
  const listeners = new Set<(change: Change) => void>();
  return {
    announce(change: Change): void {
      for (const listener of listeners) listener(change);
    },
    onChange(listener: (change: Change) => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
