import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import {
  readConfigurationFile,
  replaceConfigurationFile,
} from '../../../src/assembly/source-desk/configuration-file.ts';

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toolcrib-file-'));
  file = join(folder, 'toolcrib.yaml');
  await writeFile(file, 'sources: {}\n');
  return () => rm(folder, { recursive: true, force: true });
});

it('of several that looked at the same file one writes it, and all others are told', async () => {
  const read = await readConfigurationFile(file);
  const texts = Array.from({ length: 20 }, (_, writer) => `name: writer-${writer}\n`);
  const outcomes = await Promise.allSettled(texts.map((text) => replaceConfigurationFile(read, text)));
  const written = texts.filter((_, index) => outcomes[index]!.status === 'fulfilled');
  expect(written).toEqual([await readFile(file, 'utf8')]);
  for (const outcome of outcomes)
    if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'record_conflict' });
  expect(await readdir(folder)).toEqual(['toolcrib.yaml']);
});

it('what a process left that ended while it wrote keeps nobody out for long', async () => {
  const left = `${file}.toolcrib.tmp`;
  await writeFile(left, 'half');
  const read = await readConfigurationFile(file);
  await expect(replaceConfigurationFile(read, 'name: a\n')).rejects.toMatchObject({
    code: 'record_conflict',
  });
  const before = new Date(Date.now() - 120_000);
  await utimes(left, before, before);
  await replaceConfigurationFile(read, 'name: a\n');
  expect(await readFile(file, 'utf8')).toBe('name: a\n');
});
