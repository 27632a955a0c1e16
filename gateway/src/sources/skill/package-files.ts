import { hashBytes } from '../../operations/index.ts';
import type { SkillFile } from './snapshot.ts';

/** A package to compile: what it holds, and its content. */
export interface SkillPackageFiles {
  readonly files: readonly SkillFile[];
  /** Content of one of them. */
  read(path: string): Promise<Uint8Array>;
}

export const SKILL_FILE = 'SKILL.md';
const MANIFESTS = ['tool-manifest.yaml', 'tool-manifest.yml'];

/** How people spell SKILL.md who then wonder where their skill is. */
export const SKILL_FILE_MISSPELT = ['skill.md', 'Skill.md', 'SKILL.MD', 'SKILLS.md', 'skills.md'];

/** It begins with a dot, as files do that hold keys (`.env`): for the skill's scripts, and for no client. */
export function isHiddenFile(path: string): boolean {
  return path.slice(path.lastIndexOf('/') + 1).startsWith('.');
}

/** The content of a package as one hash; order and times do not count. */
export function packageVersion(files: readonly SkillFile[]): string {
  const lines = [...files]
    .sort((a, b) => (a.path < b.path ? -1 : 1))
    .map(({ path, sha256, executable }) => JSON.stringify([path, executable === true, sha256]));
  return hashBytes(lines.join('\n'));
}

/** Files that are meant as the manifest by all appearances, and are not read. */
export function misnamedManifests(files: readonly SkillFile[]): readonly SkillFile[] {
  return files.filter(
    ({ path }) => /^tools?[-_ .]?manifest\.(?:ya?ml|json)$/i.test(path) && !MANIFESTS.includes(path),
  );
}

/** Files that describe tools, in the order that they count: the first one's defaults hold for all. */
export function manifestFiles(files: readonly SkillFile[]): SkillFile[] {
  const main = MANIFESTS.map((name) => files.find(({ path }) => path === name)).find(
    (one) => one !== undefined,
  );
  const more = files
    .filter(({ path }) => /^tools\/[^/]+\.y[^/.]*ml$/.test(path))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
  return main === undefined ? more : [main, ...more];
}
