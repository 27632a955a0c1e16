import { realpath } from 'node:fs/promises';
import { ToolcribError } from '../../errors.ts';
import {
  bubblewrapArguments,
  findProgram,
  HOME,
  isolationStatus,
  isWithin,
  type ProcessCommand,
} from '../../sandbox/index.ts';
import type { Isolation, UpstreamDefinition } from '../upstreams.ts';

/** Read by the loader and the C library before bwrap has isolated anything. */
const LOADER_VARIABLE = /^(?:LD_|GCONV_PATH$|GLIBC_|LOCPATH$|NLSPATH$|HOSTALIASES$|RESOLV_|MALLOC_)/;

/**
 * The command in its isolation, or as it is where the definition wants none. bwrap starts with exactly the variables
 * that the program gets: what it starts with can be read inside at `/proc/1/environ`, and arguments by everybody
 * outside. Throws `isolation_unavailable`, and `upstream_unavailable` where there is no such program.
 */
export async function wrapCommand(
  { name, transport }: UpstreamDefinition,
  command: ProcessCommand,
  statusOf: () => ReturnType<typeof isolationStatus> = isolationStatus,
): Promise<ProcessCommand> {
  if (transport.kind !== 'stdio' || transport.isolation.mode === 'none') return command;
  const { isolation } = transport;
  const status = await statusOf();
  if (!status.available) {
    throw new ToolcribError(
      'isolation_unavailable',
      `The server "${name}" is not started without its isolation: ${status.reason}.`,
    );
  }
  const program = await findProgram(command.command, command.env['PATH'], command.cwd ?? '/');
  if (program === undefined) {
    throw new ToolcribError(
      'upstream_unavailable',
      `The server "${name}": there is no program ${command.command}.`,
      {
        next: 'Name the program by its absolute path, or install it.',
      },
    );
  }
  const { passed, set } = variablesOf(command.env, isolation);
  const target = await realpath(program);
  const { args, cwd } = command;
  return {
    command: status.program,
    args: bubblewrapArguments({ program, target, args, variables: set, cwd, isolation }),
    env: passed,
    cwd: '/',
  };
}

/** What bwrap starts with, and what it sets afterwards: the home that exists inside, and what must not reach its own loader. */
function variablesOf(
  env: Readonly<Record<string, string>>,
  { read, write }: Isolation,
): { readonly passed: Record<string, string>; readonly set: Record<string, string> } {
  const passed: Record<string, string> = {};
  const set: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) (LOADER_VARIABLE.test(name) ? set : passed)[name] = value;
  const home = env['HOME'];
  if (home === undefined || !isWithin(home, [...read, ...write])) set['HOME'] = HOME;
  set['TMPDIR'] = '/tmp';
  delete passed['PWD'];
  return { passed, set };
}
