import { mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
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
    });
    const stored = await createArtifactStore(directory).get(artifact.id);
    expect(stored).toEqual({ ...artifact, bytes: content });
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

  it('leaves nothing half written', async () => {
    const store = createArtifactStore(directory);
    const ids = await Promise.all(Array.from({ length: 8 }, () => store.put(bytes(100), TEXT)));
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
    const older = await store.put(bytes(1000), TEXT);
    await age(older.id, 1000);
    const newest = await store.put(bytes(1000), TEXT);
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
    const kept = await second.put(bytes(10), TEXT);
    expect((await readdir(directory)).sort()).toEqual(['README', kept.id].sort());
  });

  it('refuses what it could never hold, and keeps the rest', async () => {
    const store = createArtifactStore(directory, { maxTotalBytes: 500 });
    const { id } = await store.put(bytes(100), TEXT);
    await expect(store.put(bytes(1000), TEXT)).rejects.toMatchObject({ code: 'upstream_too_large' });
    expect(await store.get(id)).toBeDefined();
  });
});
