import { type Command, InvalidArgumentError } from 'commander';
import type { ConnectionCredentials } from '../../../operations/index.ts';
import type { ConnectionRecord } from '../../../principals/index.ts';
import { showRecord, showTable } from '../../terminal/table.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { oneOf, textOf } from './option-values.ts';
import { given, type Run, verb } from './verb.ts';

interface ConnectionOptions {
  readonly org?: string;
  readonly source?: string;
}

export function addConnectionCommands(program: Command, run: Run, terminal: Terminal): void {
  const group = program.command('connection').description('connected accounts and who acts in them');
  const show = (record: object) => showRecord(record, terminal);
  const showCounting = (record: ConnectionRecord) => {
    show(record);
    const next = countsAfter(record);
    if (next !== undefined) terminal.note(next);
  };

  const list = verb(group, 'list', 'list the connections')
    .option('--org <id>', 'of this organisation')
    .option('--source <name>', 'of this source');
  list.action(({ org, source }: ConnectionOptions) =>
    run(
      list,
      ({ directory, by }) =>
        directory.connections.list(by, {
          ...(org === undefined ? {} : { organisation: org }),
          ...(source === undefined ? {} : { source }),
        }),
      (connections) =>
        showTable(
          connections,
          [
            ['ID', ({ id }) => id],
            ['SOURCE', (connection) => connection.source],
            ['NAME', ({ name }) => name],
            ['ORGANISATION', ({ organisation }) => organisation],
            ['USER', ({ user }) => user ?? '(all)'],
            ['STATUS', ({ status }) => status],
            ['RECONNECT SINCE', ({ reconnectSince }) => reconnectSince],
            ['REGION', ({ region }) => region],
          ],
          terminal,
        ),
    ),
  );

  const one = verb(group, 'show', 'show a connection').argument('<id>');
  one.action((id: string) => run(one, ({ directory, by }) => directory.connections.get(by, id), show));

  const add = withSettings(
    verb(group, 'add', 'record a connected account').argument(
      '<source>',
      'name of a source of the configuration',
    ),
  )
    .requiredOption('--org <id>', 'organisation')
    .option('--user <id>', "that user's own; without it, the organisation's");
  add.action((source: string, options: object) =>
    run(
      add,
      ({ directory, by }) => directory.connections.create(by, { source, ...settingsOf(options) } as never),
      showCounting,
    ),
  );

  const set = withSettings(verb(group, 'set', 'change a connection').argument('<id>'));
  set.action((id: string, options: object) =>
    run(
      set,
      ({ directory, by }) => directory.connections.update(by, id, settingsOf(options) as never),
      showCounting,
    ),
  );

  for (const [name, status] of [
    ['enable', 'connected'],
    ['disable', 'disabled'],
  ] as const) {
    const command = verb(group, name, `set the status to ${status}`).argument('<id>');
    command.action((id: string) =>
      run(command, ({ directory, by }) => directory.connections.update(by, id, { status }), show),
    );
  }

  const remove = verb(group, 'remove', 'remove the record; the account itself stays').argument('<id>');
  remove.action((id: string) =>
    run(
      remove,
      ({ directory, by }) => directory.connections.remove(by, id),
      () => terminal.out(`Connection ${id} is gone.`),
    ),
  );
  addActingUserCommands(group, run, terminal);
}

/** What makes an account count that does not yet; a switched-off one is meant not to. */
function countsAfter({ id, status, credentials }: ConnectionRecord): string | undefined {
  if (status === 'disabled') return undefined;
  if (credentials === null) {
    return `Nothing is connected by it yet: name what opens the account by \`toolcrib admin connection set ${id} --nango …\` or \`--credentials …\`.`;
  }
  return status === 'connected'
    ? undefined
    : `It stays ${status} until \`toolcrib admin connection enable ${id}\`.`;
}

function addActingUserCommands(group: Command, run: Run, terminal: Terminal): void {
  const users = verb(group, 'users', "list the users' own ids at the provider").argument('<id>');
  users.action((id: string) =>
    run(
      users,
      ({ directory, by }) => directory.actingUsers.list(by, id),
      (mapped) =>
        showTable(
          mapped,
          [
            ['USER', ({ user }) => user],
            ['ID AT THE PROVIDER', ({ providerUser }) => providerUser],
          ],
          terminal,
        ),
    ),
  );
  const map = verb(group, 'map', 'map a user to the own id at the provider (On-Behalf-Of and its like)')
    .argument('<id>', 'connection')
    .argument('<user>', 'id of the user here')
    .argument('<provider-user>', 'id of the same person at the provider');
  map.action((connection: string, user: string, providerUser: string) =>
    run(
      map,
      ({ directory, by }) => directory.actingUsers.set(by, { connection, user, providerUser }),
      (mapped) => showRecord(mapped, terminal),
    ),
  );
  const unmap = verb(group, 'unmap', 'remove that mapping')
    .argument('<id>', 'connection')
    .argument('<user>', 'id of the user here');
  unmap.action((connection: string, user: string) =>
    run(
      unmap,
      ({ directory, by }) => directory.actingUsers.remove(by, { connection, user }),
      () => terminal.out(`User ${user} acts as nobody there any more.`),
    ),
  );
}

function withSettings(command: Command): Command {
  return command
    .option('--name <name>', 'for people to recognise (default: the source)')
    .option('--region <name>', "one of the provider's regions; none for no region")
    .option('--base-url <url>', 'where its requests go; none for what the provider says')
    .option(
      '--status <status>',
      'connected, unauthenticated or disabled',
      oneOf('connected', 'unauthenticated', 'disabled'),
    )
    .option('--nango <integration/connection>', 'the account is kept in Nango under these names', nango)
    .option(
      '--credentials <json>',
      'any other credential by reference, e.g. {"bearer":{"env":"NAME"}}; none for none',
      credentials,
    );
}

function settingsOf(options: object): object {
  const { org, region, baseUrl, nango: kept, ...own } = given(options as Record<string, unknown>);
  return {
    ...own,
    ...(org === undefined ? {} : { organisation: org }),
    ...(region === undefined ? {} : { region: textOf(region) }),
    ...(baseUrl === undefined ? {} : { baseUrl: textOf(baseUrl) }),
    ...(kept === undefined ? {} : { credentials: kept }),
  };
}

function nango(text: string): ConnectionCredentials {
  const [, integration, connection] = /^([^/]+)\/(.+)$/s.exec(text) ?? [];
  if (integration === undefined || connection === undefined) {
    throw new InvalidArgumentError('Use INTEGRATION/CONNECTION.');
  }
  return { nango: { integration, connection } };
}

/** A secret itself would stand in the process list and in the store: only references are taken. */
function credentials(text: string): ConnectionCredentials | null {
  if (text === 'none') return null;
  try {
    return JSON.parse(text) as ConnectionCredentials;
  } catch {
    throw new InvalidArgumentError('Use JSON, or none.');
  }
}
