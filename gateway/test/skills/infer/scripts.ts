import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type { SkillPackageFiles } from '../../../src/sources/skill/index.ts';

const folder = new URL('./fixtures/', import.meta.url);
const SKILL = '---\nname: example\ndescription: Scripts in many styles.\n---\n\nRun them.\n';

/** Scripts by their path in the package, as a skill. */
export function skillOf(scripts: Readonly<Record<string, string>>): SkillPackageFiles {
  const texts = new Map(Object.entries({ 'SKILL.md': SKILL, ...scripts }));
  const files = [...texts].map(([path, text]) => ({
    path,
    bytes: Buffer.byteLength(text),
    sha256: createHash('sha256').update(text).digest('hex'),
  }));
  return {
    files,
    read: (path) => Promise.resolve(new TextEncoder().encode(texts.get(path) ?? '')),
  };
}

/** Every fixture by its name; on disk they end in `.txt`, as they are no code of this project. */
export function fixtures(): Record<string, string> {
  return Object.fromEntries(
    readdirSync(folder)
      .toSorted()
      .map((name) => [`scripts/${name.replace(/\.txt$/, '')}`, readFileSync(new URL(name, folder), 'utf8')]),
  );
}
