import { constants, createReadStream } from 'node:fs';
import { open, readdir, realpath, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';
import type { Diagnostic } from '../../operations/index.ts';
import { isLeftOut } from './entry-path.ts';
import type { PackageWriter } from './package-writer.ts';
import { leftOut, refused } from './refuse.ts';

/** Folders of this machine that are copied into one package. */
export interface FolderCopy {
  /** What was named to be imported, without links in its path. */
  readonly root: string;
  readonly writer: PackageWriter;
  readonly findings: Diagnostic[];
}

/**
 * Copies one folder. What a link leads to within the root is copied in its place; one that leads elsewhere, or in a
 * circle, is refused.
 *
 * @param within path of the copy in the package, empty for the package itself
 * @param isLinked a link led here: further ones are left out
 */
export async function copyFolder(
  copy: FolderCopy,
  folder: string,
  within: string,
  isLinked = false,
): Promise<void> {
  const { writer, findings } = copy;
  if (within !== '') await writer.folder(within);
  const entries = await readdir(folder, { withFileTypes: true });
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = within === '' ? entry.name : `${within}/${entry.name}`;
    const from = join(folder, entry.name);
    if (isLeftOut(entry.name)) continue;
    if (entry.isSymbolicLink()) {
      if (isLinked) findings.push(leftOut(path, 'is a symbolic link in what another one leads to'));
      else await copyLinked(copy, from, path);
    } else if (entry.isDirectory()) await copyFolder(copy, from, path, isLinked);
    else if (entry.isFile()) await copyFile(from, path, writer);
    else throw refused('is no plain file and no folder.', path);
  }
}

async function copyLinked(copy: FolderCopy, link: string, path: string): Promise<void> {
  const target = await linkedPath(copy.root, link);
  const facts = target === undefined ? undefined : await stat(target);
  if (facts?.isDirectory()) await copyFolder(copy, target!, path, true);
  else if (facts?.isFile()) await copyFile(target!, path, copy.writer);
  else throw refused('is a symbolic link to what is no file and no folder of the package.', path);
}

/** Undefined where it leads out of the root, to what is left out, to nothing, or to a folder that the link lies in. */
async function linkedPath(root: string, link: string): Promise<string | undefined> {
  const target = await realpath(link).catch(() => undefined);
  if (target === undefined || isWithin(target, await realpath(dirname(link)))) return undefined;
  const isLeft = relative(root, target).split(sep).some(isLeftOut);
  return isWithin(root, target) && !isLeft ? target : undefined;
}

function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
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
