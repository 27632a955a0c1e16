import { spawn, type spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFinished, test, vi } from 'vitest';
import { endTree } from '../../src/sandbox/windows-tree.ts';

test('Windows ends a process with all below it, and asks for none that is gone', async () => {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child, 'spawn');
  const run = vi.fn(() => ({ status: 0 }));
  expect(endTree(child.pid!, run as unknown as typeof spawnSync)).toBe(true);
  expect(run).toHaveBeenCalledExactlyOnceWith(
    'taskkill',
    ['/pid', String(child.pid), '/t', '/f'],
    expect.objectContaining({ windowsHide: true }),
  );
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(endTree(child.pid!, run as unknown as typeof spawnSync)).toBe(false);
  expect(run).toHaveBeenCalledOnce();
});
