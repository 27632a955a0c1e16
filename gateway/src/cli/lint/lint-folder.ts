import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { ToolcribError } from '../../errors.ts';
import { discover } from '../../skills/folders/discover.ts';
import { SKILL_FILE_MISSPELT } from '../../sources/skill/package-files.ts';
import type { LintOptions } from './lint-options.ts';
import type { Linted } from './linted.ts';

type LintOne = (folder: string, options: LintOptions) => Promise<Linted>;

/** What a folder is, by a file that only such a folder has; the first that fits. */
const KINDS: ReadonlyArray<readonly [file: RegExp, load: () => Promise<LintOne>]> = [
  [/^SKILL\.md$/, async () => (await import('./lint-skill.ts')).lintSkill],
  [/^source\.(?:ts|mts|mjs|js)$/, async () => (await import('./lint-source.ts')).lintSource],
  [/^tool\.(?:md|schema\.json|ts|mts|mjs|js)$/, async () => (await import('./lint-tool.ts')).lintTool],
];

export function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** The folder of a skill of which one of its own files is named; any other path as it is. */
export function namedFolder(path: string): string {
  const isOfSkill = /^(?:SKILL\.md|tool-manifest\.ya?ml)$/.test(basename(path));
  return isOfSkill && existsSync(join(dirname(path), 'SKILL.md')) ? dirname(path) : path;
}

/**
 * A tool package, a skill or a source kind, or every such folder inside; skills as deep as a gateway finds them. Throws
 * `usage` where there is none.
 */
export async function lintFolder(folder: string, options: LintOptions): Promise<readonly Linted[]> {
  const own = kindOf(folder);
  if (own !== undefined) return [await (await own())(folder, options)];
  const linted: Linted[] = [];
  for (const inside of foldersIn(folder)) {
    const lint = kindOf(inside);
    if (lint !== undefined) linted.push(await (await lint())(inside, options));
  }
  if (linted.length > 0) return linted;
  throw new ToolcribError(
    'usage',
    `There is nothing to lint in ${folder}: neither a tool package (tool.md, tool.schema.json, tool.ts), nor a skill (SKILL.md), nor a source kind (source.ts).`,
    {
      location: folder,
      next: `${renaming(folder)}Name such a folder, a folder of such folders, or a manifest file.`,
    },
  );
}

function renaming(folder: string): string {
  const misspelt = readdirSync(folder).find((name) => SKILL_FILE_MISSPELT.includes(name));
  return misspelt === undefined ? '' : `A skill is meant? Then ${misspelt} is called SKILL.md. `;
}

function kindOf(folder: string): (() => Promise<LintOne>) | undefined {
  const names = readdirSync(folder);
  return KINDS.find(([file]) => names.some((name) => file.test(name)))?.[1];
}

function foldersIn(folder: string): string[] {
  const direct = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !/^(?:\.|node_modules$)/.test(entry.name))
    .map(({ name }) => join(folder, name));
  const skills = discover([folder], () => false).found.map((found) => found.folder);
  return [...new Set([...direct, ...skills])].sort();
}
