import { expect, it } from 'vitest';
import { ownerText } from '../../src/operations/artifact-owner.ts';
import type { ApprovalTable, Tables } from '../../src/store/tables.ts';
import { onEveryStore } from '../store/support/stores.ts';
import { ADA, BEN, createTeam, EVE, OPERATOR, START, type Team } from './team.ts';

const TABLES = [
  'organisations',
  'users',
  'roles',
  'user_roles',
  'api_keys',
  'access_levels',
  'connections',
  'acting_users',
  'approvals',
  'standing_approvals',
  'artifacts',
  'activated_tools',
] as const satisfies readonly (keyof Tables)[];

const approval = (id: string, principal: string, organisation: string | null): ApprovalTable => ({
  id,
  state: 'pending',
  principal_id: principal,
  organisation_id: organisation,
  run: '',
  tool: 't',
  source: 'greenhouse',
  operation: 'o',
  access: 'write',
  definition: 'd',
  arguments_hash: 'a',
  policy: 'p',
  preview: '{}',
  reason: 'r',
  standing: 'tool',
  agreement: null,
  call_id: 'c',
  created_at: START,
  expires_at: START + 600_000,
  decided_at: null,
  decided_by: null,
  channel: null,
  note: null,
  edited: null,
  used_call: null,
  rounds: 0,
  told_at: null,
});

/** Two organisations in which everybody has one of everything that there is. */
async function fill({ directory, store }: Team): Promise<void> {
  const { users, roles, keys, levels, connections, actingUsers } = directory;
  await users.create(OPERATOR, { id: 'cleo', organisation: 'acme', name: 'Cleo' });
  await users.create(OPERATOR, { id: 'dan', organisation: null, name: 'Dan' });
  for (const [admin, members] of [
    [ADA, ['ada', 'ben', 'cleo']],
    [EVE, ['eve']],
  ] as const) {
    for (const name of ['scribe', 'clerk']) await roles.set(admin, { name, permissions: ['write'] });
    for (const scope of ['source:greenhouse', 'category:ats'])
      await levels.set(admin, { scope, level: 'read-write' });
    const { id } = await connections.create(admin, { source: 'greenhouse' });
    for (const user of members) {
      const held = user === admin.id ? ['admin'] : [];
      await users.update(admin, user, { roles: [...held, 'clerk', 'scribe'] });
      await levels.set(admin, { user, scope: 'source:greenhouse', level: 'read-only' });
      await keys.create(admin, { user, name: 'key' });
      await actingUsers.set(admin, { connection: id, user, providerUser: user });
      const own = await connections.create(OPERATOR, { user, source: 'zoho' });
      await actingUsers.set(admin, { connection: own.id, user, providerUser: user });
    }
  }
  const { database } = store;
  const people = [
    ['ada', 'acme'],
    ['ben', 'acme'],
    ['cleo', 'acme'],
    ['eve', 'rival'],
    // not the users of that id
    ['ben', null],
    ['dan', null],
  ] as const;
  for (const [principal, organisation] of people) {
    const id = `${principal}-${organisation}`;
    await database
      .insertInto('approvals')
      .values(approval(id, principal, organisation))
      .execute();
    await database
      .insertInto('standing_approvals')
      .values({
        id,
        principal_id: principal,
        organisation_id: organisation,
        tool: 't',
        source: 'greenhouse',
        operation: 'o',
        definition: 'd',
        approval_id: id,
        created_at: START,
        created_by: 'root',
        channel: 'cli',
        arguments_hash: null,
        skill: null,
        agreement: null,
      })
      .execute();
    const user = { user: principal, ...(organisation === null ? {} : { organisation }) };
    for (const [kind, owner] of [
      ['all', ownerText(user)],
      ['some', ownerText({ ...user, sources: ['greenhouse'] })],
    ] as const) {
      const bytes = {
        hash: 'h',
        mime_type: 'text/plain',
        name: 'n',
        size: 1,
        blob: `${id}-${kind}`,
        ready: 1,
      };
      const times = { created_at: START, expires_at: START + 600_000 };
      await database
        .insertInto('artifacts')
        .values({ id: `${id}-${kind}`, owner, ...bytes, ...times })
        .execute();
    }
    if (organisation === null) continue;
    await database
      .insertInto('activated_tools')
      .values({ principal_id: principal, operation: 'o', source: 's', activated_at: START, used_at: START })
      .execute();
  }
}

async function changeOwn({ connections }: Team['directory'], change: (id: string) => Promise<unknown>) {
  const own = (await connections.list(BEN)).find(({ user }) => user === 'ben');
  await change(own!.id);
}

type Row = Readonly<Record<string, unknown>>;
type Changes = (table: string, row: Row) => boolean;

const of =
  (...words: string[]): Changes =>
  (table, row) =>
    words.some((word) =>
      Object.values(row).some((value) =>
        String(value)
          .split(/[^a-z]/)
          .includes(word),
      ),
    ) &&
    (!/approvals$/.test(table) || row['organisation_id'] !== null) &&
    !String(row['id']).includes('-null');

onEveryStore((bench) => {
  /** Every row that a change has nothing to do with. */
  const others = async ({ store: { database } }: Team, changes: Changes): Promise<string[]> => {
    const rows: string[] = [];
    for (const table of TABLES) {
      const found: readonly Row[] = await database.selectFrom(table).selectAll().execute();
      rows.push(
        ...found.filter((row) => !changes(table, row)).map((row) => `${table} ${JSON.stringify(row)}`),
      );
    }
    return rows.sort();
  };

  it.each<[string, Changes, (team: Team) => Promise<unknown>]>([
    ['a user who is removed', of('ben'), ({ directory }) => directory.users.remove(ADA, 'ben')],
    [
      'a user of no organisation who is removed',
      (table, row) => table === 'users' && row['id'] === 'dan',
      ({ directory }) => directory.users.remove(OPERATOR, 'dan'),
    ],
    [
      'a user who is moved',
      of('ben'),
      ({ directory }) => directory.users.update(OPERATOR, 'ben', { organisation: 'rival' }),
    ],
    [
      'roles that a user gets',
      (table, row) => table === 'user_roles' && row['user_id'] === 'ben',
      ({ directory }) => directory.users.update(ADA, 'ben', { roles: ['clerk'] }),
    ],
    [
      'a name that a user gets',
      (table, row) => table === 'users' && row['id'] === 'ben',
      ({ directory }) => directory.users.update(ADA, 'ben', { name: 'Benjamin' }),
    ],
    [
      'a role that is removed',
      (table, row) =>
        (table === 'roles' && row['organisation_id'] === 'acme' && row['name'] === 'scribe') ||
        (table === 'user_roles' && row['user_id'] !== 'eve' && row['role'] === 'scribe'),
      ({ directory }) => directory.roles.remove(ADA, 'scribe'),
    ],
    [
      "a user's level that is removed",
      (table, row) =>
        table === 'access_levels' && row['subject'] === 'ben' && row['scope'] === 'source:greenhouse',
      ({ directory }) => directory.levels.remove(BEN, { user: 'ben', scope: 'source:greenhouse' }),
    ],
    [
      "an organisation's level that is removed",
      (table, row) =>
        table === 'access_levels' &&
        row['organisation_id'] === 'acme' &&
        row['subject'] === '' &&
        row['scope'] === 'source:greenhouse',
      ({ directory }) => directory.levels.remove(ADA, { scope: 'source:greenhouse' }),
    ],
    [
      'a connection that is changed',
      (table, row) => table === 'connections' && row['user_id'] === 'ben',
      ({ directory }) =>
        changeOwn(directory, (id) => directory.connections.update(BEN, id, { name: 'mine' })),
    ],
    [
      'a connection that is removed',
      (table, row) => ['connections', 'acting_users'].includes(table) && row['user_id'] === 'ben',
      ({ directory }) => changeOwn(directory, (id) => directory.connections.remove(BEN, id)),
    ],
    [
      'an organisation that is renamed',
      (table, row) => table === 'organisations' && row['id'] === 'acme',
      ({ directory }) => directory.organisations.update(ADA, 'acme', { name: 'Acme Inc' }),
    ],
    [
      'an organisation that is removed',
      of('rival', 'eve'),
      ({ directory }) => directory.organisations.remove(OPERATOR, 'rival'),
    ],
  ])('%s changes nothing of others', async (_, changes, change) => {
    const team = await createTeam(await bench.open());
    await fill(team);
    const [all, before] = [await others(team, () => false), await others(team, changes)];
    expect(before.length).toBeLessThan(all.length);
    await change(team);
    expect(await others(team, changes)).toEqual(before);
    expect(await others(team, () => false)).not.toEqual(all);
  });
});
