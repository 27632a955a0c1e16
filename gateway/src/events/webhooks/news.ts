/** Whether something was appended, for those who look now and then. */
export interface News {
  tell(): void;
  /** What has been told so far; taken before one looks. */
  mark(): number;
  /** So long at most, milliseconds; with a mark, no longer than until something is told after it. */
  wait(ms: number, mark?: number): Promise<void>;
  /** Ends every wait, also those to come. */
  close(): void;
}

export function createNews(): News {
  const waiting = new Set<{ readonly end: () => void; readonly forNews: boolean }>();
  let told = 0;
  let closed = false;
  return {
    tell() {
      told++;
      for (const { end, forNews } of [...waiting]) if (forNews) end();
    },
    mark: () => told,
    async wait(ms, mark) {
      if (closed || ms <= 0 || (mark !== undefined && mark !== told)) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      const entry = { end: resolve, forNews: mark !== undefined };
      const timer = setTimeout(resolve, ms).unref();
      waiting.add(entry);
      await promise;
      waiting.delete(entry);
      clearTimeout(timer);
    },
    close() {
      closed = true;
      for (const { end } of [...waiting]) end();
    },
  };
}
