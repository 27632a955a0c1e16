import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { compileProcessAhead } from '../../src/cli/compile-ahead.ts';
import type { Terminal } from '../../src/cli/terminal/terminal.ts';

let cwd: string;
beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'toolcrib-ahead-'));
  await writeFile(join(cwd, 'small.json'), '{}');
  await writeFile(join(cwd, 'large.json'), `{}${' '.repeat(600 * 1024)}`);
  await mkdir(join(cwd, 'compiled/cache'), { recursive: true });
  const entry = join(cwd, 'compiled/cache/entry.json');
  await writeFile(entry, '{}');
  const later = Date.now() / 1000 + 60;
  await utimes(entry, later, later);
});
afterAll(() => rm(cwd, { recursive: true, force: true }));

/** Whether a process was started for these words; it is ended again. */
async function startsFor(...words: string[]): Promise<boolean> {
  const started = await compileProcessAhead(words, { cwd, env: { HOME: cwd } } as unknown as Terminal);
  started?.release();
  await started?.ended;
  return started !== undefined;
}

it('starts a compile process for a server on standard input and output with a large document', async () => {
  expect(await startsFor('serve', 'large.json', '--stdio', '--state-dir', 'fresh')).toBe(true);
  expect(await startsFor('serve', '--stdio', '--state-dir=fresh', join(cwd, 'large.json'))).toBe(true);
});

it.each([
  ['another command', ['compile', 'large.json', '--stdio']],
  ['a server over HTTP', ['serve', 'large.json']],
  ['a small document', ['serve', 'small.json', '--stdio']],
  ['a document that is not there', ['serve', 'absent.json', '--stdio']],
  ['one that is older than what was compiled', ['serve', 'large.json', '--stdio', '--state-dir', 'compiled']],
  ['the same, said in one word', ['serve', 'large.json', '--stdio', '--state-dir=compiled']],
  ['no words', []],
])('starts none for %s', async (_what, words) => {
  expect(await startsFor(...words)).toBe(false);
});
