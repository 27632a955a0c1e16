import type { Command } from 'commander';
import { printable } from '../../../operations/text/printable.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { showKey } from './keys.ts';
import { type Run, verb } from './verb.ts';

interface BootstrapOptions {
  readonly organisation: string;
  readonly organisationId?: string;
  readonly name: string;
  readonly email?: string;
  readonly subject?: string;
}

export function addBootstrapCommand(program: Command, run: Run, terminal: Terminal): void {
  const command = verb(program, 'bootstrap', 'make the first organisation, its admin and a key')
    .requiredOption('--organisation <name>', 'name of the organisation')
    .option('--organisation-id <id>', "its id, e.g. the identity provider's (default: a random one)")
    .option('--name <name>', 'name of the admin', 'Admin')
    .option('--email <address>', "the admin's")
    .option('--subject <sub>', "the admin's subject in sign-in tokens");
  command.action(async (options: BootstrapOptions) =>
    run(
      command,
      async ({ store, configuration, record }) => {
        const { bootstrap } = await import('../../../principals/index.ts');
        return bootstrap(store, {
          defaults: configuration.policy.defaults,
          record,
          organisation: { name: options.organisation, id: options.organisationId },
          user: { name: options.name, email: options.email, subject: options.subject },
        });
      },
      ({ organisation, user, key }) => {
        terminal.out(printable(`Organisation ${organisation.name} (${organisation.id})`));
        terminal.out(printable(`Admin        ${user.name} (${user.id})`));
        showKey(key, terminal);
      },
    ),
  );
}
