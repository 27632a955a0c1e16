import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDirectoryBytes } from '../../src/artifacts/directory-bytes.ts';
import { createIndexedArtifacts } from '../../src/artifacts/indexed-store.ts';
import { onEveryStore } from '../store/support/stores.ts';

const TEXT = { mimeType: 'text/plain', name: 'answer.txt' };
const DAY = 86_400_000;

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'toolcrib-retention-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

onEveryStore(({ open }) => {
  const artifacts = async (options: Partial<Parameters<typeof createIndexedArtifacts>[0]> = {}) => {
    const store = options.store ?? (await open());
    return createIndexedArtifacts({ bytes: createDirectoryBytes(directory), ...options, store });
  };

  /** Bytes of which something happens right after the next are removed. */
  const bytesWith = (happening: { next?: (() => Promise<unknown>) | undefined }) => {
    const stored = createDirectoryBytes(directory);
    return {
      ...stored,
      async remove(name: string) {
        await stored.remove(name);
        const { next } = happening;
        happening.next = undefined;
        await next?.();
      },
    };
  };

  describe('artifacts that are more than fit', () => {
    it('lose the oldest, never the one just stored, whatever the clock of its process says', async () => {
      const store = await open();
      const limits = { quotaBytes: 12 };
      const at = (now: number) => artifacts({ store, limits, now: () => now });
      const put = async (text: string, now: number) => (await at(now)).put(Buffer.from(text), TEXT);
      const first = await put('first', 2000);
      await put('older', 1000);
      const third = await put('third', 3000);
      expect(await (await at(0)).list()).toEqual([third, first]);
      const behind = await put('quite long', 500);
      expect(await (await at(0)).list()).toEqual([behind]);
    });

    it('lose no more than is too much where several are stored at once', async () => {
      const kept = await artifacts({ limits: { quotaBytes: 300 } });
      const put = () => kept.put(randomBytes(100), TEXT);
      for (let n = 0; n < 3; n++) await put();
      await Promise.all([put(), put(), put()]);
      expect(await kept.list()).toHaveLength(3);
    });

    it('keep one that comes again while older ones go', async () => {
      let now = 1_000_000;
      const happening: Parameters<typeof bytesWith>[0] = {};
      const kept = await artifacts({
        bytes: bytesWith(happening),
        limits: { quotaBytes: 30 },
        now: () => now++,
      });
      const put = async (text: string) => (await kept.put(Buffer.from(text.padEnd(10)), TEXT)).id;
      await put('oldest');
      const again = await put('again');
      await put('newer');
      happening.next = () => put('again');
      const last = await put('twenty bytes in all.');
      expect((await kept.list()).map(({ id }) => id)).toEqual([again, last]);
    });

    it('leave one alone that is written just now', async () => {
      let now = 1_000_000;
      const store = await open();
      const limits = { quotaBytes: 10 };
      const [written, stays] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const stored = createDirectoryBytes(directory);
      const write: typeof stored.write = async (...parts) => {
        await stored.write(...parts);
        written.resolve();
        await stays.promise;
      };
      const slow = await artifacts({ store, bytes: { ...stored, write }, limits, now: () => now++ });
      const quick = await artifacts({ store, limits, now: () => now++ });
      const first = slow.put(Buffer.from('slow'), TEXT);
      await written.promise;
      await quick.put(Buffer.from('quicker'), TEXT);
      stays.resolve();
      expect(await slow.get((await first).id)).toBeDefined();
    });
  });

  it('what is gone takes no room while its bytes cannot be removed', async () => {
    const stored = createDirectoryBytes(directory);
    let away = false;
    const remove: typeof stored.remove = async (name) => {
      if (away) throw new Error('the bucket is away');
      await stored.remove(name);
    };
    const kept = await artifacts({ bytes: { ...stored, remove }, limits: { quotaBytes: 12 } });
    const put = async (text: string) => (await kept.put(Buffer.from(text), TEXT)).id;
    const gone = await put('gone');
    const old = await put('older');
    away = true;
    await expect(kept.remove(gone)).rejects.toThrow('away');
    // with bytes of its own beside those of before
    expect(await put('gone')).toBe(gone);
    await expect(kept.remove(gone)).rejects.toThrow('away');
    const newer = await put('newer');
    expect((await kept.list()).map(({ id }) => id).sort()).toEqual([old, newer].sort());
    away = false;
    // at once, not when it would have expired
    expect(await kept.sweep()).toBe(2);
    expect(await readdir(directory)).toHaveLength(2);
  });

  it('what comes again while it is swept keeps its bytes', async () => {
    let now = 1_000_000;
    const happening: Parameters<typeof bytesWith>[0] = {};
    const kept = await artifacts({
      bytes: bytesWith(happening),
      limits: { maxAgeMs: DAY },
      now: () => now,
    });
    const put = async (text: string) => ({ text, ...(await kept.put(Buffer.from(text), TEXT)) });
    // swept in the order of their ids
    const [, second] = [await put('one'), await put('other')].sort((a, b) => (a.id < b.id ? -1 : 1));
    now += DAY;
    happening.next = async () => {
      // to a process whose clock is behind it has not expired
      now -= 1;
      await put(second!.text);
      now += 1;
    };
    expect(await kept.sweep()).toBe(1);
    expect(await kept.get(second!.id)).toBeDefined();
  });
});
