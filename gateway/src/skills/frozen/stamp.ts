import { type BigIntStats, lstatSync, realpathSync, statSync } from 'node:fs';
import { sep } from 'node:path';

/** What a file or folder was when it was looked at; another stamp means that it may have changed. */
export interface Stamp {
  readonly text: string;
  /** When it was changed last, by the clock of its file system: milliseconds since the epoch. */
  readonly changedMs: number;
}

/** The time of change is part of it, which nobody can set back. */
export function stampOf({ ino, size, mtimeNs, ctimeNs, mode }: BigIntStats): Stamp {
  return { text: `${ino}:${size}:${mtimeNs}:${ctimeNs}:${mode}`, changedMs: Number(ctimeNs / 1_000_000n) };
}

/** Undefined where there is nothing. Throws what the file system says where it may not be looked at. */
export function lookAt(path: string): BigIntStats | undefined {
  return lstatSync(path, { bigint: true, throwIfNoEntry: false });
}

/** The same, and undefined too where it may not be looked at. */
export function glanceAt(path: string): BigIntStats | undefined {
  try {
    return lookAt(path);
  } catch {
    return undefined;
  }
}

/** Of a folder, by its own path or through a link; undefined where there is none. */
export function stampOfFolder(path: string): string | undefined {
  try {
    const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
    return stats?.isDirectory() === true ? stampOf(stats).text : undefined;
  } catch {
    return undefined;
  }
}

export interface LinkedFile {
  readonly stats: BigIntStats;
  readonly stamp: Stamp;
  /** Where the link leads, every link resolved. */
  readonly target: string;
}

/** What a link leads to, with a stamp over both; a text says why it is refused. */
export function followLink(path: string, link: BigIntStats, realRoot: string): LinkedFile | string {
  try {
    const target = realpathSync(path);
    if (!isWithin(target, realRoot)) return 'leads out of the folder of skills';
    const stats = statSync(target, { bigint: true });
    const [own, its] = [stampOf(link), stampOf(stats)];
    return {
      stats,
      target,
      stamp: {
        text: `${own.text}>${target}>${its.text}`,
        changedMs: Math.max(own.changedMs, its.changedMs),
      },
    };
  } catch {
    return 'leads nowhere';
  }
}

/** Both absolute, links resolved. */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}
