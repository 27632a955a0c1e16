import { open, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { ToolcribError } from '../../errors.ts';
import { makeFolder } from '../../files/make-folder.ts';

/** Longer than any renewal takes: who left a lock behind is gone. */
const STALE_MS = 45_000;
const POLL_MS = 25;

/**
 * Runs alone among all processes that share a token file: a refresh token that rotates is used once, since an
 * authorization server takes a second use for theft. The signal ends the wait.
 */
export async function withTokenFileLock<T>(
  path: string,
  signal: AbortSignal,
  run: () => Promise<T>,
): Promise<T> {
  const lock = `${path}.lock`;
  while (!(await take(lock))) await wait(POLL_MS, undefined, { signal });
  try {
    return await run();
  } finally {
    await rm(lock, { force: true });
  }
}

async function take(lock: string): Promise<boolean> {
  try {
    await makeFolder(dirname(lock));
    await (await open(lock, 'wx', 0o600)).close();
    return true;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') {
      throw new ToolcribError('configuration_invalid', `Beside the token file, ${lock} cannot be made.`, {
        location: lock,
        next: 'Keep the token file in a folder that this process may write to.',
        cause,
      });
    }
  }
  const held = await stat(lock).catch(() => undefined);
  if (held !== undefined && Date.now() - held.mtimeMs > STALE_MS) await rm(lock, { force: true });
  return false;
}
