import { randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

interface WriteOptions {
  /** Of the file. */
  readonly mode?: number;
  /** How the name of the draft begins. */
  readonly draft?: string;
}

/** Beside the target and renamed: a reader sees the old bytes or the new ones. A link in its place is replaced, not followed. */
export async function replaceFile(
  path: string,
  text: string,
  { mode = 0o600, draft = `${basename(path)}.` }: WriteOptions = {},
): Promise<void> {
  const temporary = join(dirname(path), `${draft}${randomUUID()}.tmp`);
  try {
    const file = await open(temporary, 'wx', mode);
    try {
      await file.writeFile(text);
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  }
}

/** Makes renames in a folder durable. Windows cannot open a folder; its renames are durable without. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
