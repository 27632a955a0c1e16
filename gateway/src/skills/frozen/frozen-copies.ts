import { randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import { mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ToolcribError } from '../../errors.ts';
import { makeFolder } from '../../files/make-folder.ts';
import { renameFile } from '../../files/rename-file.ts';
import type { SkillFile } from '../../sources/skill/snapshot.ts';
import { atOnce } from '../at-once.ts';
import { KEEP_CROWDED_MS, KEEP_REMOVED_MS, KEEP_USED_MS, KEPT_VERSIONS, MOST_VERSIONS } from '../limits.ts';
import type { OpenedSkill, SkillVersion } from '../room.ts';
import { hashListed } from './copy-package.ts';
import { isUntouched, listPackage, type PackageListing } from './listing.ts';
import { removeOthers, removeTree } from './remove-tree.ts';
import { digitsOf, type VersionRecord, type VersionRecords, versionRecords } from './version-records.ts';

/** A version is marked as used at most so often, milliseconds. */
const TOUCH_EVERY_MS = 5 * 60_000;

/** Versions of packages, each in a folder that is named by its content; processes may share them. */
export interface FrozenCopies {
  /** A new empty folder for a copy. */
  stage(): Promise<string>;
  discard(copy: string): Promise<void>;
  /** Puts a staged copy under its version's name, where it is not there already, and notes that it is current now. */
  keep(copy: string | undefined, record: Omit<VersionRecord, 'seenAt'>): Promise<void>;
  has(version: string): boolean;
  /** Throws `skill_unknown` where it is gone or was damaged; what is damaged is gone afterwards. */
  open(id: string, version: string): Promise<OpenedSkill>;
  versions(id: string): Promise<readonly Omit<SkillVersion, 'current'>[]>;
  /** Removes versions of a skill that nobody needs any more. */
  tidy(id: string, current: string | undefined): Promise<void>;
  /** Removes what earlier processes left behind. */
  sweep(ids: ReadonlySet<string>): Promise<void>;
}

interface FrozenOptions {
  readonly directory: string;
  /** The version of these files. */
  versionOf(files: readonly SkillFile[]): Promise<string>;
  readonly now: () => number;
}

const DRAFT = '.new-';
const GONE = '.gone-';

export function frozenCopies({ directory, versionOf, now }: FrozenOptions): FrozenCopies {
  const copies = join(directory, 'versions');
  const records: VersionRecords = versionRecords(join(directory, 'seen'));
  const leases = new Map<string, number>();
  const checks = new Map<string, Promise<PackageListing>>();
  const touched = new Map<string, number>();

  const folderOf = (version: string) => join(copies, digitsOf(version) ?? 'none');
  const has = (version: string) =>
    statSync(folderOf(version), { throwIfNoEntry: false })?.isDirectory() === true;

  const removeCopy = async (version: string) => {
    checks.delete(version);
    const gone = join(copies, `${GONE}${randomUUID()}`);
    try {
      await renameFile(folderOf(version), gone);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
      throw error;
    }
    await removeTree(gone);
  };

  /** Every file has its hash, there is no other, and together they are that version. */
  const check = async (id: string, version: string): Promise<PackageListing> => {
    const unknown = (message: string) => new ToolcribError('skill_unknown', message);
    const folder = folderOf(version);
    const record = has(version) ? await records.read(id, version) : undefined;
    if (record === undefined) throw unknown(`Skill ${id} has no such version any more.`);
    const expected = new Map(record.files.map((file) => [file.path, file]));
    await removeOthers(folder, expected).catch(() => undefined);
    const listing = listPackage(folder, folder, { selects: false });
    const isWhole = async () => {
      if (listing.refused.length > 0 || listing.files.length !== expected.size) return false;
      let right = (await versionOf(record.files)) === version;
      await atOnce(listing.files, 8, async (file) => {
        const stated = expected.get(file.path);
        if (file.target !== undefined || (await hashListed(folder, file)) !== stated?.sha256) right = false;
      });
      return right;
    };
    if (await isWhole().catch(() => false)) return listing;
    await removeCopy(version).catch(() => undefined);
    throw unknown(`The kept copy of skill ${id} was damaged.`);
  };

  const verified = async (id: string, version: string): Promise<void> => {
    const earlier = checks.get(version);
    if (earlier !== undefined && isUntouched(await earlier)) return;
    if (earlier !== undefined && checks.get(version) === earlier) checks.delete(version);
    const checking = checks.get(version) ?? check(id, version);
    checks.set(version, checking);
    try {
      await checking;
    } catch (error) {
      if (checks.get(version) === checking) checks.delete(version);
      throw error;
    }
  };

  const lease = (version: string): (() => void) => {
    leases.set(version, (leases.get(version) ?? 0) + 1);
    let ended = false;
    return () => {
      if (ended) return;
      ended = true;
      const left = (leases.get(version) ?? 1) - 1;
      if (left > 0) leases.set(version, left);
      else leases.delete(version);
    };
  };

  const drop = async ({ id, version }: VersionRecord) => {
    await records.remove(id, version);
    await removeCopy(version);
  };

  return {
    has,
    async stage() {
      await makeFolder(copies);
      const copy = join(copies, `${DRAFT}${randomUUID()}`);
      await mkdir(copy, { mode: 0o755 });
      return copy;
    },
    discard: removeTree,
    async keep(copy, record) {
      await records.write({ ...record, seenAt: now() });
      if (copy === undefined) return;
      if (has(record.version)) return removeTree(copy);
      try {
        await renameFile(copy, folderOf(record.version));
      } catch (error) {
        await removeTree(copy);
        // another process was faster
        if (!has(record.version)) throw error;
      }
    },
    async open(id, version) {
      if (digitsOf(version) === undefined)
        throw new ToolcribError('skill_unknown', `Skill ${id} has no version ${version.slice(0, 80)}.`, {
          next: 'List what is kept: `toolcrib skills versions NAME`, or GET /api/v1/skills/{id}/versions.',
        });
      const release = lease(version);
      try {
        await verified(id, version);
      } catch (error) {
        release();
        throw error;
      }
      if (now() - (touched.get(version) ?? 0) > TOUCH_EVERY_MS) {
        touched.set(version, now());
        void records.touch(id, version);
      }
      return { folder: folderOf(version), release };
    },
    async versions(id) {
      const known = await records.of(id);
      return known
        .filter(({ version }) => has(version))
        .map(({ version, seenAt, tools }) => ({ version, seenAt, tools }));
    },
    async tidy(id, current) {
      for (const [at, record] of (await records.of(id)).entries()) {
        const { version, usedAt } = record;
        if (at < KEPT_VERSIONS || version === current || leases.has(version)) continue;
        if (now() - usedAt < (at < MOST_VERSIONS ? KEEP_USED_MS : KEEP_CROWDED_MS)) continue;
        await drop(record);
        touched.delete(version);
      }
    },
    async sweep(ids) {
      for (const group of await records.groups()) {
        const [newest, ...rest] = await records.ofGroup(group);
        if (newest === undefined || ids.has(newest.id)) continue;
        for (const record of [newest, ...rest])
          if (now() - record.usedAt > KEEP_REMOVED_MS && !leases.has(record.version)) await drop(record);
      }
      const names = await readdir(copies).catch(() => []);
      for (const name of names.filter((each) => each.startsWith(DRAFT) || each.startsWith(GONE))) {
        const path = join(copies, name);
        const stats = await stat(path).catch(() => undefined);
        if (stats !== undefined && now() - stats.ctimeMs > KEEP_USED_MS) await removeTree(path);
      }
    },
  };
}
