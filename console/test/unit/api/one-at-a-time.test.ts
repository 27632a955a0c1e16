import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { oneAtATime } from '../../../src/api/one-at-a-time.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Work that takes so many milliseconds; when each round began and ended. */
function slowWork(takes: number) {
  const began: number[] = [];
  const ended: number[] = [];
  const start = Date.now();
  const ask = oneAtATime(async () => {
    began.push(Date.now() - start);
    await new Promise((resolve) => setTimeout(resolve, takes));
    ended.push(Date.now() - start);
  });
  return { ask, began, ended };
}

describe('what is read again when something happens', () => {
  it('is read at once, and comes to its end however fast more happens', async () => {
    const { ask, began, ended } = slowWork(700);
    for (let round = 0; round < 100; round++) {
      ask();
      await vi.advanceTimersByTimeAsync(30);
    }
    expect(began).toEqual([0, 1200, 2400]);
    expect(ended).toEqual([700, 1900]);
  });

  it('is read once more behind the last thing that happened, and then no more', async () => {
    const { ask, began } = slowWork(100);
    ask();
    await vi.advanceTimersByTimeAsync(90);
    ask();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(began).toEqual([0, 600]);
    ask();
    expect(began).toEqual([0, 600, 60_090]);
  });

  it('goes on behind a round that fails, or that nobody ends', async () => {
    let rounds = 0;
    const ask = oneAtATime(() =>
      ++rounds === 1 ? Promise.reject(new Error('away')) : new Promise(() => {}),
    );
    ask();
    ask();
    await vi.advanceTimersByTimeAsync(600);
    expect(rounds).toBe(2);
    ask();
    await vi.advanceTimersByTimeAsync(11_000);
    expect(rounds).toBe(3);
  });
});
