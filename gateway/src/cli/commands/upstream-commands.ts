import type { Command } from 'commander';
import { milliseconds } from '../options/milliseconds.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { LogoutOptions } from './logout.ts';
import type { UpstreamOptions } from './upstream.ts';

/** `toolcrib upstream …`: the upstream MCP servers of a configuration. */
export function addUpstream(program: Command, terminal: Terminal, done: (exit: number) => void): void {
  const upstream = program
    .command('upstream')
    .description('list upstream MCP servers, try them, sign in to them and out again')
    .helpCommand(false);
  const verb = (name: string, description: string, isDefault = false): Command =>
    upstream
      .command(name, { isDefault })
      .description(description)
      .option('-c, --config <file>', 'configuration file (default: toolcrib.yaml in this folder)')
      .option('--json', 'print JSON');
  verb('list', 'the servers of the configuration; starts none', true).action(
    async (options: UpstreamOptions) => {
      const { upstreamList } = await import('./upstream.ts');
      done(await upstreamList(options, terminal));
    },
  );
  verb('status', 'start each server, or the one named, and say what it lists')
    .argument('[name]', 'name of the source')
    .option('--timeout <milliseconds>', 'for each server', milliseconds)
    .action(async (name: string | undefined, options: UpstreamOptions) => {
      const { upstreamStatus } = await import('./upstream.ts');
      done(await upstreamStatus(name, options, terminal));
    });
  verb('login', 'sign in to a remote server by OAuth')
    .argument('<name>', 'name of the source')
    .option('--timeout <milliseconds>', 'for the person who signs in', milliseconds)
    .action(async (name: string, options: UpstreamOptions) => {
      const { upstreamLogin } = await import('./upstream.ts');
      done(await upstreamLogin(name, options, terminal));
    });
  verb('logout', 'end a sign-in: its tokens at the authorization server, then their file')
    .argument('<name>', 'name of the source')
    .option('--local', 'only remove the file, ask nobody')
    .action(async (name: string, options: LogoutOptions) => {
      const { upstreamLogout } = await import('./upstream.ts');
      done(await upstreamLogout(name, options, terminal));
    });
}
