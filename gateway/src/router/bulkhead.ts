import { isTimeout } from '../egress/index.ts';
import { isToolcribError, ToolcribError } from '../errors.ts';

export interface Bulkhead {
  /**
   * Undefined when a slot was free: no promise on the ordinary path. Rejects with `overloaded`, or with
   * `cancelled` or `deadline_exceeded` when the signal ends the wait.
   */
  enter(signal: AbortSignal): Promise<void> | undefined;
  /** Gives the slot back; exactly once for each successful `enter`. */
  leave(): void;
}

interface Waiting {
  readonly admit: () => void;
}

/**
 * At most `capacity` tasks at once; as many more wait, first come first served, and leave the queue with
 * their signal. `overloaded` beyond that.
 */
export function createBulkhead(name: string, capacity: number): Bulkhead {
  let active = 0;
  const queue = new Set<Waiting>();
  return {
    enter(signal) {
      if (signal.aborted) return Promise.reject(ended(name, signal.reason));
      if (active < capacity) {
        active++;
        return undefined;
      }
      if (queue.size >= capacity) return Promise.reject(overloaded(name, capacity));
      return new Promise((resolve, reject) => {
        const waiting: Waiting = {
          admit() {
            signal.removeEventListener('abort', onAbort);
            resolve();
          },
        };
        const onAbort = () => {
          queue.delete(waiting);
          reject(ended(name, signal.reason));
        };
        queue.add(waiting);
        signal.addEventListener('abort', onAbort, { once: true });
      });
    },
    leave() {
      const [next] = queue;
      if (next === undefined) {
        active--;
        return;
      }
      // the slot changes hands, so that nobody who comes later can take it
      queue.delete(next);
      next.admit();
    },
  };
}

function overloaded(name: string, capacity: number): ToolcribError {
  return new ToolcribError(
    'overloaded',
    `Connection ${name} has ${capacity} calls running and ${capacity} waiting.`,
    { details: { connection: name, concurrency: capacity } },
  );
}

function ended(name: string, reason: unknown): ToolcribError {
  if (isToolcribError(reason)) return reason;
  return isTimeout(reason)
    ? new ToolcribError(
        'deadline_exceeded',
        `The deadline passed while the call waited for connection ${name}.`,
      )
    : new ToolcribError('cancelled', `The caller went away while the call waited for connection ${name}.`);
}
