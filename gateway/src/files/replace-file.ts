import { randomUUID } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { renameFile } from './rename-file.ts';

interface ReplaceOptions {
  /** Of the file. Default: for its owner alone. */
  readonly mode?: number;
  /** How the name of the draft begins. */
  readonly draft?: string;
  /** Its bytes are on the disk before it gets its name. */
  readonly synced?: boolean;
}

/**
 * Beside the target and renamed: a reader sees the old bytes or the new ones, whoever else writes. A link in its place
 * is replaced, not followed. The folder exists.
 */
export async function replaceFile(
  path: string,
  content: string | Uint8Array,
  { mode = 0o600, draft = `${basename(path)}.`, synced = false }: ReplaceOptions = {},
): Promise<void> {
  const temporary = join(dirname(path), `${draft}${randomUUID()}.tmp`);
  try {
    const file = await open(temporary, 'wx', mode);
    try {
      await file.writeFile(content);
      if (synced) await file.sync();
    } finally {
      await file.close();
    }
    await renameFile(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  }
}
