import { readdir, readFile, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../../files/make-folder.ts';
import { replaceFile } from '../../files/replace-file.ts';
import type { SkillFile } from '../../sources/skill/snapshot.ts';
import { safeName } from '../imported/safe-name.ts';

/** What is known of a frozen version beside its files. */
export interface VersionRecord {
  readonly id: string;
  readonly version: string;
  /** When it last became the current one: milliseconds since the epoch. */
  readonly seenAt: number;
  readonly tools: number;
  readonly files: readonly SkillFile[];
}

export interface VersionRecords {
  read(id: string, version: string): Promise<VersionRecord | undefined>;
  write(record: VersionRecord): Promise<void>;
  /** Newest first. */
  of(id: string): Promise<readonly (VersionRecord & { readonly usedAt: number })[]>;
  /** Notes that it is in use, for other processes. */
  touch(id: string, version: string): Promise<void>;
  remove(id: string, version: string): Promise<void>;
  /** Folders of records, each of one skill. */
  groups(): Promise<readonly string[]>;
  ofGroup(group: string): Promise<readonly (VersionRecord & { readonly usedAt: number })[]>;
}

const VERSION = /^sha256:[0-9a-f]{64}$/;

/** The hash's digits; undefined where it is none. */
export function digitsOf(version: string): string | undefined {
  return VERSION.test(version) ? version.slice('sha256:'.length) : undefined;
}

/** One small file a version: `<directory>/<skill>/<hash>.json`. Its time says when it was used last. */
export function versionRecords(directory: string): VersionRecords {
  const fileOf = (id: string, version: string) =>
    join(directory, safeName(id), `${digitsOf(version) ?? 'none'}.json`);
  const ofGroup: VersionRecords['ofGroup'] = async (group) => {
    const folder = join(directory, group);
    const names = await readdir(folder).catch(() => []);
    const records = await Promise.all(
      names
        .filter((name) => name.endsWith('.json'))
        .map(async (name) => {
          const file = join(folder, name);
          const [record, stats] = await Promise.all([readRecord(file), stat(file).catch(() => undefined)]);
          if (record === undefined || stats === undefined) return [];
          return [{ ...record, usedAt: Math.max(stats.mtimeMs, record.seenAt) }];
        }),
    );
    return records.flat().sort((a, b) => b.seenAt - a.seenAt);
  };
  return {
    read: (id, version) => readRecord(fileOf(id, version)),
    async write(record) {
      const file = fileOf(record.id, record.version);
      await makeFolder(join(directory, safeName(record.id)));
      await replaceFile(file, JSON.stringify(record));
    },
    of: (id) => ofGroup(safeName(id)),
    async touch(id, version) {
      const now = new Date();
      await utimes(fileOf(id, version), now, now).catch(() => undefined);
    },
    remove: (id, version) => rm(fileOf(id, version), { force: true }),
    async groups() {
      const entries = await readdir(directory, { withFileTypes: true }).catch(() => []);
      return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
    },
    ofGroup,
  };
}

async function readRecord(file: string): Promise<VersionRecord | undefined> {
  try {
    const record = JSON.parse(await readFile(file, 'utf8')) as VersionRecord;
    return VERSION.test(record.version) && Array.isArray(record.files) ? record : undefined;
  } catch {
    return undefined;
  }
}
