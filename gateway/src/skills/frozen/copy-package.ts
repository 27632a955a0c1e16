import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { chmod, type FileHandle, mkdir, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ToolcribError } from '../../errors.ts';
import { syncFolder } from '../../files/sync-folder.ts';
import type { SkillFile } from '../../sources/skill/snapshot.ts';
import { atOnce } from '../at-once.ts';
import type { ListedFile, PackageListing } from './listing.ts';
import { stampOf } from './stamp.ts';

/** A file is not what was listed any more. */
export class ChangedMeanwhile extends Error {
  constructor(path: string) {
    super(`${path} was changed while it was read.`);
    this.name = 'ChangedMeanwhile';
  }
}

const CHUNK_BYTES = 1024 * 1024;
const FILES_AT_ONCE = 8;

interface CopyOptions {
  /** Folders and files may be written by their owner, and are on disk when this resolves. Default: neither. */
  readonly lasting?: boolean;
}

/**
 * Reads every file once, into a folder that must be empty. Each must be what was listed, before and after: a file that
 * was exchanged, by a link too, throws ChangedMeanwhile; one that cannot be read throws `skill_invalid`.
 */
export async function copyPackage(
  listing: PackageListing,
  into: string,
  { lasting = false }: CopyOptions = {},
): Promise<readonly SkillFile[]> {
  const folders = [...new Set(listing.files.flatMap(({ path }) => parents(path)))].sort();
  for (const folder of folders) await mkdir(join(into, folder), { mode: 0o755 });
  const hashes = new Map<string, string>();
  await atOnce(listing.files, FILES_AT_ONCE, async (file) => {
    hashes.set(file.path, await copyFile(listing.folder, file, into, lasting));
  });
  for (const folder of ['', ...folders])
    await (lasting ? syncFolder(join(into, folder)) : chmod(join(into, folder), 0o555));
  return listing.files.map(({ path, bytes, executable }) => ({
    path,
    bytes,
    sha256: hashes.get(path) ?? '',
    ...(executable ? { executable: true as const } : {}),
  }));
}

async function copyFile(folder: string, file: ListedFile, into: string, lasting: boolean): Promise<string> {
  const source = await openListed(folder, file);
  try {
    const write = lasting ? 0o644 : 0o444;
    const target = await open(join(into, file.path), 'wx', file.executable ? write | 0o111 : write);
    try {
      const hash = await readThrough(source, file, (bytes) => target.write(bytes));
      if (lasting) await target.sync();
      return hash;
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

/** SHA-256 of a listed file, hex. Throws ChangedMeanwhile. */
export async function hashListed(folder: string, file: ListedFile): Promise<string> {
  const source = await openListed(folder, file);
  try {
    return await readThrough(source, file, async () => undefined);
  } finally {
    await source.close();
  }
}

async function openListed(folder: string, { path, target }: ListedFile): Promise<FileHandle> {
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
  try {
    return await open(target ?? join(folder, path), flags);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ELOOP' || code === 'ENOTDIR' || code === 'ENXIO')
      throw new ChangedMeanwhile(path);
    const location = join(folder, path);
    throw new ToolcribError('skill_invalid', `${path} cannot be read (${code ?? 'unknown reason'}).`, {
      location,
      cause: error,
    });
  }
}

async function readThrough(
  source: FileHandle,
  { path, bytes, stamp }: ListedFile,
  write: (bytes: Uint8Array) => Promise<unknown>,
): Promise<string> {
  const isListed = async () => {
    const stats = await source.stat({ bigint: true });
    // a link's stamp ends with that of what it leads to
    return stats.isFile() && stamp.slice(stamp.lastIndexOf('>') + 1) === stampOf(stats).text;
  };
  if (!(await isListed())) throw new ChangedMeanwhile(path);
  const hash = createHash('sha256');
  const buffer = Buffer.allocUnsafe(Math.min(bytes, CHUNK_BYTES));
  for (let at = 0; at < bytes; ) {
    const { bytesRead } = await source.read(buffer, 0, Math.min(buffer.length, bytes - at), at);
    if (bytesRead === 0) throw new ChangedMeanwhile(path);
    const part = buffer.subarray(0, bytesRead);
    hash.update(part);
    await write(part);
    at += bytesRead;
  }
  if (!(await isListed())) throw new ChangedMeanwhile(path);
  return hash.digest('hex');
}

function parents(path: string): string[] {
  const folder = dirname(path);
  return folder === '.' ? [] : [...parents(folder), folder];
}
