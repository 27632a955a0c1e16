export * from './artifacts.ts';
export * from './compile-skill.ts';
export * from './describe-skills.ts';
export { type FrontMatter, PEOPLE_ALONE, readFrontMatter } from './front-matter.ts';
export { PACKAGE_LIMITS } from './limits.ts';
export {
  isHiddenFile,
  manifestFiles,
  packageVersion,
  SKILL_FILE,
  type SkillPackageFiles,
} from './package-files.ts';
export { mimeTypeOf, parseSkillUri, skillUri } from './resources.ts';
export { noteUnusedScripts, scriptsWithoutManifest } from './scripts.ts';
export type * from './snapshot.ts';
