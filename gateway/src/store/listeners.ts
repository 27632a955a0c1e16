/** Who wants to be told. A listener that throws costs nobody else. */
export interface Listeners<T> {
  readonly size: number;
  add(listener: (value: T) => void): () => void;
  tell(value: T): void;
}

/** `occupied` is called when the first listener comes, and what it returns when the last one leaves. */
export function createListeners<T>(occupied: () => () => void = () => () => {}): Listeners<T> {
  const listeners = new Set<{ readonly listener: (value: T) => void }>();
  let vacated = () => {};
  return {
    get size() {
      return listeners.size;
    },
    add(listener) {
      const entry = { listener };
      listeners.add(entry);
      if (listeners.size === 1) vacated = occupied();
      return () => {
        if (listeners.delete(entry) && listeners.size === 0) vacated();
      };
    },
    tell(value) {
      for (const { listener } of [...listeners]) {
        try {
          listener(value);
        } catch (error) {
          process.emitWarning(error instanceof Error ? error : String(error));
        }
      }
    },
  };
}
