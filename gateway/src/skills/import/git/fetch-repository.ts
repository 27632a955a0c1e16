import { setImmediate } from 'node:timers/promises';
import type { Diagnostic } from '../../../operations/index.ts';
import type { SkillAddress } from '../address.ts';
import type { Door } from '../download.ts';
import { isLeftOut } from '../entry-path.ts';
import { findSkills } from '../find-skills.ts';
import type { PackageWriter } from '../package-writer.ts';
import { addressRefused, refused, shown } from '../refuse.ts';
import { chooseRef } from './choose-ref.ts';
import { type GitObjects, openPack } from './pack.ts';
import { fetchPack, readRefs } from './remote.ts';
import { readTree, type TreeEntry, treeOf } from './tree.ts';

/** Folders after which others get their turn. */
const TURN = 20;
/** How a file begins whose content lies on another server (Git LFS). */
const LFS = 'version https://git-lfs.github.com/spec/';

/**
 * Writes the skills of one commit. Nothing else of the repository is written, nothing of it is run, and no other
 * server is asked: no hooks, no submodules, no LFS. Undefined where no git server answers. Rejects with
 * `archive_refused`, `source_unreadable`.
 */
export async function fetchRepository(
  address: Extract<SkillAddress, { kind: 'git' }>,
  writer: PackageWriter,
  door: Door,
  signal: AbortSignal,
): Promise<Diagnostic[] | undefined> {
  const refs = await readRefs(address.url, door, signal);
  if (refs === undefined) return undefined;
  const { id, folder } = chooseRef(address, refs);
  const objects = await openPack(await fetchPack(refs, id, door, signal), signal);
  const root = folderIn(objects, treeOf(objects, id), folder);
  const folders = new Map([['', root]]);
  let looked = 0;
  const skills = await findSkills(async (path) => {
    // everything is in memory: others get their turn
    if (++looked % TURN === 0) await setImmediate();
    signal.throwIfAborted();
    const entries = readTree(objects, folders.get(path)!);
    for (const { name, kind, id: tree } of entries)
      if (kind === 'folder') folders.set(path === '' ? name : `${path}/${name}`, tree);
    return entries.map(({ name, kind }) => ({ name, isFolder: kind === 'folder' }));
  });
  const findings: Diagnostic[] = [];
  for (const skill of skills) await writeTree(objects, folders.get(skill)!, skill, writer, findings);
  return findings;
}

function folderIn(objects: GitObjects, root: string, folder: string): string {
  let tree = root;
  for (const name of folder.split('/').filter((part) => part !== '')) {
    const entry = readTree(objects, tree).find((one) => one.name === name && one.kind === 'folder');
    if (entry === undefined) throw addressRefused(`The repository has no folder "${shown(folder)}" there.`);
    tree = entry.id;
  }
  return tree;
}

async function writeTree(
  objects: GitObjects,
  tree: string,
  path: string,
  writer: PackageWriter,
  findings: Diagnostic[],
): Promise<void> {
  await writer.folder(path === '' ? './' : path);
  for (const entry of readTree(objects, tree)) {
    const inside = path === '' ? entry.name : `${path}/${entry.name}`;
    if (isLeftOut(entry.name)) continue;
    if (entry.kind === 'link') throw refused('is a symbolic link.', inside);
    if (entry.kind === 'submodule') {
      // its folder is what counts it
      await writer.folder(inside);
      findings.push(leftOut(inside, 'is a submodule, and other repositories are not fetched'));
    } else if (entry.kind === 'folder') await writeTree(objects, entry.id, inside, writer, findings);
    else await writeBlob(objects, entry, inside, writer, findings);
  }
}

async function writeBlob(
  objects: GitObjects,
  { id, kind }: TreeEntry,
  path: string,
  writer: PackageWriter,
  findings: Diagnostic[],
): Promise<void> {
  const { type, content } = objects.read(id);
  if (type !== 'blob') throw refused('is a file that is none.', path);
  if (content.toString('latin1', 0, LFS.length) === LFS)
    findings.push(leftOut(path, 'stands for a file in Git LFS, which is not fetched'));
  await writer.file(path, kind === 'program', once(content));
}

async function* once(content: Buffer): AsyncGenerator<Buffer> {
  yield content;
}

function leftOut(path: string, why: string): Diagnostic {
  return { code: 'skill-import-left-out', severity: 'warning', message: `"${shown(path)}" ${why}.` };
}
