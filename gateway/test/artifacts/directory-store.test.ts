import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDirectoryBytes } from '../../src/artifacts/directory-bytes.ts';
import { artifactIdOf, createArtifactStore } from '../../src/artifacts/index.ts';

let parent: string;
let directory: string;
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'toolcrib-artifacts-'));
  directory = join(parent, 'state', 'artifacts');
});
afterEach(() => rm(parent, { recursive: true, force: true }));

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
    await writeFile(join(directory, id), '{"mimeType":1}\nx');
    expect(await store.get(id)).toBeUndefined();
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

  it('is another artifact for another owner or of another type', async () => {
    const store = createArtifactStore(directory);
    const ids = new Set<string>();
    for (const more of [{}, { owner: 'ann' }, { owner: 'bob' }, { mimeType: 'text/html' }])
      ids.add((await store.put(bytes(10), { ...TEXT, ...more })).id);
    expect(ids.size).toBe(4);
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
