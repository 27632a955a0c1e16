import { reportError } from './report-error.ts';
import { processTerminal, type Terminal } from './terminal.ts';
import { usageError } from './usage-error.ts';

/** The command line. Resolves to the exit code; what a command needs is loaded when it runs. */
export async function main(argv: readonly string[], terminal: Terminal = processTerminal()): Promise<number> {
  if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V')) {
    const { VERSION } = await import('../version.ts');
    terminal.out(VERSION);
    return 0;
  }
  const outcome = { exit: 0 };
  const { createProgram } = await import('./program.ts');
  const program = createProgram(terminal, (exit) => {
    outcome.exit = exit;
  });
  try {
    await program.parseAsync(argv.length === 0 ? ['help'] : argv, { from: 'user' });
    return outcome.exit;
  } catch (error) {
    const usage = usageError(error, program, argv);
    if (usage === undefined) return 0;
    return reportError(usage, terminal, argv.includes('--json'));
  }
}
