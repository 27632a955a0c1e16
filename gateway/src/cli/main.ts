import { ToolcribError } from '../errors.ts';
import { reportError } from './report-error.ts';
import { processTerminal, type Terminal } from './terminal.ts';

/** The command line. Resolves to the exit code; what a command needs is loaded when it runs. */
export async function main(argv: readonly string[], terminal: Terminal = processTerminal()): Promise<number> {
  if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V')) {
    const { VERSION } = await import('../version.ts');
    terminal.out(VERSION);
    return 0;
  }
  const outcome = { exit: 0 };
  try {
    const { createProgram } = await import('./program.ts');
    const program = createProgram(terminal, (exit) => {
      outcome.exit = exit;
    });
    await program.parseAsync(argv.length === 0 ? ['help'] : argv, { from: 'user' });
    return outcome.exit;
  } catch (error) {
    const usage = usageError(error);
    if (usage === undefined) return 0;
    return reportError(usage, terminal, argv.includes('--json'));
  }
}

/** What commander complains about, as our own error; undefined when it only printed help. */
function usageError(error: unknown): unknown {
  if (!(error instanceof Error) || !('exitCode' in error) || !('code' in error)) return error;
  if (!String(error.code).startsWith('commander.')) return error;
  if (error.exitCode === 0 || error.code === 'commander.help') return undefined;
  return new ToolcribError('usage', error.message.replace(/^error: /, '').replace(/([^.)])$/, '$1.'));
}
