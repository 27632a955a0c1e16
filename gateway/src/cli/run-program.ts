import type { CompileProcess } from '../assembly/compiling/run-compile-process.ts';
import { withDefaultCommand } from './default-command.ts';
import { createProgram } from './program.ts';
import { reportError } from './report-error.ts';
import type { Terminal } from './terminal/terminal.ts';
import { usageError } from './usage-error.ts';

/** Runs the command that these words name. Resolves to the exit code; a failure is reported. */
export async function runProgram(
  argv: readonly string[],
  terminal: Terminal,
  compileProcess: CompileProcess | undefined,
): Promise<number> {
  const outcome = { exit: 0 };
  const done = (exit: number) => {
    outcome.exit = exit;
  };
  const program = createProgram(terminal, done, compileProcess);
  try {
    await program.parseAsync(withDefaultCommand(argv, program, terminal), { from: 'user' });
    return outcome.exit;
  } catch (error) {
    const usage = usageError(error, program, argv);
    if (usage === undefined) return 0;
    return reportError(usage, terminal, argv.includes('--json'));
  }
}
