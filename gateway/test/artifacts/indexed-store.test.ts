import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDirectoryBytes } from '../../src/artifacts/directory-bytes.ts';
import { createIndexedArtifacts } from '../../src/artifacts/indexed-store.ts';
import type { Store } from '../../src/store/store.ts';
import { onEveryStore } from '../store/support/stores.ts';
import { sharedArtifactCases } from './shared-artifact-cases.ts';

const TEXT = { mimeType: 'text/plain', name: 'answer.txt' };
const DAY = 86_400_000;

let directory: string;
beforeEach(async () => {
  directory = join(await mkdtemp(join(tmpdir(), 'toolcrib-indexed-')), 'artifacts');
});
afterEach(() => rm(join(directory, '..'), { recursive: true, force: true }));
const files = () => readdir(directory).catch(() => []);

onEveryStore((bench) => {
  const { dialect, open } = bench;
  const artifacts = async (options: Partial<Parameters<typeof createIndexedArtifacts>[0]> = {}) => {
    const store = options.store ?? (await open());
    const bytes = createDirectoryBytes(directory);
    return createIndexedArtifacts({ bytes, ...options, store });
  };

  const rowOf = (store: Store, id: string) =>
    store.database.selectFrom('artifacts').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

  describe('artifacts described in the store', () => {
    it('are read by every process, and by their hash', async () => {
      const one = await artifacts();
      const put = await one.put(Buffer.from('hello'), { ...TEXT, owner: 'ann' });
      const other = await artifacts();
      const { bytes, ...found } = (await other.get(put.id))!;
      expect(found).toEqual(put);
      expect(Buffer.from(bytes).toString()).toBe('hello');
      const part = (await other.open(put.id))!.stream({ first: 1, last: 3 });
      expect(await new Response(part).text()).toBe('ell');
    });

    it('are kept once, however often and by whomever at once', async () => {
      const [one, other] = [await artifacts(), await artifacts()];
      const put = await Promise.all(
        Array.from({ length: 10 }, (_, n) => (n % 2 === 0 ? one : other).put(Buffer.from('same'), TEXT)),
      );
      expect(new Set(put.map(({ id }) => id)).size).toBe(1);
      expect(await files()).toHaveLength(1);
      expect(Buffer.from((await one.get(put[0]!.id))!.bytes).toString()).toBe('same');
      await one.put(Buffer.from('same'), { ...TEXT, owner: 'ann' });
      expect(await files()).toHaveLength(2);
    });

    sharedArtifactCases(bench);

    it.each(['', '..', '../x', 'A'.repeat(32), `${'a'.repeat(32)}\u0000`])('%j is no id', async (id) => {
      const store = await artifacts();
      expect(await store.get(id)).toBeUndefined();
      expect(await store.remove(id)).toBe(false);
      await expect(store.list({ after: id })).rejects.toMatchObject({ code: 'cursor_invalid' });
    });

    it('expire, and are swept with what a crash left', async () => {
      let now = 1_000_000;
      const store = await open();
      const kept = await artifacts({ store, limits: { maxAgeMs: DAY }, now: () => now });
      const { id } = await kept.put(Buffer.from('old'), TEXT);
      const crashing = createIndexedArtifacts({
        store,
        bytes: {
          ...createDirectoryBytes(directory),
          write: async () => {
            throw new Error('power cut');
          },
        },
        now: () => now,
      });
      await expect(crashing.put(Buffer.from('never'), TEXT)).rejects.toThrow('power cut');
      expect(await kept.list()).toHaveLength(1);
      // its bytes may be under way for an hour
      now += 60 * 60 * 1000;
      expect(await kept.sweep()).toBe(0);
      expect(await store.database.selectFrom('artifacts').select('ready').execute()).toHaveLength(2);
      now += 1;
      expect(await kept.sweep()).toBe(1);
      now += DAY - 60 * 60 * 1000 - 2;
      expect(await kept.get(id)).toBeDefined();
      now += 1;
      expect(await kept.get(id)).toBeUndefined();
      expect(await kept.list()).toEqual([]);
      expect(await kept.sweep()).toBe(1);
      expect(await files()).toEqual([]);
      expect(await store.database.selectFrom('artifacts').selectAll().execute()).toEqual([]);
    });

    it('keep their size where another process fails to write the same', async () => {
      const [store, other] = [await open(), await open()];
      const began = Promise.withResolvers<void>();
      const cut = Promise.withResolvers<void>();
      const failing = createIndexedArtifacts({
        store,
        bytes: {
          ...createDirectoryBytes(directory),
          write: async () => {
            began.resolve();
            await cut.promise;
            throw new Error('power cut');
          },
        },
      });
      const failed = failing.put(Buffer.from('same'), TEXT);
      await began.promise;
      const kept = await artifacts({ store: other, limits: { quotaBytes: 7 } });
      const { id } = await kept.put(Buffer.from('same'), TEXT);
      cut.resolve();
      await expect(failed).rejects.toThrow('power cut');
      expect(await kept.list()).toMatchObject([{ id, size: 4 }]);
      await kept.put(Buffer.from('more'), TEXT);
      expect(await kept.list()).toHaveLength(1);
    });

    it('live on when the same output comes again', async () => {
      let now = 1_000_000;
      const kept = await artifacts({ limits: { maxAgeMs: DAY }, now: () => now });
      const { id } = await kept.put(Buffer.from('again'), TEXT);
      now += DAY - 1;
      await kept.put(Buffer.from('again'), TEXT);
      now += DAY - 1;
      expect(await kept.get(id)).toBeDefined();
      // also where it has expired and is not swept yet
      now += DAY;
      const anew = await kept.put(Buffer.from('again'), TEXT);
      expect(await kept.list()).toEqual([anew]);
    });

    it('are written anew where their bytes are lost', async () => {
      const kept = await artifacts();
      const { id } = await kept.put(Buffer.from('lost'), TEXT);
      for (const file of await files()) await rm(join(directory, file));
      expect(await kept.get(id)).toBeUndefined();
      expect((await kept.put(Buffer.from('lost'), TEXT)).id).toBe(id);
      expect(Buffer.from((await kept.get(id))!.bytes).toString()).toBe('lost');
    });

    it('are those of a new user who has the id of a removed one, also where that one had the same', async () => {
      const store = await open();
      const kept = await artifacts({ store });
      const put = (name: string) => kept.put(Buffer.from('same'), { ...TEXT, name, owner: '["a","ann"]' });
      const { id } = await put('before.txt');
      await store.database.updateTable('artifacts').set({ owner: '["a","ann (removed)"]' }).execute();
      expect(await put('after.txt')).toMatchObject({ id });
      expect(await kept.get(id)).toMatchObject({ owner: '["a","ann"]', name: 'after.txt' });
      expect(await files()).toHaveLength(1);
    });

    it('are listed by owner, and by how owners begin', async () => {
      const kept = await artifacts();
      const put = async (owner: string) => (await kept.put(Buffer.from('x'), { ...TEXT, owner })).id;
      const ids = [await put('["a","b_"]'), await put('["a","b_",["s"]]'), await put('["a","b%",["s"]]')];
      const listed = async (query: object) => (await kept.list(query)).map(({ id }) => id).sort();
      const owner = '["a","b_"]';
      expect(await listed({ owner })).toEqual([ids[0]]);
      expect(await listed({ owner, ownersWithin: '["a","b_",' })).toEqual(ids.slice(0, 2).sort());
    });

    it('are found by their user and by text in their names', async () => {
      let now = 1_000_000;
      const kept = await artifacts({ now: () => now++ });
      const put = async (owner: string, name: string) =>
        (await kept.put(Buffer.from(name), { ...TEXT, name, owner })).id;
      const ids = [
        await put('["a","ann"]', 'listOrders.json'),
        await put('["a","ann",["bob"]]', 'list_items.json'),
        await put('["ann","bob"]', 'orders 100%.csv'),
        await put('ann', 'orders.csv'),
        await put('ann', 'Übersicht.csv'),
      ];
      const listed = async (query: object) =>
        (await kept.list(query)).map(({ id }) => ids.indexOf(id)).toReversed();
      expect(await listed({ user: 'ann' })).toEqual([0, 1]);
      expect(await listed({ user: 'bob' })).toEqual([2]);
      expect(await listed({ user: 'eve' })).toEqual([]);
      expect(await listed({ text: 'ORDERS' })).toEqual([0, 2, 3]);
      expect(await listed({ text: '_' })).toEqual([1]);
      expect(await listed({ text: '%' })).toEqual([2]);
      expect(await listed({ text: 'Übersicht' })).toEqual([4]);
      // PostgreSQL knows the letters of its locale
      if (dialect === 'sqlite') expect(await listed({ text: 'übersicht' })).toEqual([4]);
      expect(await listed({ user: 'ann', text: 'orders' })).toEqual([0]);
      expect(await listed({ user: 'bob', owner: '["a","ann"]', ownersWithin: '["a","ann",' })).toEqual([]);
      expect(await listed({ user: 'ann', limit: 1, after: ids[1] })).toEqual([0]);
    });

    it("keep within each owner's quota: the owner's oldest go", async () => {
      let now = 1_000_000;
      const kept = await artifacts({ limits: { quotaBytes: 300, maxTotalBytes: 1000 }, now: () => now++ });
      const put = (owner: string) => kept.put(randomBytes(100), { ...TEXT, owner });
      const bob = await put('bob');
      const ann = [await put('ann'), await put('ann'), await put('ann'), await put('ann')];
      expect((await kept.list({ owner: 'ann' })).map(({ id }) => id)).toEqual(
        ann
          .slice(1)
          .reverse()
          .map(({ id }) => id),
      );
      expect(await kept.get(bob.id)).toBeDefined();
      expect(await files()).toHaveLength(4);
      await expect(kept.put(randomBytes(301), TEXT)).rejects.toMatchObject({
        code: 'artifact_quota_exceeded',
      });
    });

    it('keep within the total, whoever of the processes put them there', async () => {
      let now = 1_000_000;
      const store = await open();
      const limits = { maxTotalBytes: 500, quotaBytes: 1000 };
      const one = await artifacts({ store, limits, now: () => now++ });
      const other = await artifacts({ store, limits, now: () => now++ });
      const ids: string[] = [];
      const put = async (by: typeof one, owner: string) =>
        ids.unshift((await by.put(randomBytes(100), { ...TEXT, owner })).id);
      const listed = async () => (await one.list()).map(({ id }) => id);
      for (let n = 0; n < 6; n++) await put(n % 2 === 0 ? one : other, `${9 - n}`);
      const again = await artifacts({ store, limits, now: () => now++ });
      await put(again, 'x');
      expect(await listed()).toEqual(ids.slice(0, 5));
      expect(await files()).toHaveLength(5);
      await put(again, 'a');
      await put(again, 'a');
      expect(await listed()).toEqual(ids.slice(0, 5));
      // what is removed makes room
      for (const id of ids.splice(0, 2)) expect(await again.remove(id)).toBe(true);
      await put(again, 'a');
      expect(await listed()).toEqual(ids.slice(0, 4));
      // nothing goes for what would never fit
      await expect(one.put(randomBytes(501), TEXT)).rejects.toMatchObject({
        code: 'artifact_quota_exceeded',
      });
    });

    it('are listed newest first, page by page', async () => {
      let now = 1_000_000;
      const kept = await artifacts({ now: () => now++ });
      const ids: string[] = [];
      for (let n = 0; n < 5; n++) ids.unshift((await kept.put(Buffer.from(`${n}`), TEXT)).id);
      const first = await kept.list({ limit: 2 });
      const rest = await kept.list({ limit: 10, after: first.at(-1)!.id });
      expect(first[0]).not.toHaveProperty('owner');
      expect([...first, ...rest].map(({ id }) => id)).toEqual(ids);
      await expect(kept.list({ after: 'f'.repeat(32) })).rejects.toMatchObject({ code: 'cursor_invalid' });
      await expect(kept.list({ after: ids[0]!, owner: 'ann' })).rejects.toThrow(/no artifact/);
    });

    it('of the same moment are on one page each, and a page has a hundred unless more are asked for', async () => {
      const store = await open();
      const kept = await artifacts({ store, now: () => 1 });
      const { id: _id, ...row } = await rowOf(store, (await kept.put(Buffer.from('x'), TEXT)).id);
      const more = Array.from({ length: 104 }, (_, n) => ({ ...row, id: `${n}`.padStart(32, 'a') }));
      await store.database.insertInto('artifacts').values(more.toReversed()).execute();
      const first = await kept.list();
      expect(first).toHaveLength(100);
      const rest = await kept.list({ after: first.at(-1)!.id });
      const ids = [...first, ...rest].map(({ id }) => id);
      expect(ids).toEqual(ids.toSorted());
      expect(new Set(ids).size).toBe(105);
    });

    it('are removed with their bytes', async () => {
      const kept = await artifacts();
      const { id } = await kept.put(Buffer.from('x'), TEXT);
      expect(await kept.remove(id)).toBe(true);
      expect(await kept.remove(id)).toBe(false);
      expect(await kept.open(id)).toBeUndefined();
      expect(await files()).toEqual([]);
    });

    it('whose bytes could not be removed are gone for all, and their bytes go later', async () => {
      let now = 1_000_000;
      const store = await open();
      const stored = createDirectoryBytes(directory);
      let away = false;
      const remove: typeof stored.remove = async (name) => {
        if (away) throw new Error('the bucket is away');
        await stored.remove(name);
      };
      const kept = await artifacts({
        store,
        bytes: { ...stored, remove },
        limits: { maxAgeMs: DAY },
        now: () => now,
      });
      const put = async (text: string) => (await kept.put(Buffer.from(text), TEXT)).id;
      const [removed, expired, again] = [await put('removed'), await put('expired'), await put('again')];
      away = true;
      for (const id of [removed, again]) await expect(kept.remove(id)).rejects.toThrow('away');
      expect([await kept.open(removed), await kept.remove(removed)]).toEqual([undefined, false]);
      expect((await kept.list()).map(({ id }) => id)).toEqual([expired]);
      away = false;
      // the same output anew has bytes of its own
      expect(await put('again')).toBe(again);
      expect(await files()).toHaveLength(3);
      away = true;
      now += DAY;
      await expect(kept.sweep()).rejects.toThrow('away');
      expect(await kept.list()).toEqual([]);
      expect(await files()).toHaveLength(3);
      away = false;
      expect(await kept.sweep()).toBe(3);
      expect(await store.database.selectFrom('artifacts').selectAll().execute()).toEqual([]);
      expect(await files()).toEqual([]);
    });

    it('are stored also while bytes of others, or their own of before, cannot be removed', async () => {
      let now = 1_000_000;
      const store = await open();
      const stored = createDirectoryBytes(directory);
      let away = false;
      const remove: typeof stored.remove = async (name) => {
        if (away) throw new Error('the bucket is away');
        await stored.remove(name);
      };
      const bytes = { ...stored, remove };
      const limits = { maxAgeMs: DAY, quotaBytes: 10 };
      const kept = await artifacts({ store, bytes, limits, now: () => now });
      const put = async (text: string) => (await kept.put(Buffer.from(text), { ...TEXT, owner: 'ann' })).id;
      const again = await put('again');
      away = true;
      await expect(kept.remove(again)).rejects.toThrow('away');
      // its bytes of before are there still
      expect(await put('again')).toBe(again);
      // the older goes for it
      now += 1;
      const next = await put('more of it');
      expect((await kept.list()).map(({ id }) => id)).toEqual([next]);
      expect(await files()).toHaveLength(3);
      // a process that counts anew finds what has expired
      now += DAY;
      const other = await artifacts({ store, bytes, limits, now: () => now });
      const { id } = await other.put(Buffer.from('later'), { ...TEXT, owner: 'bob' });
      expect((await other.list()).map((one) => one.id)).toEqual([id]);
      expect(await files()).toHaveLength(4);
      away = false;
      expect(await other.sweep()).toBe(3);
      expect(await files()).toHaveLength(1);
      expect((await other.list()).map((one) => one.id)).toEqual([id]);
    });

    it('at a place that fails again and again are left alone, and those elsewhere removed', async () => {
      const store = await open();
      let now = 1_000_000;
      const stored = createDirectoryBytes(directory);
      const limits = { maxAgeMs: DAY };
      const asked: string[] = [];
      const here = await artifacts({ store, place: directory, limits, now: () => now });
      for (let at = 0; at < 4; at++) await here.put(randomBytes(9), TEXT);
      const failing: typeof stored = {
        ...stored,
        has: async () => false,
        remove: async (name) => {
          asked.push(name);
          throw new Error('the bucket is away');
        },
      };
      const there = await artifacts({ store, place: 's3://away', bytes: failing, limits, now: () => now });
      for (let at = 0; at < 9; at++) await there.put(randomBytes(9), TEXT);
      expect(await files()).toHaveLength(13);
      now += DAY;
      await expect(there.sweep()).rejects.toThrow('away');
      expect(asked).toHaveLength(3);
      expect(await files()).toHaveLength(9);
    });

    it('that are stored anew while they are removed are there', async () => {
      const stored = createDirectoryBytes(directory);
      const [removing, stays] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      let removed: Promise<boolean> | undefined;
      let waits = true;
      const kept = await artifacts({
        bytes: {
          ...stored,
          // asked before an artifact is renewed: just then somebody removes it
          has: async (name) => {
            removed ??= kept.remove(id);
            await removing.promise;
            return stored.has(name);
          },
          remove: async (name) => {
            removing.resolve();
            if (waits) {
              waits = false;
              await stays.promise;
            }
            await stored.remove(name);
          },
        },
      });
      const { id } = await kept.put(Buffer.from('x'), TEXT);
      expect((await kept.put(Buffer.from('x'), TEXT)).id).toBe(id);
      stays.resolve();
      expect(await removed).toBe(true);
      expect(Buffer.from((await kept.get(id))!.bytes).toString()).toBe('x');
      expect(await files()).toHaveLength(1);
    });

    it('that cannot be written take no room from those that are there', async () => {
      const store = await open();
      const files = createDirectoryBytes(directory);
      let failing = false;
      const write: typeof files.write = async (...parts) => {
        if (failing) throw new Error('the bucket is away');
        await files.write(...parts);
      };
      const kept = await artifacts({ store, bytes: { ...files, write }, limits: { quotaBytes: 100 } });
      const put = (length: number) => kept.put(randomBytes(length), { ...TEXT, owner: 'ann' });
      const good = await put(60);
      failing = true;
      for (let round = 0; round < 5; round += 1) await expect(put(50)).rejects.toThrow('away');
      failing = false;
      const next = await put(30);
      const again = randomBytes(5);
      failing = true;
      await expect(kept.put(again, { ...TEXT, owner: 'ann' })).rejects.toThrow('away');
      failing = false;
      await kept.put(again, { ...TEXT, owner: 'ann' });
      expect((await kept.list({ owner: 'ann' })).map(({ size }) => size).sort()).toEqual([30, 5, 60]);
      await kept.remove((await kept.list({ owner: 'ann' })).find(({ size }) => size === 5)!.id);
      expect((await kept.list({ owner: 'ann' })).map(({ id }) => id).sort()).toEqual(
        [good.id, next.id].sort(),
      );
    });

    it('stay readable, and are removed, in the folder of an earlier configuration', async () => {
      const store = await open();
      const later = join(directory, '..', 'later');
      const first = await artifacts({ store, place: directory });
      const put = async (text: string) => (await first.put(Buffer.from(text), TEXT)).id;
      const [read, removed, moved] = [await put('read'), await put('removed'), await put('moved')];
      const moving = await store.database
        .selectFrom('artifacts')
        .select('blob')
        .where('id', '=', moved)
        .executeTakeFirstOrThrow();
      const second = await artifacts({ store, bytes: createDirectoryBytes(later), place: later });
      const renewed = await second.put(Buffer.from('new'), TEXT);
      await rename(join(directory, moving.blob), join(later, moving.blob));
      expect(Buffer.from((await second.get(read))!.bytes).toString()).toBe('read');
      expect(Buffer.from((await second.get(moved))!.bytes).toString()).toBe('moved');
      const part = (await second.open(read))!.stream({ first: 1, last: 2 });
      expect(await new Response(part).text()).toBe('ea');
      expect(await second.remove(removed)).toBe(true);
      expect(await files()).toHaveLength(1);
      expect(Buffer.from((await first.get(renewed.id))!.bytes).toString()).toBe('new');
    });

    it('of an older version, which says no place, are where the configuration says', async () => {
      const store = await open();
      const kept = await artifacts({ store, place: directory });
      const { id } = await kept.put(Buffer.from('old'), TEXT);
      await store.database.updateTable('artifacts').set({ place: '' }).execute();
      expect(Buffer.from((await kept.get(id))!.bytes).toString()).toBe('old');
      await rm(directory, { recursive: true });
      expect(await kept.get(id)).toBeUndefined();
      expect(await kept.remove(id)).toBe(true);
    });

    it('say where they lie when an earlier configuration put them into a bucket', async () => {
      let now = 1_000_000;
      const store = await open();
      const limits = { maxAgeMs: DAY };
      const bucket = 'https://s3.test/artifacts/';
      const bytes = createDirectoryBytes(join(directory, '..', 'bucket'));
      const before = await artifacts({ store, bytes, place: bucket, limits, now: () => now });
      const { id } = await before.put(Buffer.from('far'), TEXT);
      const again = await before.put(Buffer.from('again'), TEXT);
      const kept = await artifacts({ store, place: directory, limits, now: () => now });
      const elsewhere = { code: 'artifact_elsewhere', message: expect.stringContaining(bucket) };
      await expect(kept.get(id)).rejects.toMatchObject(elsewhere);
      await expect(new Response((await kept.open(id))!.stream()).text()).rejects.toMatchObject(elsewhere);
      await expect(kept.remove(id)).rejects.toMatchObject(elsewhere);
      expect((await kept.put(Buffer.from('again'), TEXT)).id).toBe(again.id);
      expect(Buffer.from((await kept.get(again.id))!.bytes).toString()).toBe('again');
      expect(Buffer.from((await before.get(again.id))!.bytes).toString()).toBe('again');
      expect(Buffer.from((await before.get(id))!.bytes).toString()).toBe('far');
      now += DAY;
      expect(await kept.sweep()).toBe(2);
      expect(await files()).toEqual([]);
    });

    it('that cannot be written leave nothing that could be read', async () => {
      const kept = await artifacts({ bytes: createDirectoryBytes('/dev/null/nowhere') });
      await expect(kept.put(Buffer.from('x'), TEXT)).rejects.toMatchObject({ code: 'store_unavailable' });
      expect(await kept.list()).toEqual([]);
    });
  });
});
