import { END_SIGNALS, endsWith, exitOf } from './end-by-signal.ts';

/** Aborts when the process is asked to end; a second request ends it at once. */
export interface StopSignal extends Disposable {
  readonly signal: AbortSignal;
  /** Of what was broken off: the request's own exit code, else the given one. */
  exit(otherwise: number): number;
  /** It is started: from now on there is something to finish first. */
  started(): void;
}

/** Milliseconds; the longest that a timer takes. */
const EVER_MS = 2 ** 31 - 1;

/**
 * Whoever waits for it keeps the process alive until it is disposed: the store's own timers do not.
 * @param starting the first request ends the process at once, too, until `started`: a source may not answer for long
 */
export function stopSignal(starting = false): StopSignal {
  const waiting = setInterval(() => undefined, EVER_MS);
  const controller = new AbortController();
  let first: number | undefined;
  const stop = (signal: (typeof END_SIGNALS)[number]): void => {
    if (starting || controller.signal.aborted) {
      endsWith(exitOf(signal));
      process.exit();
    }
    first = exitOf(signal);
    controller.abort();
  };
  for (const name of END_SIGNALS) process.on(name, stop);
  return {
    signal: controller.signal,
    exit: (otherwise) => first ?? otherwise,
    started: () => {
      starting = false;
    },
    [Symbol.dispose]: () => {
      clearInterval(waiting);
      for (const name of END_SIGNALS) process.off(name, stop);
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
