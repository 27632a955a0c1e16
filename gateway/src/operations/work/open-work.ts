/** Work that is under way, counted: whoever closes waits for it. */
export interface OpenWork {
  run<T>(work: () => Promise<T>): Promise<T>;
  /** Resolves when none is open; false when the time passed first. */
  settled(timeoutMs: number): Promise<boolean>;
}

export function countOpenWork(): OpenWork {
  let open = 0;
  let settled = Promise.withResolvers<void>();
  return {
    async run(work) {
      open++;
      try {
        return await work();
      } finally {
        if (--open === 0) {
          settled.resolve();
          settled = Promise.withResolvers<void>();
        }
      }
    },
    async settled(timeoutMs) {
      if (open === 0) return true;
      const late = Promise.withResolvers<boolean>();
      const timer = setTimeout(() => late.resolve(false), timeoutMs);
      try {
        return await Promise.race([settled.promise.then(() => true), late.promise]);
      } finally {
        clearTimeout(timer);
      }
    },
  };
}
