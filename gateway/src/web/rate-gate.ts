import { setTimeout as wait } from 'node:timers/promises';
import type { EgressResponse } from '../egress/index.ts';
import { ToolcribError } from '../errors.ts';
import { retryAfterMs } from '../operations/http/retry-after.ts';
import { stopIfEnded, type TimeLeft } from './time-left.ts';

/** Allowed requests within a time, as an answer's headers tell. */
export interface RateWindow {
  readonly limit: number;
  readonly windowMs: number;
}

/** Keeps one account below limits that become known from answers. */
export interface RateGate {
  /** Waits for a turn as long as the caller is patient. Throws `rate_limited` with `retryAfterSeconds`. */
  enter(time: TimeLeft): Promise<void>;
  /** Nothing goes before this moment, milliseconds since the epoch, or within the next hour. */
  blockUntil(moment: number): void;
  /** The shortest window that the service keeps. */
  learn(window: RateWindow): void;
}

/** What one answer may close, however long it asks for: then one request tries again. */
const LONGEST_BLOCK_MS = 3_600_000;

export function createRateGate(provider: string): RateGate {
  let blockedUntil = 0;
  let window: RateWindow | undefined;
  let sent: number[] = [];

  /** When the next request may go; at most now. */
  const nextTurn = (): number => {
    const filled = window === undefined ? undefined : sent.at(-window.limit);
    return Math.max(blockedUntil, filled === undefined ? 0 : filled + window!.windowMs);
  };

  return {
    async enter(time) {
      const asked = Date.now();
      for (;;) {
        stopIfEnded(time, provider);
        const turn = nextTurn();
        const now = Date.now();
        if (turn <= now) {
          sent = [...sent.slice(-99), now];
          return;
        }
        const latest = Math.min(asked + time.patienceMs, time.deadline);
        if (turn > latest) throw limited(provider, turn - now);
        await wait(turn - now, undefined, { signal: time.signal }).catch(() => undefined);
      }
    },
    blockUntil(moment) {
      blockedUntil = Math.max(blockedUntil, Math.min(moment, Date.now() + LONGEST_BLOCK_MS));
    },
    learn(next) {
      if (next.limit > 0 && next.limit <= 100) window = next;
    },
  };
}

export function limited(provider: string, waitMs: number): ToolcribError {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000));
  return new ToolcribError('rate_limited', `${provider} lets no more requests through for ${seconds} s.`, {
    status: 429,
    details: { provider, retryAfterSeconds: seconds },
  });
}

/** What a 429 asks for by Retry-After, in milliseconds; `otherwise` where it says nothing. */
export function patienceMs({ headers }: Pick<EgressResponse, 'headers'>, otherwise = 60_000): number {
  return retryAfterMs(headers, Date.now()) || otherwise;
}
