import { randomUUID } from 'node:crypto';
import { chmod, mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { copyPackage } from './copy-package.ts';
import { listPackage } from './listing.ts';
import { lookAt } from './stamp.ts';
import { syncFolder } from './write-file.ts';

/** Hidden, so that nobody takes them for skills. */
const INCOMING = '.toolcrib-incoming-';
const REPLACED = '.toolcrib-replaced-';

/** What a process left that ended in the middle is cleared up after this time, milliseconds. */
const ABANDONED_MS = 10 * 60_000;

/** Copies a frozen version to `<root>/<name>`, in place of what is there: whole and on disk, or not at all. */
export async function placeSkill(frozen: string, root: string, name: string): Promise<void> {
  await mkdir(root, { recursive: true });
  const incoming = join(root, `${INCOMING}${randomUUID()}`);
  const target = join(root, name);
  try {
    await mkdir(incoming, { mode: 0o755 });
    await copyPackage(listPackage(frozen, frozen, { selects: false }), incoming, { lasting: true });
    await chmod(incoming, 0o755);
    const aside = await putAside(root, name);
    try {
      await rename(incoming, target);
    } catch (error) {
      if (aside !== undefined) await rename(aside, target);
      throw error;
    }
    await syncFolder(root);
    if (aside !== undefined) await rm(aside, { recursive: true, force: true });
  } finally {
    await rm(incoming, { recursive: true, force: true });
  }
}

/** Takes `<root>/<name>` away, in one step. */
export async function takeSkill(root: string, name: string): Promise<void> {
  const aside = await putAside(root, name);
  await syncFolder(root);
  if (aside !== undefined) await rm(aside, { recursive: true, force: true });
}

/** Where it lies now; undefined where nothing was. A link is put aside itself. */
async function putAside(root: string, name: string): Promise<string | undefined> {
  const aside = join(root, `${REPLACED}${randomUUID()}-${name}`);
  try {
    await rename(join(root, name), aside);
    return aside;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** After a crash in the middle of an exchange: what was put aside comes back, what is half copied goes. */
export async function recoverPlaces(root: string): Promise<void> {
  const names = await readdir(root).catch(() => []);
  for (const name of names) {
    const path = join(root, name);
    const isAside = name.startsWith(REPLACED);
    if (!isAside && !name.startsWith(INCOMING)) continue;
    const stats = await stat(path).catch(() => undefined);
    if (stats === undefined || Date.now() - stats.ctimeMs < ABANDONED_MS) continue;
    const target = join(root, name.slice(REPLACED.length + 37));
    if (isAside && lookAt(target) === undefined) await rename(path, target).catch(() => undefined);
    else await rm(path, { recursive: true, force: true });
  }
}
