import { type Dirent, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ToolcribError } from '../../errors.ts';

export const CONTRACT_FILE = 'tool.schema.json';
export const GUIDE_FILE = 'tool.md';
export const CODE_FILES: readonly string[] = ['tool.ts', 'tool.mts', 'tool.mjs', 'tool.js'];
const TEST_FILE = /\.test\.(?:[cm]?[jt]s)$/;

/** The parts of a tool package, absolute; absent ones are missing. */
export interface PackageFiles {
  readonly folder: string;
  readonly contract?: string;
  readonly guide?: string;
  readonly code?: string;
  readonly tests: readonly string[];
}

/** Throws `source_unreadable`. */
export function packageFiles(folder: string): PackageFiles {
  const names = entriesOf(folder)
    .filter((entry) => !entry.isDirectory())
    .map(({ name }) => name)
    .sort();
  const code = CODE_FILES.find((name) => names.includes(name));
  return {
    folder,
    ...(names.includes(CONTRACT_FILE) ? { contract: join(folder, CONTRACT_FILE) } : {}),
    ...(names.includes(GUIDE_FILE) ? { guide: join(folder, GUIDE_FILE) } : {}),
    ...(code === undefined ? {} : { code: join(folder, code) }),
    tests: names.filter((name) => TEST_FILE.test(name)).map((name) => join(folder, name)),
  };
}

/** Whether a folder means to be a tool package: one of its parts is there. */
export function isPackageFolder(folder: string): boolean {
  const { contract, guide, code } = packageFiles(folder);
  return contract !== undefined || guide !== undefined || code !== undefined;
}

/** The folder itself, or the packages among its folders. Throws `source_unreadable` where there is none. */
export function packageFolders(folder: string): readonly string[] {
  if (isPackageFolder(folder)) return [folder];
  const inside = entriesOf(folder)
    .filter((entry) => entry.isDirectory() && !/^(?:\.|node_modules$)/.test(entry.name))
    .map(({ name }) => join(folder, name))
    .filter(isPackageFolder)
    .sort();
  if (inside.length > 0) return inside;
  throw new ToolcribError(
    'source_unreadable',
    `There is no tool package at ${folder}: a package has ${CONTRACT_FILE}, ${GUIDE_FILE} and tool.ts or tool.mjs.`,
    { location: folder },
  );
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (cause) {
    const missing = (cause as NodeJS.ErrnoException).code === 'ENOENT';
    throw new ToolcribError(
      'source_unreadable',
      `Cannot read the folder ${folder}: ${missing ? 'there is none' : (cause as Error).message}.`,
      { location: folder, cause },
    );
  }
}
