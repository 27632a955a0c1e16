import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readlink, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createDirectoryBytes } from '../../src/artifacts/directory-bytes.ts';
import { artifactIdOf, createArtifactStore } from '../../src/artifacts/index.ts';

let parent: string;
let directory: string;
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'toolcrib-artifacts-'));
  directory = join(parent, 'state', 'artifacts');
});
afterEach(() => rm(parent, { recursive: true, force: true }));

/** How many files of the store this process holds open, as Linux tells it. */
async function openFiles(): Promise<number> {
  const links = (await readdir('/proc/self/fd')).map((one) => readlink(`/proc/self/fd/${one}`));
  const targets = await Promise.all(links.map((link) => link.catch(() => '')));
  return targets.filter((target) => target.startsWith(parent)).length;
}

const TEXT = { mimeType: 'text/plain', name: 'answer.txt' };
const bytes = (length: number) => Buffer.alloc(length, 'x');

describe('an artifact store', () => {
  it('gives back what was put, byte for byte', async () => {
    const store = createArtifactStore(directory);
    const content = Buffer.from([0, 10, 255, 13, 10, 0]);
    const artifact = await store.put(content, { mimeType: 'image/png', name: 'ä"\n.png' });
    expect(artifact).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{32}$/),
      uri: `toolcrib://artifacts/${artifact.id}`,
      mimeType: 'image/png',
      name: 'ä"\n.png',
      size: 6,
      hash: createHash('sha256').update(content).digest('hex'),
      createdAt: expect.any(String),
      expiresAt: expect.any(String),
    });
    const { bytes, ...stored } = (await createArtifactStore(directory).get(artifact.id))!;
    expect(Buffer.from(bytes)).toEqual(content);
    expect(stored).toMatchObject({ id: artifact.id, name: artifact.name, hash: artifact.hash, size: 6 });
    expect(artifactIdOf(artifact.uri)).toBe(artifact.id);
  });

  it('makes its directory when first needed, for its owner alone', async () => {
    const store = createArtifactStore(directory);
    await expect(readdir(directory)).rejects.toMatchObject({ code: 'ENOENT' });
    expect(await store.get('0'.repeat(32))).toBeUndefined();
    const { id } = await store.put(bytes(1), TEXT);
    if (process.platform === 'win32') return;
    expect((await stat(directory)).mode & 0o777).toBe(0o700);
    expect((await stat(join(directory, id))).mode & 0o777).toBe(0o600);
  });

  it.each([
    '',
    '..',
    '../secret',
    '/etc/passwd',
    'a'.repeat(31),
    'A'.repeat(32),
    `${'a'.repeat(32)}\u0000`,
    `../${'a'.repeat(32)}`,
  ])('%j is no id', async (id) => {
    const store = createArtifactStore(directory);
    await store.put(bytes(1), TEXT);
    await writeFile(join(parent, 'secret'), 'not yours');
    expect(await store.get(id)).toBeUndefined();
    expect(artifactIdOf(`toolcrib://artifacts/${id}`)).toBeUndefined();
  });

  it('does not take a foreign file for an artifact', async () => {
    const store = createArtifactStore(directory);
    await store.put(bytes(1), TEXT);
    const id = 'f'.repeat(32);
    await writeFile(join(directory, id), 'no head');
    expect(await store.get(id)).toBeUndefined();
    for (const head of ['{"mimeType":1}', '{"mimeType":"text/plain"}', '{"mimeType"', '']) {
      await writeFile(join(directory, id), `${head}\nx`);
      expect(await store.get(id), head).toBeUndefined();
    }
    expect(await store.list()).toHaveLength(1);
  });

  it('takes one of an older version, which says nothing of its hash, and one with a long name', async () => {
    const id = 'f'.repeat(32);
    const name = 'n'.repeat(3000);
    await mkdir(directory, { recursive: true });
    await writeFile(join(directory, id), `${JSON.stringify({ ...TEXT, name })}\nold`);
    const { bytes, ...found } = (await createArtifactStore(directory).get(id))!;
    expect(found).toMatchObject({ id, hash: id, name, size: 3 });
    expect(Buffer.from(bytes).toString()).toBe('old');
  });

  it('leaves nothing of what cannot be put in its place', async () => {
    const name = 'f'.repeat(32);
    await mkdir(join(directory, name), { recursive: true });
    const written = createDirectoryBytes(directory).write(name, bytes(1), TEXT, 'hash');
    await expect(written).rejects.toMatchObject({ code: 'store_unavailable' });
    expect(await readdir(directory)).toEqual([name]);
  });

  it('leaves nothing half written', async () => {
    const store = createArtifactStore(directory);
    const ids = await Promise.all(Array.from({ length: 8 }, (_, n) => store.put(bytes(100 + n), TEXT)));
    expect((await readdir(directory)).sort()).toEqual(ids.map(({ id }) => id).sort());
  });
});

describe('limits', () => {
  const age = async (id: string, ms: number) => {
    const then = new Date(Date.now() - ms);
    await utimes(join(directory, id), then, then);
  };

  it('the oldest go when the total is over its limit', async () => {
    const store = createArtifactStore(directory, { maxTotalBytes: 3000 });
    const oldest = await store.put(bytes(1000), TEXT);
    await age(oldest.id, 2000);
    const older = await store.put(bytes(1001), TEXT);
    await age(older.id, 1000);
    const newest = await store.put(bytes(1002), TEXT);
    expect(await store.get(oldest.id)).toBeUndefined();
    expect(await store.get(older.id)).toBeDefined();
    expect(await store.get(newest.id)).toBeDefined();
  });

  it('what is too old goes, with what a crash left behind; other files stay', async () => {
    const first = createArtifactStore(directory);
    const { id } = await first.put(bytes(10), TEXT);
    await age(id, 5000);
    const abandoned = `.${'e'.repeat(32)}.writing`;
    await writeFile(join(directory, abandoned), 'half');
    await age(abandoned, 2 * 60 * 60 * 1000);
    await writeFile(join(directory, 'README'), 'mine');
    const second = createArtifactStore(directory, { maxAgeMs: 1000 });
    const kept = await second.put(bytes(11), TEXT);
    expect((await readdir(directory)).sort()).toEqual(['README', kept.id].sort());
  });

  it('what is too old is gone from then on, also while nobody stores anything', async () => {
    const store = createArtifactStore(directory, { maxAgeMs: 60_000 });
    const put = await store.put(bytes(10), TEXT);
    expect(Date.parse(put.expiresAt) - Date.parse(put.createdAt)).toBe(60_000);
    await age(put.id, 59_000);
    const { createdAt, expiresAt } = (await store.open(put.id))!;
    expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(60_000);
    await age(put.id, 60_001);
    expect(await store.open(put.id)).toBeUndefined();
    expect(await store.list()).toEqual([]);
    expect((await store.put(bytes(10), TEXT)).id).toBe(put.id);
    expect(await store.list()).toHaveLength(1);
  });

  it('a sweep removes what is too old and says how many, and leaves what is written now', async () => {
    const store = createArtifactStore(directory, { maxAgeMs: 1000 });
    expect(await store.sweep()).toBe(0);
    const old = [await store.put(bytes(10), TEXT), await store.put(bytes(11), TEXT)];
    const kept = await store.put(bytes(12), TEXT);
    for (const { id } of old) await age(id, 2000);
    const writing = (letter: string) => `.${letter.repeat(32)}.0123abcd.writing`;
    for (const letter of ['a', 'b']) await writeFile(join(directory, writing(letter)), 'half');
    await age(writing('a'), 60 * 60 * 1000 - 10_000);
    await age(writing('b'), 60 * 60 * 1000 + 10_000);
    await mkdir(join(directory, 'f'.repeat(32)));
    await age('f'.repeat(32), 2000);
    expect(await store.sweep()).toBe(3);
    const left = [writing('a'), kept.id, 'f'.repeat(32)].sort();
    expect((await readdir(directory)).sort()).toEqual(left);
    expect(await createArtifactStore(directory, { maxTotalBytes: 1 }).sweep()).toBe(1);
    expect((await readdir(directory)).sort()).toEqual(left.filter((name) => name !== kept.id));
  });

  it('nothing goes while it just fits, and never what was just put, however old it looks', async () => {
    const put = async (length: number, maxTotalBytes?: number) => {
      const limits = maxTotalBytes === undefined ? {} : { maxTotalBytes };
      return (await createArtifactStore(directory, limits).put(bytes(length), TEXT)).id;
    };
    const files = [await put(100), await put(100 + 1)];
    const sizes = await Promise.all(files.map(async (id) => (await stat(join(directory, id))).size));
    const total = sizes[0]! + sizes[1]!;
    await createArtifactStore(directory).remove(files[1]!);
    await put(101, total);
    expect((await readdir(directory)).sort()).toEqual(files.toSorted());
    for (const id of files) await age(id, -60_000);
    const newest = await put(102, total + 1);
    expect(await readdir(directory)).toContain(newest);
  });

  it('counts what describes an artifact, too, which many small ones mostly are', async () => {
    const store = createArtifactStore(directory, { maxTotalBytes: 2000 });
    for (let n = 0; n < 40; n++) await store.put(Buffer.from([n]), TEXT);
    const sizes = (await readdir(directory)).map(async (id) => (await stat(join(directory, id))).size);
    const total = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
    expect(total).toBeGreaterThan(1500);
    expect(total).toBeLessThanOrEqual(2000);
  });

  it('what other processes put there counts after five minutes', async () => {
    const limits = { maxTotalBytes: 2000 };
    const [one, other] = [createArtifactStore(directory, limits), createArtifactStore(directory, limits)];
    const first = await one.put(bytes(600), TEXT);
    await age(first.id, 5000);
    await other.put(bytes(601), TEXT);
    await one.put(bytes(602), TEXT);
    expect(await one.list()).toHaveLength(3);
    const later = performance.now() + 5 * 60 * 1000;
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => later);
    try {
      await one.put(bytes(1), TEXT);
    } finally {
      clock.mockRestore();
    }
    expect(await one.open(first.id)).toBeUndefined();
    expect(await one.list()).toHaveLength(3);
  });

  it('refuses what would fit without what it is described by, and keeps the rest', async () => {
    const sizeOf = async (id: string) => (await stat(join(directory, id))).size;
    const { id } = await createArtifactStore(directory).put(bytes(100), TEXT);
    const maxTotalBytes = await sizeOf(id);
    const store = createArtifactStore(directory, { maxTotalBytes });
    await expect(store.put(bytes(101), TEXT)).rejects.toMatchObject({ code: 'artifact_quota_exceeded' });
    expect(await store.get(id)).toBeDefined();
    await store.remove(id);
    expect((await store.put(bytes(100), TEXT)).id).toBe(id);
  });

  it('refuses what it could never hold, and keeps the rest', async () => {
    const store = createArtifactStore(directory, { maxTotalBytes: 500 });
    const { id } = await store.put(bytes(100), TEXT);
    await expect(store.put(bytes(1000), TEXT)).rejects.toMatchObject({ code: 'artifact_quota_exceeded' });
    expect(await store.get(id)).toBeDefined();
  });
});

describe('the same output again', () => {
  it('is kept once, and lives on', async () => {
    const store = createArtifactStore(directory);
    const first = await store.put(bytes(10), TEXT);
    const then = new Date(Date.now() - 60_000);
    await utimes(join(directory, first.id), then, then);
    const again = await store.put(bytes(10), { ...TEXT, name: 'other.txt' });
    expect(again.id).toBe(first.id);
    expect(await readdir(directory)).toEqual([first.id]);
    expect((await stat(join(directory, first.id))).mtimeMs).toBeGreaterThan(then.getTime() + 30_000);
  });

  it('is written again where the first went while it was looked at', async () => {
    const store = createArtifactStore(directory);
    const { id } = await store.put(bytes(10), TEXT);
    const looked = vi.spyOn(Date, 'now').mockImplementationOnce(() => {
      rmSync(join(directory, id));
      return 0;
    });
    try {
      await store.put(bytes(10), TEXT);
    } finally {
      looked.mockRestore();
    }
    expect(await store.get(id)).toMatchObject({ size: 10 });
  });

  it('stays where somebody who had seen that the first expired makes room meanwhile', async () => {
    const store = createArtifactStore(directory, { maxAgeMs: 3_600_000 });
    const same = [bytes(10), bytes(11), bytes(12)];
    const put = await Promise.all(same.map((one) => store.put(one, TEXT)));
    const aged = (name: string, hours: number) => {
      const then = new Date(Date.now() - hours * 3_600_000);
      return utimes(join(directory, name), then, then);
    };
    for (const { id } of put) await aged(id, 2);
    // they go first, which takes its time
    for (let at = 0; at < 1000; at++) {
      const name = at.toString(16).padStart(32, '0');
      await writeFile(join(directory, name), '');
      await aged(name, 3);
    }
    const sweeping = store.sweep();
    while ((await readdir(directory)).length > 1000) {}
    await Promise.all(same.map((one) => store.put(one, TEXT)));
    await sweeping;
    for (const { id, size } of put) expect(await store.get(id)).toMatchObject({ size });
  });

  it('is another artifact for another owner or of another type', async () => {
    const store = createArtifactStore(directory);
    const ids = new Set<string>();
    const shifted = { owner: 'annt', mimeType: 'ext/plain' };
    for (const more of [{}, { owner: 'ann' }, { owner: 'bob' }, { mimeType: 'text/html' }, shifted])
      ids.add((await store.put(bytes(10), { ...TEXT, ...more })).id);
    expect(ids.size).toBe(5);
  });
});

describe('looking', () => {
  it('reads any part of it, as it is taken', async () => {
    const store = createArtifactStore(directory);
    const content = Buffer.from(Array.from({ length: 200_000 }, (_, index) => index % 251));
    const { id } = await store.put(content, TEXT);
    const opened = (await store.open(id))!;
    for (const [first, last] of [
      [0, 0],
      [0, 199_999],
      [65_535, 65_536],
      [199_999, 199_999],
      [10, 140_000],
    ] as const) {
      const part = await new Response(opened.stream({ first, last })).arrayBuffer();
      expect(Buffer.from(part)).toEqual(content.subarray(first, last + 1));
    }
  });

  it('fails the stream when the file goes first', async () => {
    const store = createArtifactStore(directory);
    const { id } = await store.put(bytes(10), TEXT);
    const opened = (await store.open(id))!;
    expect(await store.remove(id)).toBe(true);
    await expect(new Response(opened.stream()).arrayBuffer()).rejects.toThrow();
    expect(await store.remove(id)).toBe(false);
    expect(await store.open(id)).toBeUndefined();
  });

  it.skipIf(process.platform !== 'linux')('leaves no file open, however it was looked at', async () => {
    const store = createArtifactStore(directory);
    const { id } = await store.put(bytes(200_000), TEXT);
    await store.list();
    await store.get(id);
    expect(await createDirectoryBytes(directory).has(id)).toBe(true);
    const opened = (await store.open(id))!;
    const givenUp = opened.stream().getReader();
    await givenUp.read();
    expect(await openFiles()).toBe(1);
    await givenUp.cancel();
    const shorter = opened.stream({ first: 0, last: 300_000 });
    await expect(new Response(shorter).arrayBuffer()).rejects.toThrow('shorter than it was');
    await writeFile(join(directory, id), 'none of ours any more');
    await expect(new Response(opened.stream()).arrayBuffer()).rejects.toMatchObject({ code: 'not_found' });
    expect(await openFiles()).toBe(0);
  });

  it('lists the newest first, by owner, page by page', async () => {
    const store = createArtifactStore(directory);
    expect(await store.list()).toEqual([]);
    const ids: string[] = [];
    for (let n = 0; n < 4; n++) {
      const { id } = await store.put(bytes(10 + n), { ...TEXT, owner: n === 3 ? 'bob' : 'ann' });
      const then = new Date(Date.now() - 1000 * (10 - n));
      await utimes(join(directory, id), then, then);
      ids.unshift(id);
    }
    const listed = async (query: Parameters<typeof store.list>[0]) =>
      (await store.list(query)).map(({ id }) => id);
    expect(await listed({})).toEqual(ids);
    expect(await listed({ owner: 'ann' })).toEqual(ids.slice(1));
    expect(await listed({ owner: 'ann', limit: 2 })).toEqual(ids.slice(1, 3));
    expect(await listed({ owner: 'ann', limit: 2, after: ids[2]! })).toEqual(ids.slice(3));
    await expect(listed({ after: 'f'.repeat(32) })).rejects.toMatchObject({ code: 'cursor_invalid' });
    await expect(listed({ owner: 'ann', after: ids[0]! })).rejects.toThrow(/no artifact/);

    const orders = { ...TEXT, name: 'listOrders.json', owner: '["a","ann",["s"]]' };
    const { id } = await store.put(bytes(5), orders);
    expect(await listed({ user: 'ann' })).toEqual([id]);
    expect(await listed({ text: 'ORDERS' })).toEqual([id]);
    expect(await listed({ user: 'bob', text: 'orders' })).toEqual([]);
    expect(await listed({ user: 'ann', owner: 'bob' })).toEqual([]);
  });
});
