import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What must fit, bytes: a full disk still takes files that are empty. */
const ROOM = 65_536;

/** Writes a little into the folder and takes it away again. Throws what the system says. */
export async function requireRoom(folder: string): Promise<void> {
  const probe = join(folder, `.toolcrib-${randomUUID()}`);
  try {
    await writeFile(probe, Buffer.alloc(ROOM, 1), { mode: 0o600 });
  } finally {
    await rm(probe, { force: true }).catch(() => undefined);
  }
}
