import { createHash } from 'node:crypto';
import { constants, lstatSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../files/make-folder.ts';
import { replaceFile } from '../files/replace-file.ts';
import type { CompiledSkill } from '../sources/skill/snapshot.ts';
import { ARTIFACT_DRAFT, ARTIFACTS } from './frozen/counted.ts';
import { safeName } from './imported/safe-name.ts';

/** The three files about a skill, by what is in them. */
export interface SkillArtifacts {
  readonly tools: object;
  readonly lock: object;
  readonly report: object;
}

export type MakeArtifacts = (
  skill: CompiledSkill,
  more: ArtifactFacts & { readonly updatedAt: string },
) => SkillArtifacts;

/** What the report says beside the content of the skill. */
export interface ArtifactFacts {
  readonly shadowed: readonly string[];
  /** Folders of skills of its name that it stands before. */
  readonly overrides: readonly string[];
  /** How its scripts run on this machine, in one line. */
  readonly isolation: string;
}

export interface WrittenArtifacts {
  /** Where they are. */
  readonly folder: string;
  /** The same as long as only their time differs. */
  readonly key: string;
  /** Why they are not in the skill's own folder. */
  readonly elsewhere?: string;
}

interface ArtifactOptions {
  /** Asked only where something has to be written. */
  readonly make: () => Promise<MakeArtifacts>;
  readonly facts: ArtifactFacts;
  /** What was written before, as far as it is known. */
  readonly before: { readonly folder: string; readonly key: string } | undefined;
  /** State folder of the source, for skills that cannot be written to. */
  readonly directory: string;
  readonly updatedAt: string;
  /** For tests: who runs as root can write everywhere. */
  readonly write?: typeof replaceFile;
}

const NAMES = Object.entries(ARTIFACTS) as [keyof SkillArtifacts, string][];

/**
 * Writes dynamic_tools.json, .lock.json and .report.json into the folder of the skill, or beside the state where that
 * cannot be written; only where something but the time differs. Undefined for a skill without a manifest.
 */
export async function writeArtifacts(
  skill: CompiledSkill,
  options: ArtifactOptions,
): Promise<WrittenArtifacts | undefined> {
  const { make, facts, before, directory, updatedAt, write = replaceFile } = options;
  const hasManifest = skill.tools.length + skill.invalid.length > 0;
  if (!hasManifest && !isFile(join(skill.folder, ARTIFACTS.tools))) return undefined;
  const key = keyOf(skill, facts);
  if (before?.key === key && NAMES.every(([, name]) => isFile(join(before.folder, name)))) return before;
  const made = (await make())(skill, { ...facts, updatedAt });
  const writeTo = async (folder: string) => {
    for (const [kind, name] of NAMES) {
      const path = join(folder, name);
      const there = await readPlain(path);
      if (there !== undefined && isSameButTime(there, made[kind])) continue;
      await write(path, `${JSON.stringify(made[kind], undefined, 2)}\n`, {
        mode: 0o644,
        draft: ARTIFACT_DRAFT,
      });
    }
  };
  try {
    await writeTo(skill.folder);
    return { folder: skill.folder, key };
  } catch (error) {
    const { code = 'unknown reason' } = error as NodeJS.ErrnoException;
    const folder = join(directory, 'artifacts', safeName(skill.id));
    await makeFolder(folder);
    await writeTo(folder);
    return { folder, key, elsewhere: code };
  }
}

/** They are made from nothing else. */
function keyOf({ version, folder }: CompiledSkill, facts: ArtifactFacts): string {
  return createHash('sha256')
    .update(JSON.stringify([version, folder, facts]))
    .digest('hex')
    .slice(0, 32);
}

function isSameButTime(text: string, made: object): boolean {
  try {
    const there = JSON.parse(text) as object;
    return JSON.stringify({ ...there, updated_at: '' }) === JSON.stringify({ ...made, updated_at: '' });
  } catch {
    return false;
  }
}

function isFile(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isFile() === true;
  } catch {
    return false;
  }
}

/** Undefined where there is no plain file, or one that is too large to be ours. */
async function readPlain(path: string): Promise<string | undefined> {
  if (!isFile(path)) return undefined;
  try {
    const file = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
    try {
      const { size } = await file.stat();
      return size > 16 * 1024 * 1024 ? undefined : await file.readFile('utf8');
    } finally {
      await file.close();
    }
  } catch {
    return undefined;
  }
}
