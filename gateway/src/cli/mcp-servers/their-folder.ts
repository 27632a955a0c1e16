import { existsSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import type { JsonObject } from '../../operations/index.ts';

/** A project's file lies in a folder of this name in the project. */
const FOLDERS = /^\.(?:vscode|cursor|gemini|zed|windsurf|roo|opencode|codex)$/;
/** Of the user where it lies in a folder of the client's name. */
const OPENCODE = /^opencode\.jsonc?$/;

/** The project's folder where the file is a project's; a user's file has none. */
export function workspaceOf(file: string, home: string): string | undefined {
  const folder = dirname(file);
  if (basename(file) === '.mcp.json') return folder;
  if (OPENCODE.test(basename(file))) return basename(folder) === 'opencode' ? undefined : folder;
  const project = dirname(folder);
  return FOLDERS.test(basename(folder)) && project !== home ? project : undefined;
}

/**
 * Whether the client says that a project's servers start in its folder: Gemini CLI, whose project settings count
 * only when it runs there, and OpenCode, whose `cwd` is relative to the workspace. Others do not say.
 */
function startsInProject(file: string): boolean {
  return /[\\/]\.(?:gemini|opencode)[\\/]/.test(file) || OPENCODE.test(basename(file));
}

export interface EntryPlace {
  /** The client's file. */
  readonly file: string;
  readonly home: string;
  /** The folder of the configuration: what is relative there counts from it. */
  readonly base: string;
}

export interface PlacedEntry {
  readonly entry: JsonObject;
  readonly notes: readonly string[];
}

/** An entry that starts where its client starts it; what is relative to nobody knows what is named. */
export function inItsFolder(entry: JsonObject, { file, home, base }: EntryPlace): PlacedEntry {
  const { command, args, cwd } = entry;
  const project = workspaceOf(file, home);
  if (typeof command !== 'string' || project === base) return { entry, notes: [] };
  const folder = typeof cwd === 'string' ? cwd : undefined;
  const relative = [
    ...(folder !== undefined && !isWhole(folder) ? [`cwd ${folder}`] : []),
    ...(isDotted(command) ? [`command ${command}`] : []),
    // where there is a whole folder, arguments count from it here as there
    ...(Array.isArray(args) && (folder === undefined || !isWhole(folder)) ? args : []).flatMap(
      (arg, index) => (typeof arg === 'string' && isRelative(arg, project) ? [`args.${index} ${arg}`] : []),
    ),
  ];
  if (relative.length === 0) return { entry, notes: [] };
  if (project !== undefined && startsInProject(file) && !folder?.includes('${')) {
    const start = resolve(project, folder ?? '.');
    return {
      entry: { ...entry, command: isDotted(command) ? resolve(start, command) : command, cwd: start },
      notes: [],
    };
  }
  const what = relative.length === 1 ? 'is a relative path' : 'are relative paths';
  const instead = relative.length === 1 ? 'write a whole one' : 'write whole ones';
  const where = project === undefined ? '' : `, or cwd: ${project}, if that is where it starts`;
  return { entry, notes: [`${relative.join(', ')} ${what}, here from ${base}: ${instead}${where}`] };
}

/** From the root, or from a variable that may say it. */
function isWhole(path: string): boolean {
  return isAbsolute(path) || /^(?:[A-Za-z]:[\\/]|~|\$\{)/.test(path);
}

function isDotted(path: string): boolean {
  return /^\.{1,2}(?:[\\/]|$)/.test(path);
}

/** What begins with a dot, or is the name of a file that is there. */
function isRelative(arg: string, project: string | undefined): boolean {
  if (isDotted(arg)) return true;
  return project !== undefined && /^[^-@\s]/.test(arg) && !isWhole(arg) && existsSync(join(project, arg));
}
