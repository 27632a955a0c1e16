import type { Command } from 'commander';
import { showRecord, showTable } from '../../terminal/table.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { gather, type Run, verb } from './verb.ts';

interface RoleOptions {
  readonly org: string;
  readonly permission?: readonly string[];
}

export function addRoleCommands(program: Command, run: Run, terminal: Terminal): void {
  const group = program.command('role').description('roles and their permissions');

  const list = verb(group, 'list', 'list the roles').requiredOption('--org <id>', 'organisation');
  list.action(({ org }: RoleOptions) =>
    run(
      list,
      ({ directory, by }) => directory.roles.list(by, { organisation: org }),
      (roles) =>
        showTable(
          roles,
          [
            ['NAME', ({ name }) => name],
            ['PERMISSIONS', ({ permissions }) => permissions.join(', ')],
          ],
          terminal,
        ),
    ),
  );

  const set = verb(group, 'set', 'create a role or replace its permissions')
    .alias('add')
    .argument('<name>')
    .requiredOption('--org <id>', 'organisation')
    .option('--permission <name>', 'the whole list, repeatable', gather);
  set.action((name: string, { org, permission = [] }: RoleOptions) =>
    run(
      set,
      ({ directory, by }) => directory.roles.set(by, { organisation: org, name, permissions: permission }),
      (role) => showRecord(role, terminal),
    ),
  );

  const remove = verb(group, 'remove', 'remove a role; whoever holds it loses it')
    .argument('<name>')
    .requiredOption('--org <id>', 'organisation');
  remove.action((name: string, { org }: RoleOptions) =>
    run(
      remove,
      ({ directory, by }) => directory.roles.remove(by, name, { organisation: org }),
      () => terminal.out(`Role ${name} is gone.`),
    ),
  );
}
