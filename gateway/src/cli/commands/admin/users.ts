import type { Command } from 'commander';
import { showRecord, showTable } from '../../terminal/table.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { listOf, oneOf, textOf } from './option-values.ts';
import { gather, given, type Run, verb } from './verb.ts';

export function addUserCommands(program: Command, run: Run, terminal: Terminal): void {
  const group = program.command('user').description('users and their roles');
  const show = (record: object) => showRecord(record, terminal);

  const list = verb(group, 'list', 'list the users').option('--org <id>', 'of this organisation');
  list.action(({ org }: { org?: string }) =>
    run(
      list,
      ({ directory, by }) => directory.users.list(by, org === undefined ? {} : { organisation: org }),
      (users) =>
        showTable(
          users,
          [
            ['ID', ({ id }) => id],
            ['NAME', ({ name }) => name],
            ['EMAIL', ({ email }) => email],
            ['ORGANISATION', ({ organisation }) => organisation],
            ['ROLES', ({ roles }) => roles.join(', ')],
            ['STATUS', ({ status }) => status],
          ],
          terminal,
        ),
    ),
  );

  const one = verb(group, 'show', 'show a user').argument('<id>');
  one.action((id: string) => run(one, ({ directory, by }) => directory.users.get(by, id), show));

  const add = withSettings(verb(group, 'add', 'create a user').argument('<name>')).option(
    '--id <id>',
    'its id (default: a random one)',
  );
  add.action((name: string, options: object) =>
    run(
      add,
      ({ directory, by }) => directory.users.create(by, { name, ...settingsOf(options) } as never),
      show,
    ),
  );

  const set = withSettings(verb(group, 'set', 'change a user').argument('<id>'))
    .option('--name <name>', 'a new name')
    .option('--status <status>', 'active or disabled', oneOf('active', 'disabled'));
  set.action((id: string, options: object) =>
    run(set, ({ directory, by }) => directory.users.update(by, id, settingsOf(options) as never), show),
  );

  const remove = verb(group, 'remove', 'remove a user').argument('<id>');
  remove.action((id: string) =>
    run(
      remove,
      ({ directory, by }) => directory.users.remove(by, id),
      () => terminal.out(`User ${id} is gone.`),
    ),
  );
}

function withSettings(command: Command): Command {
  return command
    .option('--org <id>', 'organisation; none for no organisation')
    .option('--email <address>', 'for people to recognise; none for no address')
    .option('--subject <sub>', 'subject (sub) in sign-in tokens; none for no subject')
    .option(
      '--tools <choice>',
      'static, dynamic, both, or none for the default of the organisation',
      oneOf('static', 'dynamic', 'both', 'none'),
    )
    .option('--role <name>', 'the whole list, repeatable; none for no role', gather);
}

function settingsOf(options: object): object {
  const { org, role, email, subject, tools, ...own } = given(options as Record<string, unknown>);
  const texts = { organisation: org, email, subject, tools };
  const named = Object.entries(texts).filter(([, value]) => value !== undefined);
  return {
    ...own,
    ...Object.fromEntries(named.map(([name, value]) => [name, textOf(value)])),
    ...(role === undefined ? {} : { roles: listOf(role) }),
  };
}
