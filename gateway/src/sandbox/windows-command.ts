import { findProgram } from './find-program.ts';
import type { ProcessCommand } from './process-command.ts';

/**
 * The command as Windows starts it: the program that the PATH means, since Windows itself would look in the working
 * folder first. What package managers install there (`npx`, `uvx` by some of them) are batch files,
 * which nothing but cmd.exe runs, and whose arguments it reads once more. They are written as Rust's standard library
 * does since CVE-2024-24576: no value becomes a command or a variable. Throws what `refuse` makes of an argument with a
 * line break, which cannot be handed over.
 */
export async function windowsCommand(
  command: ProcessCommand,
  refuse: (message: string, next: string) => Error,
  find: typeof findProgram = findProgram,
): Promise<ProcessCommand> {
  const { env, cwd } = command;
  const program = await find(command.command, variable(env, 'PATH'), cwd ?? process.cwd());
  if (program === undefined) return command;
  if (!/\.(?:cmd|bat)$/i.test(program)) return { ...command, command: program };
  if (command.args.some((argument) => /[\r\n]/.test(argument)))
    throw refuse(
      `${program} is a batch file, and an argument has a line break.`,
      'Name the program that it starts (node and its script, for example), or leave the line break out.',
    );
  const line = [program, ...command.args].map(batchArgument).join(' ');
  return {
    ...command,
    command: variable(env, 'COMSPEC') ?? 'cmd.exe',
    args: ['/e:on', '/v:off', '/d', '/s', '/c', `"${line}"`],
    verbatim: true,
  };
}

/** Windows knows a variable by any case. */
function variable(env: ProcessCommand['env'], name: string): string | undefined {
  return Object.entries(env).find(([known]) => known.toUpperCase() === name)?.[1];
}

/** In quotes, with those within doubled; a percent sign behind an expansion to nothing, so that it begins none itself. */
function batchArgument(argument: string): string {
  const quoted = argument.replace(/(\\*)"/g, '$1$1""').replace(/(?<!\\)\\+$/, '$&$&');
  return `"${quoted.replaceAll('%', '%%cd:~,%')}"`;
}
