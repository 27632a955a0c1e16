import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ToolcribError } from '../../src/errors.ts';
import { rateLimiterOf } from '../../src/router/rate-limit.ts';
import type { Claim } from '../../src/router/rate-limit-slots.ts';

const never = new AbortController().signal;

/** The time stands still. */
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

/** A limiter whose slots answer what is given, the last again and again. */
function limiterOf(...answers: ReadonlyArray<Claim | Promise<Claim>>) {
  const asked: string[] = [];
  const settled: unknown[] = [];
  const limiter = rateLimiterOf({
    claim: async (connection) => answers[Math.min(asked.push(connection), answers.length) - 1]!,
    settle: (...slot) => void settled.push(slot),
  });
  const admit = (requests: number, waitMs: number, signal: AbortSignal = never) =>
    limiter.admit('a', { requests, windowSeconds: 60 }, signal, Date.now() + waitMs);
  return { asked, settled, admit };
}
const taken = (...waits: number[]): Claim => ({ taken: false, waits });
/** Whether it still waits once all was done that could be. */
const waits = async (admitted: Promise<unknown>) => {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
  return (await Promise.race([admitted.catch(() => 'ended'), 'waits'])) === 'waits';
};

describe('who waits for a connection', () => {
  it('settles the slot that was taken', async () => {
    const { settled, admit } = limiterOf({ taken: true, slot: 3 });
    const release = await admit(5, 1000);
    expect(settled).toEqual([]);
    release();
    expect(settled).toEqual([['a', 3]]);
  });

  it('leaves a slot to the next, once gone, that was asked for meanwhile', async () => {
    const answer = Promise.withResolvers<Claim>();
    const { asked, settled, admit } = limiterOf(answer.promise);
    const leaving = new AbortController();
    const first = admit(1, 1000, leaving.signal);
    const next = admit(1, 1000);
    leaving.abort();
    await expect(first).rejects.toMatchObject({ code: 'cancelled' });
    answer.resolve({ taken: true, slot: 0 });
    (await next)();
    expect([asked, settled]).toEqual([['a'], [['a', 0]]]);
  });

  it('is refused where the slot of its place comes free at the deadline or later, and not before', async () => {
    const { admit } = limiterOf(taken(10_000, 50_000));
    const leaving = new AbortController();
    const { signal } = leaving;
    const first = admit(2, 10_001, signal);
    expect(await waits(first)).toBe(true);
    await expect(admit(2, 50_000)).rejects.toMatchObject({ details: { retryAfterMs: 50_000 } });
    const second = admit(2, 50_001, signal);
    await expect(admit(2, 70_000)).rejects.toMatchObject({ details: { retryAfterMs: 70_000 } });
    expect([await waits(first), await waits(second)]).toEqual([true, true]);
    leaving.abort();
    // nobody is ahead any more
    const ending = new AbortController();
    const last = admit(2, 10_001, ending.signal);
    expect(await waits(last)).toBe(true);
    ending.abort();
    await expect(last).rejects.toMatchObject({ code: 'cancelled' });
  });

  it('hears why the call ended where that is known', async () => {
    const { admit } = limiterOf(taken(10_000));
    const leaving = new AbortController();
    const admitted = admit(1, 20_000, leaving.signal);
    const reason = new ToolcribError('budget_exceeded', 'Enough.');
    leaving.abort(reason);
    await expect(admitted).rejects.toBe(reason);
  });
});
