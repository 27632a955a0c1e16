import type { Command } from 'commander';
import { milliseconds } from '../options/milliseconds.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { LoginOptions } from './login.ts';
import type { LogoutOptions } from './logout.ts';

/** `toolcrib login` and `logout`: a person signs in to the service behind a source, and out again. */
export function addLogin(program: Command, terminal: Terminal, done: (exit: number) => void): void {
  program
    .command('login')
    .argument('<source>', 'name of the source')
    .description('sign in to the service behind a source by OAuth, in your browser')
    .option('-c, --config <file>', 'configuration file (default: toolcrib.yaml in this folder)')
    .option('--scheme <name>', 'security scheme of the document, where several can be signed in to')
    .option('--no-browser', 'only print the address')
    .option('--timeout <milliseconds>', 'for the person who signs in (default: 300000)', milliseconds)
    .option('--json', 'print JSON')
    .action(async (source: string, options: LoginOptions) => {
      const { login } = await import('./login.ts');
      done(await login(source, options, terminal));
    });
  program
    .command('logout')
    .argument('<source>', 'name of the source')
    .description('end a sign-in: its tokens at the provider, then their file')
    .option('-c, --config <file>', 'configuration file (default: toolcrib.yaml in this folder)')
    .option('--scheme <name>', 'security scheme of the document, where there are several')
    .option('--local', 'only remove the file, ask nobody')
    .option('--json', 'print JSON')
    .action(async (source: string, options: LogoutOptions) => {
      const { logout } = await import('./logout.ts');
      done(await logout(source, options, terminal));
    });
}
