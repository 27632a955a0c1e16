import { describe, expect, it } from 'vitest';
import { createRateLimiter, rateLimiterOf } from '../../src/router/rate-limit.ts';
import { memorySlots } from '../../src/router/rate-limit-slots.ts';
import { onEveryStore } from '../store/support/stores.ts';
import { sharedLimitCases } from './rate-limit-cases.ts';

const never = new AbortController().signal;
const inMs = (ms: number) => Date.now() + ms;

describe('slots in memory', () => {
  it('no window holds more than the limit, wherever it begins', async () => {
    let now = 0;
    const slots = memorySlots(() => now);
    const limit = { requests: 3, windowSeconds: 1 };
    const admitted: number[] = [];
    for (now = 0; now <= 5000; now += 50) {
      if ((await slots.claim('a', limit)).taken) admitted.push(now);
    }
    for (const start of admitted) {
      expect(admitted.filter((at) => at >= start && at < start + 1000).length).toBeLessThanOrEqual(3);
    }
    expect(admitted).toHaveLength(16);
  });

  it('says when each slot comes free, soonest first', async () => {
    let now = 0;
    const slots = memorySlots(() => now);
    const limit = { requests: 2, windowSeconds: 1 };
    await slots.claim('a', limit);
    now = 300;
    await slots.claim('a', limit);
    now = 400;
    expect(await slots.claim('a', limit)).toEqual({ taken: false, waits: [600, 900] });
    now = 1000;
    expect(await slots.claim('a', limit)).toEqual({ taken: true, slot: 0 });
  });

  it('a smaller limit holds from the next request, and a larger one', async () => {
    let now = 0;
    const slots = memorySlots(() => now);
    const limit = (requests: number) => ({ requests, windowSeconds: 1 });
    for (let slot = 0; slot < 2; slot++) await slots.claim('a', limit(3));
    now = 100;
    expect(await slots.claim('a', limit(1))).toEqual({ taken: false, waits: [900] });
    expect(await slots.claim('a', limit(4))).toEqual({ taken: true, slot: 2 });
    expect(await slots.claim('a', limit(4))).toEqual({ taken: true, slot: 3 });
    expect(await slots.claim('a', limit(4))).toEqual({ taken: false, waits: [900, 900, 1000, 1000] });
    // a shorter window of a larger one
    expect(await slots.claim('a', { requests: 2, windowSeconds: 0.1 })).toEqual({ taken: true, slot: 0 });
  });

  it('of one connection are not those of another', async () => {
    const slots = memorySlots(() => 0);
    const limit = { requests: 1, windowSeconds: 1 };
    slots.settle('a', 0);
    for (const name of ['a', 'b']) expect(await slots.claim(name, limit)).toEqual({ taken: true, slot: 0 });
    slots.settle('b', 0);
    expect(await slots.claim('a', limit)).toEqual({ taken: false, waits: [1000] });
  });

  it('a slot is taken again one window after its request was answered', async () => {
    let now = 0;
    const slots = memorySlots(() => now);
    const limit = { requests: 1, windowSeconds: 1 };
    await slots.claim('a', limit);
    now = 700;
    slots.settle('a', 0);
    now = 1200;
    expect(await slots.claim('a', limit)).toEqual({ taken: false, waits: [500] });
    now = 1700;
    expect(await slots.claim('a', limit)).toEqual({ taken: true, slot: 0 });
  });
});

describe('without a store', () => {
  const limit = { requests: 1, windowSeconds: 0.4 };

  it('waits for the next slot, first come first served', async () => {
    const limiter = createRateLimiter(undefined);
    const started = performance.now();
    const order: number[] = [];
    await Promise.all(
      [0, 1, 2].map(async (place) => {
        await limiter.admit('a', limit, never, inMs(5000));
        order.push(place);
      }),
    );
    expect(order).toEqual([0, 1, 2]);
    expect(performance.now() - started).toBeGreaterThanOrEqual(799);
  });

  it('refuses at once whom the next free slot comes too late for, by the place in the queue', async () => {
    const limiter = createRateLimiter(undefined);
    const limit = { requests: 1, windowSeconds: 60 };
    await limiter.admit('a', limit, never, inMs(1000));
    const waits = limiter.admit('a', limit, AbortSignal.timeout(400), inMs(70_000)).catch(() => 'waited');
    const third = await limiter.admit('a', limit, never, inMs(70_000)).catch((error: unknown) => error);
    expect(third).toMatchObject({ code: 'rate_limited', details: { connection: 'a' } });
    const { retryAfterMs } = (third as { details: { retryAfterMs: number } }).details;
    expect(retryAfterMs).toBeGreaterThan(100_000);
    expect(await waits).toBe('waited');
  });

  it.each([
    ['the caller goes away', undefined, 'cancelled'],
    ['its time is over', new DOMException('too late', 'TimeoutError'), 'deadline_exceeded'],
  ])('stops waiting when %s, and takes no slot from the next', async (_, reason, code) => {
    const limiter = createRateLimiter(undefined);
    await limiter.admit('a', limit, never, inMs(5000));
    const controller = new AbortController();
    const first = limiter.admit('a', limit, controller.signal, inMs(5000));
    const next = limiter.admit('a', limit, never, inMs(5000));
    controller.abort(reason);
    await expect(first).rejects.toMatchObject({ code });
    await next;
  });

  it('asks for nothing when the caller is gone already', async () => {
    const asked: string[] = [];
    const limiter = rateLimiterOf({
      claim: async (connection) => {
        asked.push(connection);
        return { taken: true, slot: 0 };
      },
      settle: () => {},
    });
    await expect(limiter.admit('a', limit, AbortSignal.abort(), inMs(1))).rejects.toMatchObject({
      code: 'cancelled',
    });
    expect(asked).toEqual([]);
  });
});

onEveryStore(sharedLimitCases);
