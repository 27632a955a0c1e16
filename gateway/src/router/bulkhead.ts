import { isTimeout } from '../egress/index.ts';
import { isToolcribError, ToolcribError } from '../errors.ts';

export interface Bulkhead {
  /**
   * Undefined when a slot was free: no promise on the ordinary path. Rejects with `overloaded`, or with
   * `cancelled` or `deadline_exceeded` when the signal ends the wait.
   */
  enter(signal: AbortSignal, caller?: string): Promise<void> | undefined;
  /** Gives the slot back; exactly once for each successful `enter`. */
  leave(caller?: string): void;
}

interface Waiting {
  readonly caller: string;
  readonly admit: () => void;
  readonly refuse: (error: unknown) => void;
}

/** Of the slots that one user may have; nobody else would come in while its calls take long. */
const SHARE = 3 / 4;

/**
 * At most `capacity` tasks at once; as many more wait, and leave the queue with their signal. `overloaded` beyond
 * that. Who has the fewest tasks under way comes next, among equals who came first; in a full queue the caller with
 * the most places gives its last one to a caller with fewer. The caller '' is the owner, and may have all slots.
 */
export function createBulkhead(name: string, capacity: number): Bulkhead {
  const share = Math.ceil(capacity * SHARE);
  let active = 0;
  const running = new Map<string, number>();
  const queue = new Set<Waiting>();
  const runs = (caller: string) => running.get(caller) ?? 0;
  const mayRun = (caller: string) => active < capacity && (caller === '' || runs(caller) < share);
  const begin = (caller: string) => {
    active++;
    running.set(caller, runs(caller) + 1);
  };
  const end = (caller: string) => {
    active--;
    if (runs(caller) > 1) running.set(caller, runs(caller) - 1);
    else running.delete(caller);
  };
  /** Who waits and may run now, with the fewest tasks under way. */
  const nextOne = (): Waiting | undefined => {
    let next: Waiting | undefined;
    for (const waiting of queue) {
      if (!mayRun(waiting.caller)) continue;
      if (next === undefined || runs(waiting.caller) < runs(next.caller)) next = waiting;
    }
    return next;
  };
  /** False when the queue is full of callers that have no more places than this one would have. */
  const makeRoom = (caller: string): boolean => {
    if (queue.size < capacity) return true;
    const places = new Map<string, { count: number; last: Waiting }>();
    for (const waiting of queue) {
      places.set(waiting.caller, { count: (places.get(waiting.caller)?.count ?? 0) + 1, last: waiting });
    }
    const most = [...places.values()].reduce((a, b) => (b.count > a.count ? b : a));
    if (most.count <= (places.get(caller)?.count ?? 0) + 1) return false;
    most.last.refuse(overloaded(name, capacity));
    return true;
  };
  return {
    enter(signal, caller = '') {
      if (signal.aborted) return Promise.reject(ended(name, signal.reason));
      // whoever waits may not run: nobody is passed
      if (mayRun(caller)) {
        begin(caller);
        return undefined;
      }
      if (!makeRoom(caller)) return Promise.reject(overloaded(name, capacity));
      return new Promise((resolve, reject) => {
        const leave = () => {
          queue.delete(waiting);
          signal.removeEventListener('abort', onAbort);
        };
        const waiting: Waiting = {
          caller,
          admit() {
            leave();
            resolve();
          },
          refuse(error) {
            leave();
            reject(error);
          },
        };
        const onAbort = () => waiting.refuse(ended(name, signal.reason));
        queue.add(waiting);
        signal.addEventListener('abort', onAbort, { once: true });
      });
    },
    leave(caller = '') {
      end(caller);
      const next = nextOne();
      if (next === undefined) return;
      // the slot changes hands at once, so that nobody who comes later can take it
      begin(next.caller);
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
