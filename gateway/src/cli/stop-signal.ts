/** Aborts when the process is asked to end; a second request ends it at once. */
export interface StopSignal extends Disposable {
  readonly signal: AbortSignal;
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Milliseconds; the longest that a timer takes. */
const EVER_MS = 2 ** 31 - 1;

/** Whoever waits for it keeps the process alive until it is disposed: the store's own timers do not. */
export function stopSignal(): StopSignal {
  const waiting = setInterval(() => undefined, EVER_MS);
  const controller = new AbortController();
  const stop = (): void => {
    if (controller.signal.aborted) process.exit(75);
    controller.abort();
  };
  for (const name of SIGNALS) process.on(name, stop);
  return {
    signal: controller.signal,
    [Symbol.dispose]: () => {
      clearInterval(waiting);
      for (const name of SIGNALS) process.off(name, stop);
    },
  };
}

/** Resolves when the signal aborts. */
export function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
