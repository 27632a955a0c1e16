import type { Command } from 'commander';
import { showRecord, showTable } from '../../terminal/table.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { listOf, oneOf } from './option-values.ts';
import { gather, given, type Run, verb } from './verb.ts';

export function addOrganisationCommands(program: Command, run: Run, terminal: Terminal): void {
  const group = program.command('org').description('organisations');
  const show = (record: object) => showRecord(record, terminal);

  const list = verb(group, 'list', 'list the organisations');
  list.action(() =>
    run(
      list,
      ({ directory, by }) => directory.organisations.list(by),
      (organisations) =>
        showTable(
          organisations,
          [
            ['ID', ({ id }) => id],
            ['NAME', ({ name }) => name],
            ['TOOLS', ({ tools }) => tools],
            ['FEATURES', ({ features }) => features.join(', ')],
            ['CREATED', ({ createdAt }) => createdAt],
          ],
          terminal,
        ),
    ),
  );

  const one = verb(group, 'show', 'show an organisation').argument('<id>');
  one.action((id: string) => run(one, ({ directory, by }) => directory.organisations.get(by, id), show));

  const add = withSettings(verb(group, 'add', 'create an organisation').argument('<name>')).option(
    '--id <id>',
    "its id, e.g. the identity provider's (default: a random one)",
  );
  add.action((name: string, options: object) =>
    run(
      add,
      ({ directory, by }) => directory.organisations.create(by, { name, ...settingsOf(options) } as never),
      show,
    ),
  );

  const set = withSettings(verb(group, 'set', 'change an organisation').argument('<id>')).option(
    '--name <name>',
    'a new name',
  );
  set.action((id: string, options: object) =>
    run(
      set,
      ({ directory, by }) => directory.organisations.update(by, id, settingsOf(options) as never),
      show,
    ),
  );

  const remove = verb(group, 'remove', 'remove an organisation with its users, keys and connections');
  remove.argument('<id>').action((id: string) =>
    run(
      remove,
      ({ directory, by }) => directory.organisations.remove(by, id),
      () => terminal.out(`Organisation ${id} is gone.`),
    ),
  );
}

function withSettings(command: Command): Command {
  return command
    .option(
      '--tools <choice>',
      'static, dynamic, both, or none for the default of the configuration',
      oneOf('static', 'dynamic', 'both', 'none'),
    )
    .option('--feature <name>', 'switched on; the whole list, repeatable; none for no feature', gather);
}

function settingsOf(options: object): object {
  const { feature, tools, ...own } = given(options as Record<string, unknown>);
  return {
    ...own,
    ...(tools === undefined ? {} : { tools: tools === 'none' ? null : tools }),
    ...(feature === undefined ? {} : { features: listOf(feature) }),
  };
}
