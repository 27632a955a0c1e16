import { compileProcessAhead } from './compile-ahead.ts';
import { processTerminal, type Terminal } from './terminal/terminal.ts';

export { endBySignals, endsWith } from './end-by-signal.ts';

/** The command line. Resolves to the exit code; what a command needs is loaded when it runs. */
export async function main(argv: readonly string[], terminal: Terminal = processTerminal()): Promise<number> {
  if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V')) {
    const { VERSION } = await import('../version.ts');
    terminal.out(VERSION);
    return 0;
  }
  const compileProcess = await compileProcessAhead(argv, terminal);
  try {
    const { runProgram } = await import('./run-program.ts');
    return await runProgram(argv, terminal, compileProcess);
  } finally {
    compileProcess?.release();
  }
}
