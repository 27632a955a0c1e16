import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTokenCounts } from '../../../src/assembly/listing/token-counts.ts';

const TEXT = 'Lists the things that there are.';

describe('counts of tokens', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'toolcrib-counts-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const written = async (file: string) => JSON.parse(await readFile(file, 'utf8').catch(() => '{}'));

  it('are there for the next start, though nobody closed the one before', async () => {
    const file = join(folder, 'killed.json');
    const tokens = createTokenCounts(file).count(TEXT);
    await expect.poll(async () => Object.values(await written(file))).toEqual([tokens]);
  });

  it('are taken from the file, and counted no more', async () => {
    const file = join(folder, 'known.json');
    const first = createTokenCounts(file);
    first.count(TEXT);
    await first.close();
    const [key] = Object.keys(await written(file));
    await writeFile(file, JSON.stringify({ [key!]: 1234 }));
    const next = createTokenCounts(file);
    await next.open();
    expect(next.count(TEXT)).toBe(1234);
  });

  it('are all written, those of the last moment too', async () => {
    const file = join(folder, 'closed.json');
    const counts = createTokenCounts(file);
    counts.count(TEXT);
    await expect.poll(async () => Object.keys(await written(file)).length).toBe(1);
    counts.count(`${TEXT} And more.`);
    await counts.close();
    expect(Object.keys(await written(file))).toHaveLength(2);
  });

  it('are not written where nothing was counted, nor where nothing is kept', async () => {
    const file = join(folder, 'nothing.json');
    const counts = createTokenCounts(file);
    await counts.close();
    expect(await written(file)).toEqual({});
    const unkept = createTokenCounts(undefined);
    expect(unkept.count(TEXT)).toBeGreaterThan(1);
    await unkept.close();
  });

  it('of a file that cannot be written are counted all the same', async () => {
    const counts = createTokenCounts(join(folder, 'closed.json', 'below.json'));
    expect(counts.count(TEXT)).toBeGreaterThan(1);
    await counts.close();
  });
});
