import { execFile } from 'node:child_process';
import { realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import type { ScriptInterpreter } from '../../operations/index.ts';
import { findInterpreter, isWithin, SYSTEM } from '../../sandbox/index.ts';
import { programPath } from './script-environment.ts';

/** What runs a script, and the folders that it is made of beside the system's. */
export interface ResolvedProgram {
  /** Absolute. */
  readonly program: string;
  readonly read: readonly string[];
}

const ASK_MS = 10_000;
/** What Python is really made of: version managers put little programs in its place. */
const ASK_PYTHON =
  'import sys, json; print(json.dumps([sys.executable, sys.prefix, sys.base_prefix, sys.exec_prefix]))';

const known = new Map<string, Promise<ResolvedProgram | undefined>>();
const MOST_KNOWN = 50;

/**
 * The program that an interpreter's name means here: node is the one that runs the gateway, others stand on the PATH.
 * Found once; `forgetProgram` has it looked for again. Undefined where there is none.
 */
export function resolveProgram(
  interpreter: ScriptInterpreter,
  path: string = programPath(),
): Promise<ResolvedProgram | undefined> {
  if (interpreter === 'node') return Promise.resolve({ program: process.execPath, read: [] });
  const key = keyOf(interpreter, path);
  const before = known.get(key);
  if (before !== undefined) return before;
  if (known.size >= MOST_KNOWN) known.clear();
  const found = look(interpreter, path);
  known.set(key, found);
  // one that is not there may be installed any moment
  void found.then((program) => program === undefined && known.delete(key));
  return found;
}

/** For a program that could not be started. */
export function forgetProgram(interpreter: ScriptInterpreter, path: string = programPath()): void {
  known.delete(keyOf(interpreter, path));
}

function keyOf(interpreter: ScriptInterpreter, path: string): string {
  return `${interpreter}\0${path}`;
}

async function look(
  interpreter: Exclude<ScriptInterpreter, 'node'>,
  path: string,
): Promise<ResolvedProgram | undefined> {
  const program = await findInterpreter(interpreter, path);
  if (program === undefined) return undefined;
  // what it is made of matters where it is isolated
  const isWhole = process.platform === 'win32' || isWithin(program, SYSTEM);
  if (interpreter !== 'python3' || isWhole) return { program, read: [] };
  return (await askPython(program, path)) ?? { program, read: [] };
}

/** Only where it does not belong to the system; with our own home, where version managers keep their choices. */
async function askPython(program: string, path: string): Promise<ResolvedProgram | undefined> {
  try {
    // a user of no account has none, and no choices there
    const env = { PATH: path, HOME: homedir() };
    const said = await new Promise<string>((resolve) => {
      const options = { env, cwd: '/', timeout: ASK_MS, killSignal: 'SIGKILL', maxBuffer: 65_536 } as const;
      execFile(program, ['-I', '-c', ASK_PYTHON], options, (error, out) =>
        resolve(error === null ? out : ''),
      );
    });
    const [executable, ...prefixes]: string[] = JSON.parse(said);
    if (typeof executable !== 'string' || !executable.startsWith('/')) return undefined;
    const folders = [...new Set(prefixes)].filter((folder) => isOwnFolder(folder));
    // a virtual environment leads to another installation by links
    const target = await realpath(executable);
    const links = isWithin(target, [...SYSTEM, ...folders]) ? [] : [target];
    return { program: executable, read: [...folders, ...links] };
  } catch {
    return undefined;
  }
}

/** No folder that would show more than Python. */
function isOwnFolder(folder: string): boolean {
  const isWide = folder === '/' || isWithin(homedir(), [folder]);
  return folder.startsWith('/') && !isWide && !isWithin(folder, SYSTEM);
}
