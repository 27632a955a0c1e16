import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { saidGrowth } from '../../../src/app/said-growth.ts';

describe('what is said of calls that wait', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  const start = () => {
    const said: number[] = [];
    return { said, growth: saidGrowth((count) => said.push(count)) };
  };

  it('is one number for those that come together', () => {
    const { said, growth } = start();
    for (const count of [1, 2, 3]) {
      growth.counted(count);
      vi.advanceTimersByTime(400);
    }
    expect(said).toEqual([]);
    vi.advanceTimersByTime(100);
    expect(said).toEqual([3]);
  });

  it('comes again ten seconds later at the soonest, with the number that there is then', () => {
    const { said, growth } = start();
    growth.counted(1);
    vi.advanceTimersByTime(500);
    growth.counted(2);
    vi.advanceTimersByTime(6_000);
    growth.counted(3);
    vi.advanceTimersByTime(3_999);
    expect(said).toEqual([1]);
    vi.advanceTimersByTime(1);
    expect(said).toEqual([1, 3]);
    // long after it, the next is said as soon as the first
    vi.advanceTimersByTime(60_000);
    growth.counted(4);
    vi.advanceTimersByTime(500);
    expect(said).toEqual([1, 3, 4]);
  });

  it('is nothing where they became fewer, or were decided before it was said', () => {
    const { said, growth } = start();
    growth.counted(2);
    vi.advanceTimersByTime(500);
    growth.counted(3);
    growth.counted(1);
    vi.advanceTimersByTime(20_000);
    expect(said).toEqual([2]);
    // one more than there were is news again
    growth.counted(2);
    vi.advanceTimersByTime(500);
    expect(said).toEqual([2, 2]);
  });

  it('is nothing once nobody watches', () => {
    const { said, growth } = start();
    growth.counted(1);
    growth.stop();
    vi.advanceTimersByTime(20_000);
    expect(said).toEqual([]);
  });
});
