import { randomUUID } from 'node:crypto';
import { open, readFile, rm, stat } from 'node:fs/promises';
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
  const owner = randomUUID();
  while (!(await take(lock, owner))) await wait(POLL_MS, undefined, { signal });
  try {
    return await run();
  } finally {
    await release(lock, owner);
  }
}

async function take(lock: string, owner: string): Promise<boolean> {
  try {
    await makeFolder(dirname(lock));
    if (await made(lock, owner)) return true;
  } catch (cause) {
    throw new ToolcribError('configuration_invalid', `Beside the token file, ${lock} cannot be made.`, {
      location: lock,
      next: 'Keep the token file in a folder that this process may write to.',
      cause,
    });
  }
  if (await isStale(lock)) await removeStale(lock, owner);
  return false;
}

/** False where there is one already. */
async function made(lock: string, owner: string): Promise<boolean> {
  const file = await open(lock, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EEXIST') return undefined;
    throw error;
  });
  try {
    await file?.writeFile(owner);
  } finally {
    await file?.close();
  }
  return file !== undefined;
}

/**
 * One at a time, and after a second look: of two that found the same lock stale, the later one would else remove what
 * somebody has made in its place.
 */
async function removeStale(lock: string, owner: string): Promise<void> {
  const guard = `${lock}.stale`;
  if (!(await take(guard, owner))) return;
  try {
    if (await isStale(lock)) await rm(lock, { force: true });
  } finally {
    await release(guard, owner);
  }
}

async function isStale(lock: string): Promise<boolean> {
  const held = await stat(lock).catch(() => undefined);
  return held !== undefined && Date.now() - held.mtimeMs > STALE_MS;
}

/** Not where it was thought left behind meanwhile, and is another's now. */
async function release(lock: string, owner: string): Promise<void> {
  const held = await readFile(lock, 'utf8').catch(() => undefined);
  if (held === owner) await rm(lock, { force: true });
}
