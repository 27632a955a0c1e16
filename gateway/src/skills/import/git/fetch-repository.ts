import { setImmediate } from 'node:timers/promises';
import type { Diagnostic } from '../../../operations/index.ts';
import type { SkillAddress } from '../address.ts';
import type { Door } from '../download.ts';
import { isLeftOut } from '../entry-path.ts';
import { findSkills } from '../find-skills.ts';
import type { PackageWriter } from '../package-writer.ts';
import { addressRefused, leftOut, refused, shown } from '../refuse.ts';
import { chooseRef } from './choose-ref.ts';
import { linkedEntry } from './linked-entry.ts';
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
  const top = treeOf(objects, id);
  const root = folderIn(objects, top, folder);
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
  const repository = { objects, top, folder, writer, findings };
  for (const skill of skills) await writeTree(repository, folders.get(skill)!, skill);
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

/** What is written of one commit, and where to. */
interface Repository {
  readonly objects: GitObjects;
  /** The tree of the whole commit. */
  readonly top: string;
  /** Of the commit, which paths begin in. */
  readonly folder: string;
  readonly writer: PackageWriter;
  readonly findings: Diagnostic[];
}

/** @param isLinked a link led here: further ones are left out, so that none leads in a circle */
async function writeTree(
  repository: Repository,
  tree: string,
  path: string,
  isLinked = false,
): Promise<void> {
  const { objects, writer } = repository;
  await writer.folder(path === '' ? './' : path);
  for (const entry of readTree(objects, tree)) {
    const inside = path === '' ? entry.name : `${path}/${entry.name}`;
    if (isLeftOut(entry.name)) continue;
    if (entry.kind === 'link') await writeLinked(repository, entry, inside, isLinked);
    else await writeEntry(repository, entry, inside, isLinked);
  }
}

async function writeEntry(
  repository: Repository,
  entry: TreeEntry,
  path: string,
  isLinked: boolean,
): Promise<void> {
  const { writer, findings } = repository;
  if (entry.kind === 'submodule') {
    // its folder is what counts it
    await writer.folder(path);
    findings.push(leftOut(path, 'is a submodule, and other repositories are not fetched'));
  } else if (entry.kind === 'folder') await writeTree(repository, entry.id, path, isLinked);
  else await writeBlob(repository, entry, path);
}

/** Writes what a link within the repository leads to, since packages have no links. */
async function writeLinked(
  repository: Repository,
  link: TreeEntry,
  path: string,
  isLinked: boolean,
): Promise<void> {
  const { objects, top, folder } = repository;
  const { type, content } = objects.read(link.id);
  if (type !== 'blob') throw refused('is a link that is none.', path);
  if (isLinked) {
    repository.findings.push(leftOut(path, 'is a symbolic link in what another one leads to'));
    return;
  }
  const target = linkedEntry(objects, top, `${folder}/${path}`, content.toString('utf8'));
  if (target === undefined)
    throw refused('is a symbolic link to what is no file and no folder of the repository.', path);
  await writeEntry(repository, target, path, true);
}

async function writeBlob(
  { objects, writer, findings }: Repository,
  { id, kind }: TreeEntry,
  path: string,
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
