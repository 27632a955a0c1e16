import type { FailureKind } from './egress.ts';

export interface Ending {
  readonly kind: Extract<FailureKind, 'timeout' | 'cancelled'>;
  readonly reason: string;
}

/** How long one request may live: its own time limit and the caller's signal, redirects included. */
export interface Lifetime {
  readonly ending: Ending | undefined;
  /** Also aborted at the end; made only where somebody needs it. */
  signal(): AbortSignal;
  /** One listener at a time: the current hop. Undefined takes it away. */
  listen(listener: ((ending: Ending) => void) | undefined): void;
  release(): void;
}

/** Longer timers overflow to zero (32-bit milliseconds). */
const MAX_TIMER_MS = 2 ** 31 - 1;

export function startLifetime(timeoutMs: number, caller: AbortSignal): Lifetime {
  let ending: Ending | undefined;
  let listener: ((ending: Ending) => void) | undefined;
  let controller: AbortController | undefined;
  const end = (next: Ending): void => {
    if (ending) return;
    ending = next;
    controller?.abort(caller.aborted ? caller.reason : new DOMException(next.reason, 'TimeoutError'));
    listener?.(next);
  };
  const onAbort = () =>
    end(
      isTimeout(caller.reason)
        ? { kind: 'timeout', reason: 'the deadline of the call passed' }
        : { kind: 'cancelled', reason: 'the caller went away' },
    );
  const late = (): Ending => ({
    kind: 'timeout',
    reason: `no whole answer within ${Math.ceil(timeoutMs)} ms`,
  });
  const timer = setTimeout(() => end(late()), Math.min(Math.max(timeoutMs, 0), MAX_TIMER_MS));
  if (caller.aborted) onAbort();
  else if (timeoutMs <= 0) end(late());
  else caller.addEventListener('abort', onAbort, { once: true });
  return {
    get ending() {
      return ending;
    },
    signal() {
      controller ??= new AbortController();
      if (ending) controller.abort(caller.reason);
      return controller.signal;
    },
    listen(next) {
      listener = next;
    },
    release() {
      clearTimeout(timer);
      caller.removeEventListener('abort', onAbort);
      listener = undefined;
    },
  };
}

/** A deadline that ended the signal is no caller who went away. */
export function isTimeout(reason: unknown): boolean {
  if (!(reason instanceof Error)) return false;
  return reason.name === 'TimeoutError' || (reason as { code?: unknown }).code === 'deadline_exceeded';
}
