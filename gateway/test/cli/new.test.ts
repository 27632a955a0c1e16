import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { commandFile } from '../command-file.ts';
import { temporaryHome } from './command-run.ts';

const crib = temporaryHome();

const SCAFFOLDS = [
  ['tool', 'word_count', 'word_count', '2 examples run, 1 test file run'],
  ['skill', 'count-words', 'count-words', '1 tool'],
  ['manifest', 'shop', 'shop.yaml', '3 operations'],
  ['source', 'listed', 'listed', 'a source kind, 1 test file run'],
] as const;

describe('toolcrib new', () => {
  it.each(SCAFFOLDS)('makes a %s that lint has no word against', async (kind, name, made, what) => {
    const written = await crib.run(['new', kind, name, '--dir', 'here', '--json']);
    expect(written.exit).toBe(0);
    expect(JSON.parse(written.out)).toMatchObject({ kind, name });
    const { exit, out } = await crib.run(['lint', `here/${made}`, '--run-tests']);
    expect(out).toBe(`${made}: ${what}, 0 errors, 0 warnings, 0 notes\n`);
    expect(exit).toBe(0);
  });

  it('says how it is checked by a command that can be run as it stands', async () => {
    const env = { npm_command: 'exec' };
    const { out } = await crib.run(['new', 'tool', 'checked', '--dir', 'with space'], { env });
    const folder = crib.path('with space', 'checked');
    expect(out.split('\n').at(-2)).toBe(`Check it: npx toolcrib lint '${folder}' --run-tests`);
  });

  it('says where it cannot write, and shows no stack', async () => {
    await writeFile(crib.path('file'), '');
    const { exit, err } = await crib.run(['new', 'tool', 'words', '--dir', 'file']);
    expect(exit).toBe(73);
    expect(err).toMatch(/^error file_unusable: .*\n {2}at: {3}.*file.words.*\n {2}next: .*\n$/);
  });

  // a limit of files stands for a disk that is full in the middle
  it.skipIf(process.platform === 'win32').each(SCAFFOLDS)(
    'leaves nothing of a %s that is written half',
    async (kind, name, made) => {
      const cwd = crib.path(`full-${kind}`);
      await mkdir(cwd);
      const words = [
        '-c',
        'ulimit -f 0; exec "$@"',
        'sh',
        process.execPath,
        commandFile(),
        'new',
        kind,
        name,
      ];
      const child = spawn('sh', words, { cwd, env: { ...process.env, NODE_DISABLE_COMPILE_CACHE: '1' } });
      const told = text(child.stderr);
      const [code] = await once(child, 'close');
      expect(await told).toMatch(/^error file_unusable: .* \(EFBIG\)\./);
      expect(code).toBe(73);
      expect(existsSync(join(cwd, made))).toBe(false);
    },
  );

  it.each(SCAFFOLDS)('never overwrites a %s', async (kind, name, made) => {
    await crib.run(['new', kind, name, '--dir', 'twice']);
    const file = kind === 'manifest' ? crib.path('twice', made) : crib.path('twice', made, 'mine.txt');
    await writeFile(file, 'mine');
    const { exit, err } = await crib.run(['new', kind, name, '--dir', 'twice']);
    expect(exit).toBe(73);
    expect(err).toMatch(/is there already: nothing was written/);
    expect(await readFile(file, 'utf8')).toBe('mine');
  });

  it.each([
    ['tool', 'Word-Count'],
    ['skill', 'double--dash'],
    ['manifest', '../shop'],
    ['source', 'Listed'],
    ['robot', 'r2'],
    ['tool', 'con'],
    ['skill', 'lpt1'],
  ])('refuses a %s called %s', async (kind, name) => {
    const { exit, err } = await crib.run(['new', kind, name]);
    expect(exit).toBe(64);
    expect(err).toMatch(/^error usage:/);
  });
});
