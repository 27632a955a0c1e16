import { constants, createReadStream } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isLeftOut } from './entry-path.ts';
import type { PackageWriter } from './package-writer.ts';
import { refused } from './refuse.ts';

/**
 * Copies one folder of this machine. Links are refused, those that stay inside as well: an archive of the same folder
 * would be.
 * @param within path of the copy in the package, empty for the package itself
 */
export async function copyFolder(folder: string, within: string, writer: PackageWriter): Promise<void> {
  if (within !== '') await writer.folder(within);
  const entries = await readdir(folder, { withFileTypes: true });
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = within === '' ? entry.name : `${within}/${entry.name}`;
    const from = join(folder, entry.name);
    if (isLeftOut(entry.name)) continue;
    if (entry.isSymbolicLink()) throw refused('is a symbolic link: put what it leads to in its place.', path);
    if (entry.isDirectory()) await copyFolder(from, path, writer);
    else if (entry.isFile()) await copyFile(from, path, writer);
    else throw refused('is no plain file and no folder.', path);
  }
}

/** What became a link or a pipe since it was listed is not followed, and does not hang. */
async function copyFile(from: string, path: string, writer: PackageWriter): Promise<void> {
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
  const handle = await open(from, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const facts = await handle.stat();
    if (!facts.isFile()) throw refused('is no plain file any more.', path);
    const content = createReadStream(from, { fd: handle, autoClose: false });
    await writer.file(path, (facts.mode & 0o111) !== 0, content);
  } finally {
    await handle.close();
  }
}
