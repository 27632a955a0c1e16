import { randomUUID } from 'node:crypto';
import { chmod, mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../../files/make-folder.ts';
import { renameFile } from '../../files/rename-file.ts';
import { syncFolder } from '../../files/sync-folder.ts';
import { copyPackage } from '../frozen/copy-package.ts';
import { listPackage } from '../frozen/listing.ts';
import { glanceAt } from '../frozen/stamp.ts';

/** Hidden, so that nobody takes them for skills. */
const INCOMING = '.toolcrib-incoming-';
const REPLACED = '.toolcrib-replaced-';
const UUID_LENGTH = 36;

/** An exchange leaves no skill for less than this time, milliseconds: afterwards it was cut short. */
const EXCHANGE_MS = 2_000;
/** What a process left that ended in the middle is cleared up after this time, milliseconds. */
const ABANDONED_MS = 10 * 60_000;

const STAGING = 'staging-';
const ABANDONED_STAGING_MS = 60 * 60_000;

/** Copies a frozen version to `<root>/<name>`, in place of what is there: whole and on disk, or not at all. */
export async function placeSkill(frozen: string, root: string, name: string): Promise<void> {
  await makeFolder(root, 0o777);
  const incoming = join(root, `${INCOMING}${randomUUID()}`);
  const target = join(root, name);
  try {
    await mkdir(incoming, { mode: 0o755 });
    await copyPackage(listPackage(frozen, frozen, { selects: false }), incoming, { lasting: true });
    await chmod(incoming, 0o755);
    const aside = await putAside(root, name);
    try {
      await renameFile(incoming, target);
    } catch (error) {
      if (aside !== undefined) await renameFile(aside, target);
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
    await renameFile(join(root, name), aside);
    return aside;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** After a crash in the middle of an exchange: what was put aside comes back, what is half copied goes. */
export async function recoverPlaces(root: string, now: number = Date.now()): Promise<void> {
  const names = await readdir(root).catch(() => []);
  for (const name of names) {
    const path = join(root, name);
    const isAside = name.startsWith(REPLACED);
    if (!isAside && !name.startsWith(INCOMING)) continue;
    const stats = await stat(path).catch(() => undefined);
    const age = stats === undefined ? 0 : now - stats.ctimeMs;
    const target = join(root, name.slice(REPLACED.length + UUID_LENGTH + 1));
    if (isAside && glanceAt(target) === undefined) {
      if (age > EXCHANGE_MS) await renameFile(path, target).catch(() => undefined);
    } else if (age > ABANDONED_MS) await rm(path, { recursive: true, force: true });
  }
}

/** Where packages are unpacked before they are judged; what a process left that ended meanwhile goes. */
export async function makeStaging(directory: string): Promise<string> {
  await makeFolder(directory);
  for (const name of (await readdir(directory)).filter((each) => each.startsWith(STAGING))) {
    const path = join(directory, name);
    const stats = await stat(path).catch(() => undefined);
    if (stats !== undefined && Date.now() - stats.mtimeMs > ABANDONED_STAGING_MS)
      await rm(path, { recursive: true, force: true });
  }
  const staging = join(directory, `${STAGING}${randomUUID()}`);
  await mkdir(staging, { mode: 0o700 });
  return staging;
}
