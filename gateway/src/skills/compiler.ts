import { once } from '../operations/work/once.ts';
import type { CompiledSkill, SkillFile } from '../sources/skill/snapshot.ts';
import type { MakeArtifacts } from './artifacts.ts';

/** What `sources/skill` does for the room. */
export interface SkillCompiler {
  /** Throws `skill_invalid` for a package without a usable SKILL.md. */
  compile(
    files: readonly SkillFile[],
    read: (path: string) => Promise<Uint8Array>,
    place: { readonly folder: string; readonly root: string },
  ): Promise<CompiledSkill>;
  versionOf(files: readonly SkillFile[]): Promise<string>;
  artifacts(): Promise<MakeArtifacts>;
}

/** Loaded when something is compiled for the first time: a start with known skills needs neither YAML nor schemas. */
export const skillCompiler: () => SkillCompiler = once(() => {
  const load = () => import('../sources/skill/index.ts');
  return {
    async compile(files, read, place) {
      return (await load()).compileSkill({ files, read }, place);
    },
    async versionOf(files) {
      return (await load()).packageVersion(files);
    },
    async artifacts() {
      return (await load()).artifactsOf;
    },
  };
});
