import { isTimeout } from '../egress/index.ts';
import { isToolcribError, ToolcribError } from '../errors.ts';
import type { RateLimit } from '../operations/index.ts';
import type { Store } from '../store/store.ts';
import { memorySlots, type Slots, storeSlots } from './rate-limit-slots.ts';

/** What a provider allows, kept per connection and, with a store, across processes. */
export interface RateLimiter {
  /**
   * Resolves when the request may be sent: at once, or when a slot comes free before the deadline (milliseconds since
   * the epoch), in the order of asking. Else throws `rate_limited` at once with `{connection, retryAfterMs}`;
   * `cancelled` or `deadline_exceeded` when the signal ends the wait, `store_unavailable` when the store cannot be
   * asked. Call what it resolves to when the answer is there: a request counts from when it may have arrived.
   */
  admit(connection: string, limit: RateLimit, signal: AbortSignal, deadline: number): Promise<Release>;
}

/** The request is answered or given up. */
export type Release = () => void;

/** Others may be taking the slot that comes free; then it is looked at again after so long, milliseconds. */
const SHORTEST_WAIT_MS = 5;
const LONGEST_TIMER_MS = 60_000;

export function createRateLimiter(store: Store | undefined): RateLimiter {
  return rateLimiterOf(store === undefined ? memorySlots() : storeSlots(store));
}

export function rateLimiterOf(slots: Slots): RateLimiter {
  const queues = new Map<string, Queue>();
  return {
    async admit(connection, limit, signal, deadline) {
      if (signal.aborted) throw ended(connection, signal.reason);
      let queue = queues.get(connection);
      if (queue === undefined) {
        queue = new Queue(slots, connection, () => queues.delete(connection));
        queues.set(connection, queue);
      }
      return queue.enter(limit, signal, deadline);
    },
  };
}

interface Waiting {
  readonly limit: RateLimit;
  readonly deadline: number;
  readonly admit: (slot: number) => void;
  readonly refuse: (error: unknown) => void;
  /** Nobody waits for it any more. */
  gone: boolean;
}

/** Who waits for one connection; the first of them asks for a slot, and nobody passes. */
class Queue {
  readonly #slots: Slots;
  readonly #connection: string;
  readonly #empty: () => void;
  #waiting: Waiting[] = [];
  #serving = false;
  /** When each slot comes free, milliseconds since the epoch, as last heard; soonest first. */
  #freeAt: readonly number[] = [];
  #wake = () => {};

  constructor(slots: Slots, connection: string, empty: () => void) {
    this.#slots = slots;
    this.#connection = connection;
    this.#empty = empty;
  }

  enter(limit: RateLimit, signal: AbortSignal, deadline: number): Promise<Release> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        waiting.gone = true;
        signal.removeEventListener('abort', onAbort);
      };
      const waiting: Waiting = {
        limit,
        deadline,
        gone: false,
        admit: (slot) => {
          leave();
          resolve(() => this.#slots.settle(this.#connection, slot));
        },
        refuse: (error) => {
          leave();
          reject(error);
        },
      };
      const onAbort = () => {
        waiting.refuse(ended(this.#connection, signal.reason));
        this.#wake();
      };
      signal.addEventListener('abort', onAbort, { once: true });
      this.#waiting.push(waiting);
      this.#refuseLate(this.#waiting.length - 1);
      if (!this.#serving) void this.#serve();
    });
  }

  async #serve(): Promise<void> {
    this.#serving = true;
    while (this.#waiting.length > 0) {
      const first = this.#waiting[0]!;
      if (first.gone) {
        this.#waiting.shift();
        continue;
      }
      try {
        const claim = await this.#slots.claim(this.#connection, first.limit);
        if (claim.taken) this.#admitFirst(claim.slot);
        else await this.#wait(claim.waits);
      } catch (error) {
        // nobody is let through unasked
        for (const waiting of this.#waiting) waiting.refuse(error);
      }
    }
    this.#serving = false;
    this.#empty();
  }

  /** Whoever went away while the slot was taken leaves it to the next. */
  #admitFirst(slot: number): void {
    this.#waiting = this.#waiting.filter(({ gone }) => !gone);
    const admitted = this.#waiting.shift();
    if (this.#freeAt.length > 0 && admitted !== undefined) {
      const again = Date.now() + admitted.limit.windowSeconds * 1000;
      this.#freeAt = [...this.#freeAt.slice(1), again];
    }
    admitted?.admit(slot);
  }

  async #wait(waits: readonly number[]): Promise<void> {
    const now = Date.now();
    this.#freeAt = waits.map((wait) => now + wait);
    this.#waiting = this.#waiting.filter(({ gone }) => !gone);
    for (let place = 0; place < this.#waiting.length; place++) this.#refuseLate(place);
    const first = this.#waiting.find(({ gone }) => !gone);
    if (first === undefined) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const wait = Math.max(SHORTEST_WAIT_MS, Math.ceil(waits[0] ?? 0));
    const timer = setTimeout(resolve, Math.min(wait, LONGEST_TIMER_MS));
    this.#wake = resolve;
    await promise;
    clearTimeout(timer);
    this.#wake = () => {};
  }

  /** Who cannot have a slot before the deadline hears it now, with the time after which it could. */
  #refuseLate(place: number): void {
    const waiting = this.#waiting[place];
    if (waiting === undefined || waiting.gone || this.#freeAt.length === 0) return;
    const { requests, windowSeconds } = waiting.limit;
    const ahead = this.#waiting.slice(0, place).filter(({ gone }) => !gone).length;
    const round = Math.floor(ahead / requests);
    const freeAt = this.#freeAt[ahead % requests] ?? this.#freeAt.at(-1)!;
    const at = freeAt + round * windowSeconds * 1000;
    if (at < waiting.deadline) return;
    const retryAfterMs = Math.max(0, Math.ceil(at - Date.now()));
    waiting.refuse(
      new ToolcribError(
        'rate_limited',
        `Connection ${this.#connection} has used its ${requests} requests per ${windowSeconds} s; ${nextAfter(retryAfterMs)}.`,
        { details: { connection: this.#connection, retryAfterMs } },
      ),
    );
  }
}

/** When the next request may go, in words. */
export function nextAfter(retryAfterMs: number): string {
  return `the next may go in ${Math.max(1, Math.ceil(retryAfterMs / 1000))} s`;
}

function ended(connection: string, reason: unknown): ToolcribError {
  if (isToolcribError(reason)) return reason;
  return isTimeout(reason)
    ? new ToolcribError(
        'deadline_exceeded',
        `The deadline passed while the call waited for the rate limit of connection ${connection}.`,
      )
    : new ToolcribError(
        'cancelled',
        `The caller went away while the call waited for the rate limit of connection ${connection}.`,
      );
}
