export * from './artifacts.ts';
export * from './compile-skill.ts';
export * from './describe-skills.ts';
export { type FrontMatter, readFrontMatter } from './front-matter.ts';
export { PACKAGE_LIMITS } from './limits.ts';
export {
  manifestFiles,
  packageVersion,
  SKILL_FILE,
  type SkillPackageFiles,
} from './package-files.ts';
export { noteUnusedScripts, scriptsWithoutManifest } from './scripts.ts';
export type * from './snapshot.ts';
