import { ToolcribError } from '../errors.ts';
import { bubblewrapOptions, HOME } from './bubblewrap-arguments.ts';
import type { IsolationInForce } from './isolation-in-force.ts';

export interface IsolatedProgram {
  readonly program: string;
  /** Where it lies when links are followed. */
  readonly target: string;
  readonly args: readonly string[];
  /** All that the program gets, beside `HOME` and `TMPDIR`, which are its own. */
  readonly env: Readonly<Record<string, string>>;
  /** Read-only inside, unless it is in `write`. */
  readonly cwd: string;
  readonly network: boolean;
  readonly read: readonly string[];
  readonly write: readonly string[];
}

/** A start of bwrap that shows nothing to others: neither its environment nor its arguments hold a variable. */
export interface IsolatedStart {
  readonly file: string;
  readonly args: readonly string[];
  /** To be written to descriptor 3, and closed. */
  readonly settings: Buffer;
}

/** Descriptors of bwrap beside the first three: what it is told, and what it says about itself. */
const SETTINGS_FD = 3;
const STATUS_FD = 4;
const TMP_BYTES = 256 * 1024 * 1024;

/**
 * How to start a program so that it sees its own processes, the system and what was chosen, read-only, and nothing
 * else; with an empty environment for bwrap itself. Throws `configuration_invalid` for a path that is not absolute
 * and plain, and for a NUL in a variable.
 */
export function isolatedStart(
  command: IsolatedProgram,
  isolation: Extract<IsolationInForce, { available: true }>,
): IsolatedStart {
  const { program, target, args, env, cwd, network, read, write } = command;
  const options = bubblewrapOptions({
    ...{ program, target, args, cwd },
    variables: { HOME, TMPDIR: '/tmp', ...env },
    isolation: { network, read, write },
    ...(isolation.limitsTmp ? { tmpBytes: TMP_BYTES } : {}),
  });
  // a NUL would end one setting and begin another
  if (options.some((option) => option.includes('\0'))) {
    throw new ToolcribError('configuration_invalid', 'isolation: a value has a NUL character.');
  }
  return {
    file: isolation.program,
    args: ['--args', String(SETTINGS_FD), '--', program, ...args],
    settings: Buffer.from(`${['--json-status-fd', String(STATUS_FD), ...options].join('\0')}\0`),
  };
}

/** What bwrap says about itself on descriptor 4. */
export interface IsolatedStatus {
  /** Process id, outside, of the first process inside. */
  readonly init: number | undefined;
  /** The program itself was started; bwrap tells nothing more where it could not. */
  readonly hasRun: boolean;
}

/** @param text as far as it has arrived */
export function readIsolatedStatus(text: string): IsolatedStatus {
  const init = /"child-pid": (\d+)/.exec(text)?.[1];
  return { init: init === undefined ? undefined : Number(init), hasRun: text.includes('"exit-code"') };
}
