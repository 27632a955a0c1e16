import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runScript } from '../../../src/executors/script/run-script.ts';
import { shell } from './support.ts';

test('a script without a temporary folder is told of it, not of its program', async () => {
  const before = process.env['TMPDIR'];
  const missing = join(tmpdir(), 'toolcrib-is-not-there');
  const run = shell('true', { cwd: '/usr' });
  process.env['TMPDIR'] = missing;
  onTestFinished(() => {
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
  });
  expect(await runScript(run)).toMatchObject({
    class: 'spawn_failed',
    problem: `no private folder can be made in ${missing} (ENOENT): make it writable, or name another in TMPDIR`,
  });
});
