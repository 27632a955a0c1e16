import { ToolcribError } from '../errors.ts';
import type { ApprovalRecords, StoredApproval } from './records.ts';

/** Notices of other processes may be late by this, milliseconds. */
const LOOK_AGAIN_MS = 2000;
/** Between two looks, milliseconds: each change of any approval wakes everybody who waits. */
const LOOK_PAUSE_MS = 250;

/**
 * The approval once it is no longer pending, or as it is when the time has passed. Throws `cancelled` when the caller
 * goes away.
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
      if (signal.aborted) throw gone(signal);
      woken = Promise.withResolvers<void>();
      const looked = performance.now();
      const approval = await records.get(id);
      const left = Math.min(until - performance.now(), (approval?.expiresAt ?? 0) - now());
      if (approval?.state !== 'pending' || left <= 0) return approval;
      await within(Math.min(left, LOOK_AGAIN_MS), woken.promise);
      const early = Math.min(LOOK_PAUSE_MS - (performance.now() - looked), until - performance.now());
      if (early > 0) await within(early, aborted.promise);
    }
  } finally {
    signal.removeEventListener('abort', onAbort);
    stop();
  }
}

/** Until it happens or the time has passed, milliseconds. */
async function within(waitMs: number, happened: Promise<void>): Promise<void> {
  const late = Promise.withResolvers<void>();
  const timer = setTimeout(late.resolve, waitMs);
  try {
    await Promise.race([happened, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

function gone(signal: AbortSignal): ToolcribError {
  return new ToolcribError('cancelled', 'The caller went away while a person was asked.', {
    cause: signal.reason,
  });
}
