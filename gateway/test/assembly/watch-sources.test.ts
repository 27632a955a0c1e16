import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SourceWatch } from '../../src/assembly/watch-sources.ts';

describe('a source that tells nobody of its changes', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());
  const watching = () => {
    const changed: string[] = [];
    return { changed, watch: new SourceWatch((source) => void changed.push(source)) };
  };

  it('is looked at again once, after its time', () => {
    const { changed, watch } = watching();
    watch.again('flows', 1000);
    watch.again('others', 2000);
    vi.advanceTimersByTime(999);
    expect(changed).toEqual([]);
    vi.advanceTimersByTime(5000);
    expect(changed).toEqual(['flows', 'others']);
  });

  it('is not looked at twice when it was read meanwhile', () => {
    const { changed, watch } = watching();
    watch.again('flows', 1000);
    vi.advanceTimersByTime(900);
    watch.again('flows', 1000);
    vi.advanceTimersByTime(900);
    expect(changed).toEqual([]);
    vi.advanceTimersByTime(100);
    expect(changed).toEqual(['flows']);
  });

  it('rests when it has no interval any more, and when the gateway closes', () => {
    const { changed, watch } = watching();
    watch.again('flows', 1000);
    watch.again('flows', undefined);
    watch.again('others', 1000);
    watch.close();
    watch.again('late', 1000);
    vi.advanceTimersByTime(5000);
    expect(changed).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
  });
});
