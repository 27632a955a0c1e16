import { createHash } from 'node:crypto';
import { compileSkill, type SkillFile, type SkillPackageFiles } from '../../../src/sources/skill/index.ts';

export const PLACE = { folder: '/skills/reader', root: '/skills' };
export const SKILL_MD = '---\nname: reader\ndescription: Reads things.\n---\n\n# Reader\n';

/** A package in memory; a name that ends in `*` has its run bit set. */
export function packageOf(contents: Readonly<Record<string, string | Uint8Array>>): SkillPackageFiles {
  const bytes = new Map(
    Object.entries(contents).map(([name, text]) => [name.replace(/\*$/, ''), Buffer.from(text as string)]),
  );
  const files = Object.keys(contents).map((name): SkillFile => {
    const path = name.replace(/\*$/, '');
    const content = bytes.get(path)!;
    return {
      path,
      bytes: content.length,
      sha256: createHash('sha256').update(content).digest('hex'),
      ...(name.endsWith('*') ? { executable: true } : {}),
    };
  });
  return {
    files,
    read: async (path) => {
      const content = bytes.get(path);
      if (content === undefined) throw new Error(`nobody may read ${path}`);
      return content;
    },
  };
}

/** A skill with this manifest and two scripts. */
export function compileManifest(manifest: string, more: Readonly<Record<string, string>> = {}) {
  return compileSkill(
    packageOf({
      'SKILL.md': SKILL_MD,
      'tool-manifest.yaml': manifest,
      'scripts/run.py': 'print(1)\n',
      'scripts/run.sh': 'echo 1\n',
      ...more,
    }),
    PLACE,
  );
}

/** One tool with a script, and these lines in it. */
export function compileTool(lines: string, more: Readonly<Record<string, string>> = {}) {
  const indented = lines.replace(/^(?=.)/gm, '    ');
  return compileManifest(`tools:\n  - name: run\n    description: Runs.\n${indented}\n`, more);
}
