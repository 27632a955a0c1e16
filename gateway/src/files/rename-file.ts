import { rename } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';

/** What Windows says of a place that somebody has open for a moment: a reader, another writer, a virus scanner. */
const HELD: ReadonlySet<string | undefined> = new Set(['EPERM', 'EACCES', 'EBUSY']);
/** How long that may last, milliseconds, and the longest between two attempts. */
const PATIENCE_MS = 2_000;
const MOST_PAUSE_MS = 100;

/** Renames a file or folder, over what is there. On Windows what somebody has open is tried again for two seconds. */
export async function renameFile(
  from: string,
  to: string,
  move: (from: string, to: string) => Promise<void> = rename,
  platform: NodeJS.Platform = process.platform,
): Promise<void> {
  const until = performance.now() + PATIENCE_MS;
  for (let wait = 5; ; wait = Math.min(wait * 2, MOST_PAUSE_MS)) {
    try {
      return await move(from, to);
    } catch (error) {
      const isHeld = platform === 'win32' && HELD.has((error as NodeJS.ErrnoException).code);
      if (!isHeld || performance.now() > until) throw error;
    }
    await pause(wait);
  }
}
