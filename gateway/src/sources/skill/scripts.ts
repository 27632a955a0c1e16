import { join } from 'node:path';
import type { Diagnostic } from '../../operations/index.ts';
import { manifestFiles } from './package-files.ts';
import type { CompiledSkill, SkillFile } from './snapshot.ts';

/** Scripts of a package without a manifest: no tool is made of them, and one can be proposed. */
export function scriptsWithoutManifest(files: readonly SkillFile[]): readonly SkillFile[] {
  if (manifestFiles(files).length > 0) return [];
  return ownFiles(files).filter(({ path }) => isScript(path) && isCandidate(path) && !isTest(path));
}

/** Most public skills have scripts and no manifest, and whoever serves them wonders where the tools are. */
export function noteUnusedScripts({ folder, files }: CompiledSkill): Diagnostic[] {
  const [first, ...more] = scriptsWithoutManifest(files);
  if (first === undefined) return [];
  const scripts = more.length === 0 ? '1 script' : `${more.length + 1} scripts`;
  const message = `No tool is made of ${scripts}: there is no tool-manifest.yaml. \`toolcrib skills infer\` proposes one.`;
  return [{ code: 'skill-scripts', severity: 'info', message, location: join(folder, first.path) }];
}

/** Without those of other skills that lie in its folders. */
export function ownFiles(files: readonly SkillFile[]): readonly SkillFile[] {
  const others = files
    .filter(({ path }) => path.endsWith('/SKILL.md'))
    .map(({ path }) => path.slice(0, -'SKILL.md'.length));
  return others.length === 0
    ? files
    : files.filter(({ path }) => !others.some((folder) => path.startsWith(folder)));
}

/** Files below a folder called `scripts`, and beside SKILL.md. */
export function isCandidate(path: string): boolean {
  const folders = path.split('/').slice(0, -1);
  return folders.length === 0 || folders.includes('scripts');
}

/** In a language that a manifest can start. */
export function isScript(path: string): boolean {
  const parts = path.split('/');
  const name = parts.at(-1)!;
  if (parts.some((part) => part === 'node_modules' || part.startsWith('.') || part === '__pycache__'))
    return false;
  return extensionOf(name) !== undefined && !/\.d\.[cm]?ts$|\.config\.\w+$/.test(name);
}

const EXTENSION = /\.(py|sh|bash|js|mjs|cjs|ts|mts|rb|pl|ps1)$/i;

/** Of a script, without the dot and in small letters. */
export function extensionOf(name: string): string | undefined {
  return EXTENSION.exec(name)?.[1]?.toLowerCase();
}

/** A test, or part of a package. */
export function isTest(path: string): boolean {
  return TEST.test(path);
}

const TEST =
  /(?:^|\/)(?:tests?|__tests__)\/|(?:^|\/)test_[^/]*\.py$|(?:_test\.py|\.(?:test|spec)\.[cm]?[jt]s|\/conftest\.py|\/__init__\.py)$/;
