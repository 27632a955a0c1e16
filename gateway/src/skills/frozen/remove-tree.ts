import { chmod, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Folders of copies are read-only: only who may write in them can empty them. */
export async function removeTree(folder: string): Promise<void> {
  await open(folder).catch(() => undefined);
  await rm(folder, { recursive: true, force: true });
}

async function open(folder: string): Promise<void> {
  await chmod(folder, 0o700);
  for (const entry of await readdir(folder, { withFileTypes: true }))
    if (entry.isDirectory()) await open(join(folder, entry.name));
}

/** What a program left in a copy goes, without the files that others may be reading. */
export async function removeOthers(
  folder: string,
  wanted: { has(path: string): boolean; keys(): Iterable<string> },
): Promise<void> {
  const folders = new Set<string>();
  for (const path of wanted.keys())
    for (let at = path.indexOf('/'); at > 0; at = path.indexOf('/', at + 1)) folders.add(path.slice(0, at));
  const clean = async (path: string): Promise<void> => {
    const absolute = join(folder, path);
    for (const entry of await readdir(absolute, { withFileTypes: true })) {
      const inner = path === '' ? entry.name : `${path}/${entry.name}`;
      if (entry.isDirectory() ? folders.has(inner) : wanted.has(inner)) {
        if (entry.isDirectory()) await clean(inner);
        continue;
      }
      await chmod(absolute, 0o755);
      await removeTree(join(folder, inner));
      await chmod(absolute, 0o555);
    }
  };
  await clean('');
}
