import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CompileCache } from '../../src/catalog/compile-cache.ts';
import { encodeCompiled } from '../../src/catalog/compiled-codec.ts';
import { compiledSource, plainOperation } from './compiled-source.ts';

const INPUTS = [{ location: '/pets.yaml', hash: 'sha256:aa' }];
const KEY = { name: 'pets', version: '1' };

describe('the compile cache', () => {
  let directory: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'toolcrib-cache-'));
  });
  afterEach(() => rm(directory, { recursive: true, force: true }));

  const store = async (...ids: string[]) => {
    const cache = new CompileCache(directory);
    const source = compiledSource(
      'pets',
      ids.map((id) => plainOperation(id, 'pets')),
    );
    await cache.store(KEY, INPUTS, encodeCompiled(source));
    return cache;
  };
  const same = async () => 'sha256:aa';

  it('gives back what was stored while the inputs have the same bytes', async () => {
    const cache = await store('getPet');
    const loaded = await cache.load(KEY, same);
    expect(loaded?.inputs).toEqual(INPUTS);
    expect(loaded?.source.tools[0]?.operation()).toEqual(plainOperation('getPet', 'pets'));
  });

  it.each([
    ['another key', { ...KEY, version: '2' }, same],
    ['a changed input', KEY, async () => 'sha256:bb'],
    ['an input that is gone', KEY, async () => undefined],
  ])('misses for %s', async (_what, key, current) => {
    const cache = await store('getPet');
    expect(await cache.load(key, current)).toBeUndefined();
  });

  it.each([
    ['an index that grew', '.index', (bytes: Buffer) => Buffer.concat([bytes, Buffer.from(' ')])],
    ['details that are empty', '.details', () => Buffer.alloc(0)],
    ['details that end early', '.details', (bytes: Buffer) => bytes.subarray(0, bytes.length / 2)],
    ['details of other bytes', '.details', (bytes: Buffer) => Buffer.alloc(bytes.length)],
    ['an empty header', '.json', () => Buffer.alloc(0)],
  ])('misses for %s, and stores it anew', async (_what, ending, damage) => {
    const cache = await store('getPet');
    const file = join(directory, (await readdir(directory)).find((name) => name.endsWith(ending))!);
    await writeFile(file, damage(await readFile(file)));
    expect(await cache.load(KEY, same)).toBeUndefined();
    await store('getPet');
    expect((await cache.load(KEY, same))?.source.tools[0]?.operation().id).toBe('getPet');
  });

  it('keeps one entry a key, and what was loaded stays readable', async () => {
    const cache = await store('getPet');
    const loaded = await cache.load(KEY, same);
    await store('listPets');
    expect((await readdir(directory)).sort().map((name) => name.split('.').at(-1))).toEqual([
      'details',
      'index',
      'json',
    ]);
    expect(loaded?.source.tools[0]?.operation().id).toBe('getPet');
  });

  it('is no cache where it cannot write', async () => {
    const file = join(directory, 'file');
    await writeFile(file, '');
    const cache = new CompileCache(join(file, 'below'));
    await cache.store(KEY, INPUTS, encodeCompiled(compiledSource('pets', [])));
    expect(await cache.load(KEY, same)).toBeUndefined();
  });
});
