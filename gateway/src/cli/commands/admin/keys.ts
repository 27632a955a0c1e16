import { type Command, InvalidArgumentError } from 'commander';
import type { CreatedKey, KeyAccess } from '../../../principals/index.ts';
import { showRecord, showTable } from '../../terminal/table.ts';
import { painter, type Terminal } from '../../terminal/terminal.ts';
import { oneOf } from './option-values.ts';
import { gather, type Run, verb } from './verb.ts';

interface KeyOptions {
  readonly org?: string;
  readonly user?: string;
  readonly name?: string;
  readonly maxAccess?: KeyAccess;
  readonly source?: readonly string[];
  readonly expires?: number;
  readonly approver?: boolean;
}

export function addKeyCommands(program: Command, run: Run, terminal: Terminal): void {
  const group = program.command('key').description('API keys');
  const show = (record: object) => showRecord(record, terminal);

  const list = verb(group, 'list', 'list the keys, revoked ones included')
    .option('--org <id>', 'of this organisation')
    .option('--user <id>', 'of this user');
  list.action(({ org, user }: KeyOptions) =>
    run(
      list,
      ({ directory, by }) =>
        directory.keys.list(by, {
          ...(org === undefined ? {} : { organisation: org }),
          ...(user === undefined ? {} : { user }),
        }),
      (keys) =>
        showTable(
          keys,
          [
            ['ID', ({ id }) => id],
            ['KEY', ({ hint }) => `${hint}…`],
            ['NAME', ({ name }) => name],
            ['USER', ({ user }) => user],
            ['ALLOWS', ({ maxAccess }) => maxAccess],
            ['SOURCES', ({ sources }) => sources?.join(', ') ?? 'all'],
            ['EXPIRES', ({ expiresAt }) => expiresAt],
            ['STATUS', ({ status }) => status],
          ],
          terminal,
        ),
    ),
  );

  const one = verb(group, 'show', 'show the record of a key').argument(
    '<id>',
    'id of the key, as `key list` shows it',
  );
  one.action((id: string) => run(one, ({ directory, by }) => directory.keys.get(by, id), show));

  const add = verb(group, 'add', 'create a key and print it this once')
    .argument('<user>', 'id of the user it is for')
    .option('--name <name>', 'what it is for', 'key')
    .option(
      '--max-access <access>',
      'read, write or delete: the most it allows (default: delete)',
      oneOf('read', 'write', 'delete'),
    )
    .option('--source <name>', 'limits it to this source (repeatable)', gather)
    .option('--expires <days>', 'days until it ends, 366 at most (default: 90)', days)
    .option('--approver', 'it decides approvals, as far as the roles of its user go, and calls no tool');
  add.action((user: string, { name = 'key', maxAccess, source, expires, approver }: KeyOptions) =>
    run(
      add,
      ({ directory, by }) =>
        directory.keys.create(by, {
          user,
          name,
          ...(maxAccess === undefined ? {} : { maxAccess }),
          ...(source === undefined ? {} : { sources: source }),
          ...(expires === undefined ? {} : { expiresInDays: expires }),
          ...(approver === true ? { purpose: 'approve' as const } : {}),
        }),
      (created) => showKey(created, terminal),
    ),
  );

  const revoke = verb(group, 'revoke', 'revoke a key; in force at the next call').alias('remove');
  revoke
    .argument('<id>', 'id of the key, not the key itself')
    .action((id: string) => run(revoke, ({ directory, by }) => directory.keys.revoke(by, id), show));
}

/** The only time that anybody sees it. */
export function showKey({ record, key }: CreatedKey, terminal: Terminal): void {
  const paint = painter(terminal);
  terminal.out(`Key          ${key}`);
  terminal.out(`             ${record.id}, for ${record.user}, until ${record.expiresAt ?? 'it is revoked'}`);
  terminal.note(paint('yellow', 'Keep the key now: it is shown this once and stored nowhere.'));
}

function days(text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value > 0) return value;
  throw new InvalidArgumentError('Use a number of days.');
}
