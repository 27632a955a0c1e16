import type { Kysely, Selectable } from 'kysely';
import { ToolcribError } from '../../errors.ts';
import { reachesSource } from '../../operations/index.ts';
import type { ConnectionTable, Tables } from '../../store/tables.ts';
import {
  type Actor,
  checkOperator,
  isAdmin,
  listedOrganisation,
  mayReach,
  organisationFor,
  unknownRecord,
} from './actor.ts';
import { checkConnection, connectableSource, withConventionalId } from './connection-rules.ts';
import type { ConnectionChanges, Connections } from './directory.ts';
import {
  type Change,
  checkOrganisation,
  type DirectoryContext,
  describeChanges,
  newId,
} from './directory-context.ts';
import { checkInput, connectionChanges, connectionInput } from './inputs.ts';
import { connectionOf } from './rows-to-records.ts';
import { reachableUser } from './users.ts';

export function createConnections(context: DirectoryContext): Connections {
  const { database, options } = context;
  return {
    async list(by, filter = {}) {
      const actor = await context.actor(by);
      let query = database.selectFrom('connections').selectAll().orderBy('source').orderBy('id');
      const organisation = listedOrganisation(actor, filter.organisation);
      if (organisation !== undefined) query = query.where('organisation_id', '=', organisation);
      if (filter.source !== undefined) query = query.where('source', '=', filter.source);
      const rows = await query.execute();
      return rows.filter((row) => maySee(actor, row)).map(connectionOf);
    },
    async get(by, id) {
      return connectionOf(await reachableConnection(database, await context.actor(by), id));
    },
    create: (by, given) => createConnection(context, by, given),
    async update(by, id, given) {
      const checked = checkInput(connectionChanges, given);
      const first = await context.actor(by);
      const before = await reachableConnection(database, first, id);
      checkMayManage(first, before.user_id);
      const owner = {
        organisation: before.organisation_id,
        user: before.user_id,
        source: before.source,
      };
      const sources = options.sources();
      const source = Object.hasOwn(sources, before.source) ? sources[before.source] : undefined;
      const changes = withConventionalId(checked, owner, source?.provider ?? before.source);
      await checkConnection(first, owner, source, changes, options.ownsNangoConnection);
      return context.change(by, [owner.organisation], async ({ transaction, actor, now, note }) => {
        const row = await reachableConnection(transaction, actor, id);
        checkMayManage(actor, row.user_id);
        // Taken away, it sends the operator's credential to another place just as well.
        if (changes.baseUrl === null && row.base_url !== null) {
          checkOperator(actor, 'say where the requests of a connection go');
        }
        // a credential that is named anew is meant for what the source is now
        const named =
          changes.credentials == null ? {} : { provider: source?.provider ?? null, reconnect_since: null };
        const columns = { ...columnsOf(changes), ...named, updated_at: now };
        await transaction.updateTable('connections').set(columns).where('id', '=', id).execute();
        note('connection-changed', owner.organisation, id, describeChanges(changes));
        return connectionOf({ ...row, ...columns });
      });
    },
    async remove(by, id) {
      const before = await reachableConnection(database, await context.actor(by), id);
      await context.change(by, [before.organisation_id], async ({ transaction, actor, note }) => {
        const row = await reachableConnection(transaction, actor, id);
        checkMayManage(actor, row.user_id);
        await transaction.deleteFrom('connections').where('id', '=', id).execute();
        note('connection-changed', row.organisation_id, id, 'removed');
      });
    },
  };
}

/** An admin's: all of the organisation; a user's: the organisation's and the own. Throws `record_unknown`. */
export async function reachableConnection(
  database: Kysely<Tables>,
  actor: Actor,
  id: string,
): Promise<Selectable<ConnectionTable>> {
  const row = await database.selectFrom('connections').selectAll().where('id', '=', id).executeTakeFirst();
  if (row === undefined || !maySee(actor, row)) throw unknownRecord('connection', id);
  return row;
}

function maySee(actor: Actor, { organisation_id, user_id, source }: Selectable<ConnectionTable>): boolean {
  if (!mayReach(actor, organisation_id) || !reachesSource(actor.principal, source)) return false;
  return isAdmin(actor) || user_id === null || (actor.kind === 'user' && actor.id === user_id);
}

async function createConnection(
  context: DirectoryContext,
  by: Parameters<Connections['create']>[0],
  given: unknown,
) {
  const { database, options } = context;
  const checked = checkInput(connectionInput, given);
  const first = await context.actor(by);
  const user = checked.user ?? null;
  const organisation = await organisationOfOwner(context, first, checked.organisation, user);
  await checkOrganisation(database, organisation);
  // before Nango is asked: who may not, learns nothing of what there is
  checkMayManage(first, user);
  const source = connectableSource(options.sources(), checked.source);
  const owner = { organisation, user, source: checked.source };
  const input = withConventionalId(checked, owner, source.provider ?? checked.source);
  await checkConnection(first, owner, source, input, options.ownsNangoConnection);
  return context.change(by, [organisation], async (change) => {
    const { transaction, actor, now, note } = change;
    if (user !== null) await checkMember(change, organisation, user);
    checkMayManage(actor, user);
    await checkNoOther(transaction, organisation, user, input.source);
    const columns = columnsOf(input);
    const row = {
      id: newId('connection'),
      organisation_id: organisation,
      user_id: user,
      source: input.source,
      name: input.name ?? input.source,
      status: input.status ?? (columns.credentials == null ? 'unauthenticated' : 'connected'),
      region: columns.region ?? null,
      base_url: columns.base_url ?? null,
      credentials: columns.credentials ?? null,
      provider: source.provider ?? null,
      reconnect_since: null,
      created_at: now,
      updated_at: now,
    };
    await transaction.insertInto('connections').values(row).execute();
    note('connection-changed', organisation, row.id, `created for ${input.source}`);
    return connectionOf(row);
  });
}

async function organisationOfOwner(
  { database }: DirectoryContext,
  actor: Actor,
  named: string | undefined,
  user: string | null,
): Promise<string> {
  if (actor.kind === 'user' || named !== undefined || user === null) return organisationFor(actor, named);
  const { organisation_id } = await reachableUser(database, actor, user);
  return organisationFor(actor, organisation_id ?? undefined);
}

async function checkMember(
  { transaction, actor }: Change,
  organisation: string,
  user: string,
): Promise<void> {
  const row = await reachableUser(transaction, actor, user);
  if (row.organisation_id !== organisation) throw unknownRecord('user', user);
}

/** Users manage their own accounts; the organisation's are an admin's. */
function checkMayManage(actor: Actor, user: string | null): void {
  if (isAdmin(actor) || (actor.kind === 'user' && user === actor.id)) return;
  throw new ToolcribError('admin_needed', 'Only an admin may manage this connection.', {
    ...(user === null
      ? {
          next: "It is the organisation's: ask an admin, or name yourself as `user` for an account of your own.",
        }
      : {}),
  });
}

/** One account of a source for each owner; a second account is a source of its own. */
async function checkNoOther(
  database: Kysely<Tables>,
  organisation: string,
  user: string | null,
  source: string,
): Promise<void> {
  const other = await database
    .selectFrom('connections')
    .select('id')
    .where('organisation_id', '=', organisation)
    .where('source', '=', source)
    .where('user_id', user === null ? 'is' : '=', user)
    .executeTakeFirst();
  if (other === undefined) return;
  throw new ToolcribError(
    'record_conflict',
    `${source} is connected already, as ${other.id}: change that one.`,
    {
      pointer: '/source',
    },
  );
}

function columnsOf({ name, status, region, baseUrl, credentials }: ConnectionChanges) {
  return {
    ...(name === undefined ? {} : { name }),
    ...(status === undefined ? {} : { status }),
    ...(region === undefined ? {} : { region }),
    ...(baseUrl === undefined ? {} : { base_url: baseUrl }),
    ...(credentials === undefined
      ? {}
      : { credentials: credentials === null ? null : JSON.stringify(credentials) }),
  };
}
