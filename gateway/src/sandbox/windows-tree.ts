import { spawnSync } from 'node:child_process';

const TASKKILL_MS = 5_000;

/**
 * Ends a process on Windows and all below it, since there are neither process groups nor signals there: `npx` is a
 * batch file that starts a program that starts another. Waits for it, as the last act of a process must. False where
 * there is no such process any more.
 */
export function endTree(pid: number, run: typeof spawnSync = spawnSync): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  const words = ['/pid', String(pid), '/t', '/f'];
  return run('taskkill', words, { stdio: 'ignore', windowsHide: true, timeout: TASKKILL_MS }).status === 0;
}
