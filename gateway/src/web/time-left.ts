import { isTimeout } from '../egress/index.ts';
import { ToolcribError } from '../errors.ts';
import type { WebCallOptions } from './provider.ts';

const DEFAULT_TIMEOUT_MS = 30_000;

/** A call's options with nothing left open. */
export interface TimeLeft {
  readonly signal: AbortSignal;
  readonly deadline: number;
  readonly patienceMs: number;
  /** Milliseconds, at least 1. */
  left(): number;
}

export function timeLeft(options: WebCallOptions = {}): TimeLeft {
  const { signal = new AbortController().signal, patienceMs = 10_000 } = options;
  const deadline = options.deadline ?? Date.now() + DEFAULT_TIMEOUT_MS;
  return { signal, deadline, patienceMs, left: () => Math.max(1, deadline - Date.now()) };
}

/** Throws `deadline_exceeded` or `cancelled` once the caller waits no longer. */
export function stopIfEnded({ signal, deadline }: TimeLeft, provider: string): void {
  if (!signal.aborted && Date.now() < deadline) return;
  const late = !signal.aborted || isTimeout(signal.reason);
  throw new ToolcribError(
    late ? 'deadline_exceeded' : 'cancelled',
    late ? `${provider} was not asked in time.` : `The caller went away before ${provider} was asked.`,
  );
}
