import { describe, expect, it } from 'vitest';
import type { Operation } from '../../src/operations/index.ts';
import { admitRequest } from '../../src/router/operation-rate.ts';
import { rateLimiterOf } from '../../src/router/rate-limit.ts';
import { memorySlots } from '../../src/router/rate-limit-slots.ts';

/** A clock that stands still unless it is set: no slot comes free by itself. */
function limiter() {
  const clock = { now: 0 };
  const rates = rateLimiterOf(memorySlots(() => clock.now));
  const { signal } = new AbortController();
  return {
    clock,
    rates,
    ask: (operation: Pick<Operation, 'id' | 'limits'>, requests?: number, name = 'ceph') =>
      admitRequest(
        rates,
        { name, ...(requests === undefined ? {} : { rateLimit: { requests, windowSeconds: 60 } }) },
        operation,
        signal,
        Date.now() + 1000,
      ),
  };
}

const rated = (id: string, calls: number) => ({ id, limits: { rate: { calls, windowMs: 3_600_000 } } });
const refused = { code: 'rate_limited' };

describe("an operation's own rate", () => {
  it('nothing waits where neither operation nor connection has one', () => {
    expect(limiter().ask({ id: 'list' })).toBeUndefined();
    expect(limiter().ask({ id: 'list', limits: { maxAttempts: 1 } })).toBeUndefined();
  });

  it('refuses what goes beyond it, naming the operation and the time', async () => {
    const { ask } = limiter();
    await ask(rated('wipe', 2));
    await ask(rated('wipe', 2));
    await expect(ask(rated('wipe', 2))).rejects.toMatchObject({
      ...refused,
      message: expect.stringMatching(
        /^Operation wipe has used the 2 calls per 3600 s that its description allows; the next may go in \d+ s\.$/,
      ),
      details: { connection: 'ceph', operation: 'wipe', retryAfterMs: expect.any(Number) },
    });
  });

  it('refuses who would be sent just before the deadline, with no time left for an answer', async () => {
    const perWindow = (windowMs: number) => ({ id: 'add', limits: { rate: { calls: 1, windowMs } } });
    const late = limiter();
    await late.ask(perWindow(900));
    const tooLate = late.ask(perWindow(900));
    late.clock.now = 950;
    await expect(tooLate).rejects.toMatchObject(refused);
    const early = limiter();
    await early.ask(perWindow(300));
    const waiting = early.ask(perWindow(300));
    early.clock.now = 400;
    await expect(waiting).resolves.toBeTypeOf('function');
  });

  it('counts from the answer: a slow one makes no window larger', async () => {
    const { ask, clock } = limiter();
    const answered = await ask(rated('wipe', 1), 5);
    clock.now = 3_000_000;
    answered?.();
    clock.now = 3_700_000;
    await expect(ask(rated('wipe', 1), 5)).rejects.toMatchObject(refused);
    clock.now = 6_600_000;
    await expect(ask(rated('wipe', 1), 5)).resolves.toBeTypeOf('function');
  });

  it("counts from the answer for the connection's limit, too", async () => {
    const { ask, clock } = limiter();
    const answered = await ask(rated('wipe', 10), 1);
    clock.now = 50_000;
    answered?.();
    clock.now = 70_000;
    await expect(ask(rated('wipe', 10), 1)).rejects.toMatchObject(refused);
    clock.now = 110_000;
    await expect(ask(rated('wipe', 10), 1)).resolves.toBeTypeOf('function');
  });

  it('is kept for each operation and each connection', async () => {
    const { ask } = limiter();
    await ask(rated('wipe', 1));
    await ask(rated('list', 1));
    await ask(rated('wipe', 1), undefined, 'other');
    await expect(ask(rated('wipe', 1))).rejects.toMatchObject(refused);
  });

  it("never lifts the connection's limit, which counts what all operations send", async () => {
    const { ask } = limiter();
    await ask(rated('wipe', 10), 2);
    await ask({ id: 'list' }, 2);
    await expect(ask(rated('wipe', 10), 2)).rejects.toMatchObject({
      ...refused,
      message: expect.stringMatching(
        /^Connection ceph has used its 2 requests per 60 s; the next may go in \d+ s\.$/,
      ),
    });
  });

  it("takes nothing from the connection's limit where it refuses itself", async () => {
    const { ask } = limiter();
    await ask(rated('wipe', 1), 2);
    await expect(ask(rated('wipe', 1), 2)).rejects.toMatchObject(refused);
    await expect(ask({ id: 'list' }, 2)).resolves.toBeTypeOf('function');
  });

  it('a caller who went away does not wait', async () => {
    const { rates } = limiter();
    const gone = admitRequest(
      rates,
      { name: 'ceph' },
      rated('wipe', 1),
      AbortSignal.abort(),
      Date.now() + 1000,
    );
    await expect(gone).rejects.toMatchObject({ code: 'cancelled' });
  });
});
