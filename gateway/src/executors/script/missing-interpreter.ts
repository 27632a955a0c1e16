import { open } from 'node:fs/promises';
import { printable } from '../../operations/text/printable.ts';
import { findProgram } from '../../sandbox/index.ts';
import { programPath } from './script-environment.ts';
import type { ScriptOutcome } from './script-run.ts';

/** As much of a first line as Linux reads. */
const FIRST_LINE = 256;
const SHOWN = 100;

/** As Node tells of a program that it cannot find, and bubblewrap. */
export function isMissing({ problem = '' }: ScriptOutcome): boolean {
  return (
    problem === 'the program or its folder is missing' || problem.endsWith(': No such file or directory')
  );
}

/**
 * What a script that runs itself says in its `#!` line, where it could not be started: the system reports the script
 * as missing then. Undefined where there is no such line.
 */
export async function missingInterpreter(script: string, entry: string): Promise<string | undefined> {
  const line = await firstLine(script);
  if (!line.startsWith('#!')) return undefined;
  const [program = ''] = line.slice(2).trim().split(/\s+/, 1);
  const named = `${entry}:1 names ${printable(program, SHOWN)}`;
  if (line.endsWith('\r'))
    return `${named} and has Windows line ends, so that the name is read with a CR: save it with LF`;
  return `${named}, which is not there, or not where its isolation can see it`;
}

/** What `env` exits with for a program that is not there. */
export const NOT_FOUND = 127;

/**
 * The program that a `#!/usr/bin/env NAME` line asks for, where the PATH has none of that name: `env` began then, and the
 * script did not. Undefined where there is one, or no such line.
 */
export async function missingByEnv(script: string, entry: string): Promise<string | undefined> {
  const line = await firstLine(script);
  const name = /^#!\s*\S*\/env\s+(?:-S\s+)?([^\s=-][^\s=]*)\s*(?:\s|$)/.exec(line)?.[1];
  if (name === undefined || (await findProgram(name, programPath(), '/')) !== undefined) return undefined;
  if (line.endsWith('\r')) return missingInterpreter(script, entry);
  return `${entry}:1 asks for ${printable(name, SHOWN)}, and there is no program of that name in the PATH`;
}

async function firstLine(path: string): Promise<string> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(FIRST_LINE), 0, FIRST_LINE, 0);
    return buffer.toString('utf8', 0, bytesRead).split('\n', 1)[0]!;
  } finally {
    await file.close();
  }
}
