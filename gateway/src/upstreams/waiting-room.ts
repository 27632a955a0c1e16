import { ToolcribError } from '../errors.ts';

/** Callers that wait for the same thing, each until its own limit. */
export interface WaitingRoom<T> {
  readonly size: number;
  /** @param limit milliseconds since the epoch, after which `late` says why nothing came */
  enter(signal: AbortSignal, limit: number, late: () => Error): Promise<T>;
  admit(value: T): void;
  refuse(error: () => Error): void;
  /** Nobody waits longer than this, milliseconds since the epoch. */
  shorten(limit: number): void;
}

interface Waiter<T> {
  readonly admit: (value: T) => void;
  readonly shorten: (limit: number) => void;
  readonly refuse: (error: Error) => void;
}

/** The end of a call of which nothing was sent. */
export function endedBefore(signal: AbortSignal): ToolcribError {
  return (signal.reason as Error | undefined)?.name === 'TimeoutError'
    ? new ToolcribError('deadline_exceeded', 'The deadline passed before anything was sent.')
    : new ToolcribError('cancelled', 'The call was cancelled before anything was sent.');
}

export function createWaitingRoom<T>(): WaitingRoom<T> {
  const waiters = new Set<Waiter<T>>();
  return {
    get size() {
      return waiters.size;
    },
    enter(signal, limit, late) {
      return new Promise<T>((resolve, reject) => {
        let until = limit;
        let timer: NodeJS.Timeout | undefined;
        const leave = () => {
          waiters.delete(waiter);
          clearTimeout(timer);
          signal.removeEventListener('abort', onAbort);
        };
        const refuse = (error: Error) => {
          leave();
          reject(error);
        };
        const onAbort = () => refuse(endedBefore(signal));
        const waiter: Waiter<T> = {
          admit: (value) => {
            leave();
            resolve(value);
          },
          refuse,
          shorten(earlier) {
            if (earlier >= until) return;
            clearTimeout(timer);
            until = earlier;
            arm();
          },
        };
        const arm = () => {
          timer = setTimeout(() => refuse(late()), Math.min(Math.max(until - Date.now(), 0), 0x7fffffff));
        };
        arm();
        waiters.add(waiter);
        if (signal.aborted) onAbort();
        else signal.addEventListener('abort', onAbort, { once: true });
      });
    },
    admit(value) {
      for (const waiter of [...waiters]) waiter.admit(value);
    },
    shorten(limit) {
      for (const waiter of [...waiters]) waiter.shorten(limit);
    },
    refuse(error) {
      for (const waiter of [...waiters]) waiter.refuse(error());
    },
  };
}
