import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { commandFile } from '../command-file.ts';

export interface SpawnOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** The real command as a process of its own; HOME and state lie in `cwd`. */
export function spawnCommand(
  argv: readonly string[],
  { cwd, env }: SpawnOptions,
): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, [commandFile(), ...argv], {
    cwd,
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: cwd,
      USERPROFILE: cwd,
      XDG_STATE_HOME: `${cwd}/state`,
      ...env,
    },
  });
}

/** Lines of standard output, one after the other; rejects with standard error when the process ends before. */
export function outputOf(child: ChildProcessWithoutNullStreams) {
  let problems = '';
  child.stderr.on('data', (chunk) => {
    problems += String(chunk);
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    async line(fits: (line: string) => boolean = () => true): Promise<string> {
      for (let next = await lines.next(); !next.done; next = await lines.next()) {
        if (fits(next.value)) return next.value;
      }
      throw new Error(`The command ended without the line: ${problems}`);
    },
  };
}

export async function exitOf(child: ChildProcessWithoutNullStreams): Promise<number | null> {
  if (child.exitCode !== null) return child.exitCode;
  const [code] = (await once(child, 'exit')) as [number | null];
  return code;
}

/** Runs to the end and gives what it printed. */
export async function runCommand(argv: readonly string[], options: SpawnOptions, input = '') {
  const child = spawnCommand(argv, options);
  let out = '';
  let err = '';
  child.stdout.on('data', (chunk) => {
    out += String(chunk);
  });
  child.stderr.on('data', (chunk) => {
    err += String(chunk);
  });
  child.stdin.end(input);
  const [exit] = (await once(child, 'close')) as [number | null];
  return { exit, out, err };
}
