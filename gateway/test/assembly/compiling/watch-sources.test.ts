import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SourceWatch } from '../../../src/assembly/compiling/watch-sources.ts';
import { hashBytes } from '../../../src/operations/index.ts';

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

  it('rests when it is gone', () => {
    const { changed, watch } = watching();
    watch.again('flows', 1000);
    watch.forget('flows');
    vi.advanceTimersByTime(2000);
    expect(changed).toEqual([]);
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

describe('a file that changed between its reading and its watch', () => {
  it('is noticed; one that did not is left alone', async () => {
    const paths = ['same', 'other', 'gone'].map((name) =>
      join(tmpdir(), `toolcrib-watch-${process.pid}-${name}`),
    );
    const [same, other, gone] = paths as [string, string, string];
    await writeFile(same, 'as read');
    await writeFile(other, 'changed');
    const changed: string[] = [];
    const watch = new SourceWatch((source) => void changed.push(source));
    try {
      const hash = hashBytes('as read');
      watch.follow('same', [{ location: same, hash }]);
      watch.follow('other', [
        { location: same, hash },
        { location: other, hash },
      ]);
      watch.follow('gone', [{ location: gone, hash }]);
      // followed meanwhile by what it has become
      watch.follow('replaced', [{ location: other, hash }]);
      watch.follow('replaced', [{ location: same, hash }]);
      await expect.poll(() => [...changed].sort()).toEqual(['gone', 'other']);
      await new Promise((resolve) => setTimeout(resolve, 200));
      expect(changed).toHaveLength(2);
    } finally {
      watch.close();
      for (const path of paths) await rm(path, { force: true });
    }
  });
});
