import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { isAbsolute } from 'node:path';
import {
  adjustmentsInUse,
  findProgram,
  type IsolationInForce,
  isolatedStart,
  isolationInForce,
  isWithin,
  RUN_MARK,
  type RunTraces,
  SYSTEM,
  startMarked,
  traceRun,
} from '../../sandbox/index.ts';
import { environmentProblem, privateFolders, scriptEnvironment } from './script-environment.ts';
import type { ScriptRun } from './script-run.ts';
import { removeWorkFolder, takeWorkFolder } from './work-folders.ts';

/** A program that was started; it may yet fail to run. */
export interface StartedScript {
  readonly child: ChildProcess;
  /** Absent in isolation, and where processes cannot be looked at. */
  readonly traces?: RunTraces;
  /** Private folder, to be removed; absent in isolation, where it is in memory. */
  readonly work?: string;
  readonly isIsolated: boolean;
}

/**
 * Starts a program in a process group of its own. Answers with why not where it cannot; some failures come as an
 * `error` of the child only.
 */
export async function startScript(request: ScriptRun): Promise<StartedScript | { readonly problem: string }> {
  const env = scriptEnvironment(request.env);
  if (request.args.some((argument) => argument.includes('\0')))
    return { problem: 'an argument has a NUL character' };
  const invalid = environmentProblem(env);
  if (invalid !== undefined) return { problem: invalid };
  const { cwd } = request;
  const program = isAbsolute(request.program)
    ? request.program
    : await findProgram(request.program, env['PATH'], cwd);
  if (program === undefined) return { problem: `there is no program ${request.program}` };
  if (request.isolation === 'none') return startFreely(program, request, env);
  const status = await isolationInForce();
  if (!status.available) return { problem: `it cannot be isolated: ${status.reason}` };
  return startIsolated(program, request, request.isolation, env, status);
}

function startFreely(
  program: string,
  { args, cwd, stdin }: ScriptRun,
  env: Readonly<Record<string, string>>,
): StartedScript | { readonly problem: string } {
  const mark = randomUUID().replaceAll('-', '');
  const folder = realpathSync.native(cwd);
  let work: string;
  try {
    work = takeWorkFolder();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return {
      problem: `no private folder can be made in ${tmpdir()} (${code}): make it writable, or name another in TMPDIR`,
    };
  }
  const { started: child, adjustment } = startMarked(adjustmentsInUse(), () =>
    start(program, args, {
      cwd,
      env: { ...privateFolders(work), ...env, [RUN_MARK]: mark },
      stdio: [stdin ? 'pipe' : 'ignore', 'pipe', 'pipe'],
    }),
  );
  if ('problem' in child) {
    void removeWorkFolder(work);
    return child;
  }
  const { pid } = child;
  const traces = pid === undefined ? undefined : traceRun(pid, mark, { work, cwd: folder, adjustment });
  return { child, work, isIsolated: false, ...(traces === undefined ? {} : { traces }) };
}

async function startIsolated(
  program: string,
  { args, cwd, stdin }: ScriptRun,
  { network, read, write }: Exclude<ScriptRun['isolation'], 'none'>,
  env: Readonly<Record<string, string>>,
  status: Extract<IsolationInForce, { available: true }>,
): Promise<StartedScript | { readonly problem: string }> {
  let target = program;
  if (!isWithin(program, [...SYSTEM, cwd])) {
    try {
      target = realpathSync.native(program);
    } catch {
      return { problem: `there is no program ${program}` };
    }
  }
  const command = { program, target, args, env, cwd, network, read, write };
  const { file, args: options, settings } = isolatedStart(command, status);
  const child = start(file, options, {
    cwd: '/',
    env: {},
    stdio: [stdin ? 'pipe' : 'ignore', 'pipe', 'pipe', 'pipe', 'pipe'],
  });
  if ('problem' in child) return child;
  const told = child.stdio[3];
  if (told !== null && told !== undefined && 'end' in told) {
    told.on('error', () => undefined);
    told.end(settings);
  }
  return { child, isIsolated: true };
}

function start(
  file: string,
  args: readonly string[],
  options: SpawnOptions,
): ChildProcess | { readonly problem: string } {
  try {
    const child = spawn(file, args, {
      ...options,
      shell: false,
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
    // without a free file descriptor it has no pipes; its error comes later and says no more
    if (child.stdout) return child;
    child.on('error', () => undefined);
    return { problem: 'it cannot be started: too many open files' };
  } catch (error) {
    // E2BIG and the like; the message would repeat arguments
    return { problem: `it cannot be started: ${(error as NodeJS.ErrnoException).code ?? 'unknown'}` };
  }
}
