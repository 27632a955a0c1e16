import { createHash } from 'node:crypto';
import { chmod, readdir, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../files/make-folder.ts';
import { replaceFile } from '../files/replace-file.ts';
import type { CompiledSkill, SkillSnapshot } from '../sources/skill/snapshot.ts';
import { KEEP_SNAPSHOT_MS } from './limits.ts';
import { skillText } from './skill-texts.ts';

export interface SnapshotContent extends Omit<SkillSnapshot, 'skills'> {
  readonly skills: Iterable<CompiledSkill>;
}

const SNAPSHOT = /^snapshot-[0-9a-f]{32}\.json(?:\.[0-9a-f-]{36}\.tmp)?$/;

/** Writes a SkillSnapshot where it is not there yet, under a name that its content decides; its absolute path. */
export async function writeSnapshot(
  directory: string,
  { skills, overridden, problems }: SnapshotContent,
): Promise<string> {
  const rest = JSON.stringify({ overridden, problems }).slice(1);
  const text = `{"skills":[${Array.from(skills, skillText).join(',\n')}],\n${rest}\n`;
  const name = `snapshot-${createHash('sha256').update(text).digest('hex').slice(0, 32)}.json`;
  const path = join(directory, name);
  await makeDirectory(directory);
  const now = new Date();
  // its time says that it is in use
  const isThere = await stat(path).then(
    ({ size }) => size === Buffer.byteLength(text),
    () => false,
  );
  if (isThere) await utimes(path, now, now);
  else await replaceFile(path, text);
  await removeOld(directory, name);
  return path;
}

/** Of the owner alone. */
export async function makeDirectory(directory: string): Promise<void> {
  await makeFolder(directory);
  await chmod(directory, 0o700);
}

async function removeOld(directory: string, current: string): Promise<void> {
  const names = await readdir(directory);
  for (const name of names.filter((each) => each !== current && SNAPSHOT.test(each))) {
    const path = join(directory, name);
    const changed = await stat(path).catch(() => undefined);
    if (changed !== undefined && changed.mtimeMs < Date.now() - KEEP_SNAPSHOT_MS)
      await rm(path, { force: true });
  }
}
