import type { CircuitBreakerPolicy } from 'cockatiel';
import { isToolcribError, ToolcribError } from '../errors.ts';
import type { Connection } from '../operations/index.ts';
import { type Bulkhead, createBulkhead } from './bulkhead.ts';

/** How a task ended, for the breaker to judge. */
type TaskEnd = { readonly value: unknown } | { readonly error: unknown };

export interface ConnectionLimitsOptions {
  /** Which ends count as failures of the service. Default: transport errors and answers from 500 up. */
  readonly tripsBreaker?: (end: TaskEnd) => boolean;
  /** Consecutive failures that open the breaker. */
  readonly failures?: number;
  /** How long it stays open before one call may try, milliseconds. */
  readonly pauseMs?: number;
}

/**
 * Bulkhead for each connection, kept by its name, and a breaker for each of its callers. Whoever makes a service fail
 * suspends the connection for itself; where a second caller meets the same, it is the service, and everybody waits.
 */
export interface ConnectionLimiter {
  /**
   * Runs the task within the connection's concurrency. Throws `overloaded`, `connection_suspended` (with the
   * time in `details.until`), `cancelled` or `deadline_exceeded` before it starts; else whatever the task throws.
   * Each caller has a fair share, and failures of its own: '' is the owner.
   */
  run<T>(
    connection: Connection,
    signal: AbortSignal,
    task: () => Promise<T>,
    caller?: string | undefined,
  ): Promise<T>;
}

interface Guard {
  concurrency: number;
  bulkhead: Bulkhead;
  /** By caller. */
  readonly pauses: Map<string, Pause>;
  /** The breaker that opened last. */
  opened: Pause | undefined;
  /** Until when nobody is let through, milliseconds since the epoch. */
  closedUntil: number;
}

interface Pause {
  breaker: CircuitBreakerPolicy | undefined;
  /** When the breaker opened, milliseconds since the epoch. */
  openedAt: number;
}

/** Callers of one connection whose failures are remembered; whoever called first is forgotten first. */
const MAX_CALLERS = 1000;

/** Failures of the service or the way to it; an answer below 500 never counts. */
const TRANSPORT_CODES: ReadonlySet<string> = new Set([
  'upstream_unreachable',
  'upstream_failed',
  'outcome_unknown',
  'deadline_exceeded',
]);
/** Errors that show that the service answered. */
const ANSWERED_CODES: ReadonlySet<string> = new Set(['upstream_status', 'upstream_too_large']);

export function createConnectionLimits(options: ConnectionLimitsOptions = {}): ConnectionLimiter {
  const { tripsBreaker = failsTransport, failures = 5, pauseMs = 10_000 } = options;
  const guards = new Map<string, Guard>();
  let library: typeof import('cockatiel') | undefined;

  const openBreaker = (
    guard: Guard,
    pause: Pause,
    { circuitBreaker, ...cockatiel }: typeof import('cockatiel'),
  ) => {
    const { CircuitState, ConsecutiveBreaker, handleWhen } = cockatiel;
    // a trial call that brought no answer proves nothing: the pause goes on
    const inconclusive = (error: unknown) =>
      breaker.state === CircuitState.HalfOpen && !hasCode(error, ANSWERED_CODES);
    const breaker: CircuitBreakerPolicy = circuitBreaker(
      handleWhen((error) => tripsBreaker({ error }) || inconclusive(error)).orWhenResult((value) =>
        tripsBreaker({ value }),
      ),
      { halfOpenAfter: pauseMs, breaker: new ConsecutiveBreaker(failures) },
    );
    breaker.onBreak(() => {
      pause.openedAt = Date.now();
      const { opened } = guard;
      if (opened !== undefined && opened !== pause && pause.openedAt - opened.openedAt < pauseMs) {
        guard.closedUntil = pause.openedAt + pauseMs;
      }
      guard.opened = pause;
    });
    return breaker;
  };

  return {
    async run(connection, signal, task, caller = '') {
      const { name, limits } = connection;
      const guard = guardOf(guards, name, limits.concurrency);
      const { bulkhead } = guard;
      const admitted = bulkhead.enter(signal, caller);
      if (admitted !== undefined) await admitted;
      const pause = pauseOf(guard, caller);
      try {
        library ??= await import('cockatiel');
        // the clock was set back: what is left of the pause would be longer than the pause
        if (pause.openedAt - Date.now() > pauseMs) {
          pause.breaker = undefined;
          pause.openedAt = 0;
        }
        const closedFor = guard.closedUntil - Date.now();
        if (closedFor > 0 && closedFor <= pauseMs) throw suspended(name, guard.closedUntil);
        pause.breaker ??= openBreaker(guard, pause, library);
        const { breaker } = pause;
        if (breaker.state === library.CircuitState.HalfOpen) throw suspended(name, Date.now() + 1000);
        return await breaker.execute(() => task(), signal);
      } catch (error) {
        const broken = library !== undefined && error instanceof library.BrokenCircuitError;
        throw broken ? suspended(name, pause.openedAt + pauseMs) : error;
      } finally {
        bulkhead.leave(caller);
      }
    },
  };
}

/** A changed concurrency gets a new queue; calls under way leave the old one. The breakers stay. */
function guardOf(guards: Map<string, Guard>, name: string, concurrency: number): Guard {
  let guard = guards.get(name);
  if (guard === undefined) {
    const bulkhead = createBulkhead(name, concurrency);
    guard = { concurrency, bulkhead, pauses: new Map(), opened: undefined, closedUntil: 0 };
    guards.set(name, guard);
  } else if (guard.concurrency !== concurrency) {
    guard.concurrency = concurrency;
    guard.bulkhead = createBulkhead(name, concurrency);
  }
  return guard;
}

function pauseOf({ pauses }: Guard, caller: string): Pause {
  let pause = pauses.get(caller);
  if (pause === undefined) {
    pause = { breaker: undefined, openedAt: 0 };
    pauses.set(caller, pause);
    const [first] = pauses.keys();
    if (pauses.size > MAX_CALLERS) pauses.delete(first!);
  }
  return pause;
}

function failsTransport(end: TaskEnd): boolean {
  if ('error' in end) return hasCode(end.error, TRANSPORT_CODES);
  const { kind, status } = (end.value ?? {}) as { kind?: unknown; status?: unknown };
  return kind === 'http' && typeof status === 'number' && status >= 500;
}

function hasCode(error: unknown, codes: ReadonlySet<string>): boolean {
  return isToolcribError(error) && codes.has(error.code);
}

function suspended(name: string, until: number): ToolcribError {
  const time = new Date(until).toISOString();
  return new ToolcribError('connection_suspended', `Connection ${name} is suspended until ${time}.`, {
    details: { connection: name, until: time },
  });
}
