import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
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

    it('keep one that another process made anew, in the same millisecond as before, while older ones go', async () => {
      const store = await open();
      let at = 0;
      const happening: Parameters<typeof bytesWith>[0] = {};
      const now = () => at;
      const kept = await artifacts({ store, now, bytes: bytesWith(happening), limits: { quotaBytes: 30 } });
      const other = await artifacts({ store, now });
      const put = async (text: string, when: number, into = kept) => {
        at = when;
        return (await into.put(Buffer.from(text.padEnd(10)), TEXT)).id;
      };
      await put('oldest', 1);
      const again = await put('again', 2);
      await put('newer', 3);
      happening.next = async () => {
        for (const name of await readdir(directory)) await rm(join(directory, name));
        await put('again', 2, other);
      };
      const last = await put('twenty bytes in all.', 4);
      expect((await kept.list()).map(({ id }) => id)).toEqual([last, again]);
    });

    it('count what other processes put there after five minutes, and those that expired go first', async () => {
      const store = await open();
      let now = 1_000_000;
      const limits = { maxTotalBytes: 30, maxAgeMs: DAY };
      const [one, other] = [
        await artifacts({ store, limits, now: () => now++ }),
        await artifacts({ store, limits, now: () => now++ }),
      ];
      const put = async (kept: typeof one) => (await kept.put(randomBytes(10), TEXT)).id;
      const ids = [await put(one), await put(other), await put(other), await put(one)];
      const later = performance.now() + 5 * 60_000 + 1;
      const clock = vi.spyOn(performance, 'now').mockImplementation(() => later);
      try {
        ids.push(await put(one));
        expect((await one.list()).map(({ id }) => id)).toEqual(ids.slice(2).reverse());
        now += DAY;
        clock.mockImplementation(() => later + 5 * 60_000 + 1);
        const { id } = await one.put(randomBytes(1), TEXT);
        expect(await store.database.selectFrom('artifacts').select('id').execute()).toEqual([{ id }]);
      } finally {
        clock.mockRestore();
      }
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

  it('a sweep goes through all that have expired, however many, past those whose bytes stay', async () => {
    const store = await open();
    const rows = Array.from({ length: 450 }, (_, n) => ({
      ...{ id: randomBytes(16).toString('hex'), blob: `b${n}`, place: '', owner: '', hash: '', size: 1 },
      ...{ mime_type: TEXT.mimeType, name: TEXT.name, ready: 1, created_at: 0, expires_at: 450 - n },
    }));
    await store.database.insertInto('artifacts').values(rows).execute();
    const stuck = rows
      .map(({ id }) => id)
      .sort()
      .slice(0, 2);
    const blobs = new Set(rows.filter(({ id }) => stuck.includes(id)).map(({ blob }) => blob));
    const remove = async (blob: string) => {
      if (blobs.has(blob)) throw new Error('it stays');
    };
    const bytes = { ...createDirectoryBytes(directory), remove };
    const swept = (await artifacts({ store, bytes, now: () => 450 })).sweep();
    await expect(swept).rejects.toThrow('it stays');
    const left = await store.database.selectFrom('artifacts').select('id').orderBy('id').execute();
    expect(left.map(({ id }) => id)).toEqual(stuck);
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
