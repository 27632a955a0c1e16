/** Hands on what a piece of work tells while it runs, in order; ends with what the work returns or throws. */
export async function* whileRunning<T, R>(
  work: (emit: (event: T) => void) => Promise<R>,
): AsyncGenerator<T, R> {
  const waiting: T[] = [];
  let wake = Promise.withResolvers<void>();
  let ended = false;
  const running = work((event) => {
    waiting.push(event);
    wake.resolve();
  }).finally(() => {
    ended = true;
    wake.resolve();
  });
  // looked at below; a reader who leaves earlier misses nothing that concerns it
  running.catch(() => undefined);
  for (;;) {
    while (waiting.length > 0) yield waiting.shift()!;
    if (ended) return await running;
    await wake.promise;
    wake = Promise.withResolvers<void>();
  }
}
