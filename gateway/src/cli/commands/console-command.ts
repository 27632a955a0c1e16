import type { Command } from 'commander';
import { portNumber } from '../options/port-number.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { ConsoleOptions } from './console.ts';

/** `console`: signs a browser in as the owner of this machine. */
export function addConsole(program: Command, terminal: Terminal, done: (exit: number) => void): void {
  program
    .command('console')
    .description('open the console of a running gateway, signed in as the owner of this machine')
    .option('--print', 'only print the link, which signs in once within five minutes')
    .option('--url <address>', 'where a browser reaches the gateway, when not as configured')
    .option('-p, --port <number>', 'where it listens on this machine, when not as configured', portNumber)
    .option('-c, --config <file>', 'configuration file (default: toolcrib.yaml in this folder)')
    .option('--state-dir <folder>', 'of the gateway, when not as configured')
    .option('--json', 'print JSON')
    .action(async (options: ConsoleOptions) => {
      const { openConsole } = await import('./console.ts');
      done(await openConsole(options, terminal));
    });
}
