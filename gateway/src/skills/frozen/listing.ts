import { createHash } from 'node:crypto';
import { type BigIntStats, type Dir, opendirSync } from 'node:fs';
import { join } from 'node:path';
import { ToolcribError } from '../../errors.ts';
import type { Diagnostic } from '../../operations/index.ts';
import { ROOM_LIMITS } from '../limits.ts';
import { isCountedFile, isCountedFolder, isPlainName } from './counted.ts';
import { followLink, glanceAt, lookAt, stampOf } from './stamp.ts';

export interface ListedFile {
  /** Within the package, with `/`. */
  readonly path: string;
  readonly bytes: number;
  readonly executable: boolean;
  readonly stamp: string;
  /** Where it lies if it is a link, absolute. */
  readonly target?: string;
}

/** What a package consisted of at one moment, content unread. */
export interface PackageListing {
  /** Absolute, links resolved. */
  readonly folder: string;
  readonly realRoot: string;
  /** Sorted by path. */
  readonly files: readonly ListedFile[];
  /** Paths within the package, its own is empty. Their stamps only tell when to look again. */
  readonly directories: ReadonlyArray<{ readonly path: string; readonly stamp: string }>;
  /** Over path and stamp of every file. */
  readonly fingerprint: string;
  /** The newest change of anything in it: milliseconds since the epoch, by the clock of the file system. */
  readonly changedMs: number;
  /** What does not count, and why. */
  readonly refused: readonly Diagnostic[];
}

interface ListOptions {
  /** False: every file and folder counts, as in a frozen copy. */
  readonly selects?: boolean;
}

/**
 * Files of a package that matter, with what their file system says about them. Throws `skill_invalid` beyond the
 * limits and where a folder cannot be read.
 */
export function listPackage(
  folder: string,
  realRoot: string,
  { selects = true }: ListOptions = {},
): PackageListing {
  const files: ListedFile[] = [];
  const directories: { path: string; stamp: string }[] = [];
  const refused: Diagnostic[] = [];
  let changedMs = 0;
  let bytes = 0;
  let entries = 0;
  const fail = (message: string, location = folder): never => {
    throw new ToolcribError('skill_invalid', message, { location });
  };
  const refuse = (path: string, reason: string) => {
    refused.push({
      code: 'skill-file-refused',
      severity: 'warning',
      message: `${path} ${reason}; it is left out.`,
      location: join(folder, path),
    });
  };
  const addFile = (file: ListedFile, changed: number) => {
    bytes += file.bytes;
    if (bytes > ROOM_LIMITS.bytes) fail(`The skill is larger than ${ROOM_LIMITS.bytes} bytes.`);
    changedMs = Math.max(changedMs, changed);
    files.push(file);
  };
  const look = (path: string) => {
    const absolute = join(folder, path);
    const stats = strictly(absolute, fail);
    // gone meanwhile: its folder's stamp tells
    if (stats === undefined) return;
    if (stats.isFile()) {
      const { text, changedMs: changed } = stampOf(stats);
      addFile(
        { path, bytes: Number(stats.size), executable: isExecutable(stats.mode), stamp: text },
        changed,
      );
    } else if (stats.isSymbolicLink()) {
      const linked = followLink(absolute, stats, realRoot);
      if (typeof linked === 'string') return refuse(path, `is a link that ${linked}`);
      if (!linked.stats.isFile()) return refuse(path, 'is a link to something else than a file');
      const { stamp, target } = linked;
      const executable = isExecutable(linked.stats.mode);
      addFile(
        { path, bytes: Number(linked.stats.size), executable, stamp: stamp.text, target },
        stamp.changedMs,
      );
    } else refuse(path, 'is no plain file');
  };
  const walk = (path: string, depth: number) => {
    const absolute = join(folder, path);
    const stats = strictly(absolute, fail);
    if (stats === undefined || !stats.isDirectory()) return;
    const stamp = stampOf(stats);
    changedMs = Math.max(changedMs, stamp.changedMs);
    directories.push({ path, stamp: stamp.text });
    for (const { name, isFolder } of namesIn(absolute, fail)) {
      const inner = path === '' ? name : `${path}/${name}`;
      if (++entries > ROOM_LIMITS.entries)
        fail(`The skill holds more than ${ROOM_LIMITS.entries} files and folders.`);
      if (selects && !(isFolder ? isCountedFolder(name) : isCountedFile(name, path === ''))) continue;
      if (!isPlainName(name)) refuse(inner, 'has a name that not every system can read');
      else if (inner.length > ROOM_LIMITS.pathLength) refuse(inner.slice(0, 60), 'has too long a path');
      else if (!isFolder) look(inner);
      else if (depth >= ROOM_LIMITS.depth) refuse(inner.slice(0, 60), 'lies too deep');
      else walk(inner, depth + 1);
    }
  };
  walk('', 1);
  if (directories.length === 0) fail('There is no folder.');
  files.sort((a, b) => (a.path < b.path ? -1 : 1));
  const hash = createHash('sha256');
  for (const { path, stamp } of files) hash.update(`${path}\0${stamp}\0`);
  return { folder, realRoot, files, directories, fingerprint: hash.digest('hex'), changedMs, refused };
}

/** Both list the same files as they were, in folders as they were. */
export function isSameMoment(a: PackageListing, b: PackageListing): boolean {
  return (
    a.fingerprint === b.fingerprint &&
    a.directories.length === b.directories.length &&
    a.directories.every(
      ({ path, stamp }, at) => b.directories[at]?.path === path && b.directories[at].stamp === stamp,
    )
  );
}

/**
 * Whether everything that was listed still has its stamp. Cheap: asks for what is known, reads no folder. False says
 * that it has to be listed again, not that something changed.
 */
export function isUntouched({ folder, realRoot, files, directories }: PackageListing): boolean {
  for (const { path, stamp } of directories) {
    const stats = glanceAt(join(folder, path));
    if (stats === undefined || stampOf(stats).text !== stamp) return false;
  }
  return files.every(({ path, stamp, target }) => {
    const absolute = join(folder, path);
    const stats = glanceAt(absolute);
    if (stats === undefined) return false;
    if (target === undefined) return stampOf(stats).text === stamp;
    const linked = followLink(absolute, stats, realRoot);
    return typeof linked !== 'string' && linked.stamp.text === stamp;
  });
}

const isExecutable = (mode: bigint) => (mode & 0o111n) !== 0n;

type Fail = (message: string, location: string) => never;

function strictly(path: string, fail: Fail): BigIntStats | undefined {
  try {
    return lookAt(path);
  } catch (error) {
    return fail(`It cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown reason'}).`, path);
  }
}

/** Sorted; no more of them are read than a package may have. */
function namesIn(folder: string, fail: Fail): { name: string; isFolder: boolean }[] {
  let open: Dir | undefined;
  const names: { name: string; isFolder: boolean }[] = [];
  try {
    open = opendirSync(folder, { bufferSize: 128 });
    for (let entry = open.readSync(); entry !== null; entry = open.readSync()) {
      names.push({ name: entry.name, isFolder: entry.isDirectory() });
      if (names.length > ROOM_LIMITS.entries) break;
    }
  } catch (error) {
    const { code = 'unknown reason' } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT') fail(`The folder cannot be read (${code}).`, folder);
  } finally {
    open?.closeSync();
  }
  return names.sort((a, b) => (a.name < b.name ? -1 : 1));
}
