import { isToolcribError, ToolcribError } from '../errors.ts';
import { isGatewayStopping } from '../operations/work/gateway-stops.ts';
import { withinTime } from '../operations/work/within-time.ts';
import type { ApprovalRecords, StoredApproval } from './records.ts';

/** Notices of other processes may be late by this, milliseconds. */
const LOOK_AGAIN_MS = 2000;
/** Between two looks, milliseconds: each change of any approval wakes everybody who waits. */
const LOOK_PAUSE_MS = 250;

const AWAY = Symbol('the store is away');

/**
 * The approval once it is no longer pending, or as it is when the time has passed; undefined when the gateway stops.
 * Throws `cancelled` when the caller goes away.
 */
export async function awaitDecision(
  records: ApprovalRecords,
  id: string,
  waitMs: number,
  signal: AbortSignal,
  now: () => number,
): Promise<StoredApproval | undefined> {
  const until = performance.now() + waitMs;
  let woken = Promise.withResolvers<void>();
  const aborted = Promise.withResolvers<void>();
  const wake = () => woken.resolve();
  const onAbort = () => {
    aborted.resolve();
    wake();
  };
  const stop = records.onChange(wake);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    for (;;) {
      // the question stays, and its caller is told of it
      if (isGatewayStopping(signal)) return undefined;
      if (signal.aborted) throw gone(signal);
      woken = Promise.withResolvers<void>();
      const looked = performance.now();
      // a store that does not answer keeps nobody who is not waited for
      const seen = await Promise.race([
        look(records, id, until),
        aborted.promise.then((): typeof AWAY => AWAY),
      ]);
      const left = Math.min(until - performance.now(), seen === AWAY ? Infinity : timeLeft(seen, now));
      if (seen !== AWAY && (seen?.state !== 'pending' || left <= 0)) return seen;
      await withinTime(Math.min(left, LOOK_AGAIN_MS), woken.promise);
      const early = Math.min(LOOK_PAUSE_MS - (performance.now() - looked), until - performance.now());
      if (early > 0) await withinTime(early, aborted.promise);
    }
  } finally {
    signal.removeEventListener('abort', onAbort);
    stop();
  }
}

/** A store that is away for a moment ends no wait: the person still has the question. Rejects once the time has passed. */
async function look(
  records: ApprovalRecords,
  id: string,
  until: number,
): Promise<StoredApproval | undefined | typeof AWAY> {
  try {
    return await records.get(id);
  } catch (error) {
    const isAway = isToolcribError(error) && error.code === 'store_unavailable';
    if (isAway && performance.now() < until) return AWAY;
    throw error;
  }
}

function timeLeft(approval: StoredApproval | undefined, now: () => number): number {
  return (approval?.expiresAt ?? 0) - now();
}

function gone(signal: AbortSignal): ToolcribError {
  return new ToolcribError('cancelled', 'The caller went away while a person was asked.', {
    cause: signal.reason,
  });
}
