import type { Kysely, Selectable, Transaction } from 'kysely';
import { ToolcribError } from '../../errors.ts';
import type { ApprovalEvent } from '../../operations/index.ts';
import type { Tables, UserTable } from '../../store/tables.ts';
import {
  type Actor,
  ADMIN_ROLE,
  checkAdmin,
  checkOperator,
  isAdmin,
  mayReach,
  organisationFor,
  unknownRecord,
} from './actor.ts';
import { insertDefaultLevels } from './default-levels.ts';
import type { UserChanges, Users } from './directory.ts';
import { checkOrganisation, type DirectoryContext, describeChanges, newId } from './directory-context.ts';
import { endAgreements, forgetUser, forgottenScopes } from './forget-user.ts';
import { checkInput, userChanges, userInput } from './inputs.ts';
import type { User } from './records.ts';
import { userOf } from './rows-to-records.ts';

type UserRow = Selectable<UserTable>;

export function createUsers(context: DirectoryContext): Users {
  const { database } = context;
  return {
    list: (by, filter = {}) => listUsers(context, by, filter.organisation),
    async names(by, all) {
      const actor = await context.actor(by);
      const query = database.selectFrom('users').select(['id', 'name']).orderBy('id');
      if (actor.kind === 'operator') return query.execute();
      const own = query.where('organisation_id', '=', actor.organisation);
      return (all || actor.admin ? own : own.where('id', '=', actor.id)).execute();
    },
    async get(by, id) {
      const row = await reachableUser(database, await context.actor(by), id);
      return userOf(row, await rolesOf(database, id));
    },
    create: (by, given) => createUser(context, by, given),
    async update(by, id, given) {
      const changes = checkInput(userChanges, given);
      const before = await reachableUser(database, await context.actor(by), id);
      const target = changes.organisation === undefined ? before.organisation_id : changes.organisation;
      return context.change(
        by,
        [before.organisation_id, target],
        async ({ transaction, actor, now, note, noteEnded }) => {
          const row = await reachableUser(transaction, actor, id);
          if (row.organisation_id !== before.organisation_id) throw movedMeanwhile(id);
          checkAdmin(actor, 'change users');
          if (target !== row.organisation_id) {
            checkOperator(actor, 'move users to another organisation');
            noteEnded(await moveUser(context, transaction, row, target, now));
          }
          const after = await applyChanges(transaction, { ...row, organisation_id: target }, changes);
          note('user-changed', target, id, describeChanges(changes));
          return after;
        },
        target === before.organisation_id ? [] : forgottenScopes([id]),
      );
    },
    async remove(by, id) {
      const before = await reachableUser(database, await context.actor(by), id);
      await context.change(
        by,
        [before.organisation_id],
        async ({ transaction, actor, now, note, noteEnded }) => {
          const row = await reachableUser(transaction, actor, id);
          if (row.organisation_id !== before.organisation_id) throw movedMeanwhile(id);
          checkAdmin(actor, 'remove users');
          await transaction.deleteFrom('access_levels').where('subject', '=', id).execute();
          noteEnded(await forgetUser(transaction, row, now));
          await transaction.deleteFrom('users').where('id', '=', id).execute();
          note('user-changed', row.organisation_id, id, 'removed');
        },
        forgottenScopes([id]),
      );
    },
    async principal(by, id) {
      const row = await reachableUser(database, await context.actor(by), id);
      const { organisation_id: organisation } = row;
      const { sources } = by;
      return Object.freeze({
        id: row.id,
        kind: 'user' as const,
        maxAccess: 'delete' as const,
        roles: [],
        ...(organisation === null ? {} : { organisation }),
        ...(sources === undefined ? {} : { sources }),
      });
    },
  };
}

/** The row, for an admin of its organisation and for the user. Throws `record_unknown`. */
export async function reachableUser(database: Kysely<Tables>, actor: Actor, id: string): Promise<UserRow> {
  const row = await database.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst();
  const reached =
    row !== undefined &&
    mayReach(actor, row.organisation_id) &&
    (isAdmin(actor) || (actor.kind === 'user' && actor.id === id));
  if (!reached) throw unknownRecord('user', id);
  return row;
}

async function listUsers(
  context: DirectoryContext,
  by: Parameters<Users['list']>[0],
  named: string | undefined,
): Promise<readonly User[]> {
  const { database } = context;
  const actor = await context.actor(by);
  let query = database.selectFrom('users').selectAll().orderBy('id');
  let roles = database.selectFrom('user_roles').selectAll();
  if (actor.kind === 'user' || named !== undefined) {
    const organisation = organisationFor(actor, named);
    await checkOrganisation(database, organisation);
    query = query.where('organisation_id', '=', organisation);
    const members = database.selectFrom('users').select('id').where('organisation_id', '=', organisation);
    roles = roles.where('user_id', 'in', members);
  }
  if (actor.kind === 'user' && !actor.admin) query = query.where('id', '=', actor.id);
  const held = Map.groupBy(await roles.execute(), ({ user_id }) => user_id);
  const rows = await query.execute();
  return rows.map((row) =>
    userOf(
      row,
      (held.get(row.id) ?? []).map(({ role }) => role),
    ),
  );
}

async function createUser(
  context: DirectoryContext,
  by: Parameters<Users['create']>[0],
  given: unknown,
): Promise<User> {
  const input = checkInput(userInput, given);
  const first = await context.actor(by);
  const organisation =
    input.organisation === null ? null : organisationFor(first, input.organisation ?? undefined);
  const id = input.id ?? newId('user');
  return context.change(by, [organisation], async ({ transaction, actor, now, note }) => {
    if (organisation === null) checkOperator(actor, 'create users without organisation');
    else await checkOrganisation(transaction, organisation);
    checkAdmin(actor, 'create users');
    if (input.id !== undefined) checkOperator(actor, 'choose the id of a user');
    await checkSubjectFree(transaction, input.subject ?? null, id);
    await checkIdFree(transaction, id);
    const row: UserRow = {
      id,
      organisation_id: organisation,
      email: input.email ?? null,
      name: input.name,
      subject: input.subject ?? null,
      status: 'active',
      tools: input.tools ?? null,
      created_at: now,
    };
    await transaction.insertInto('users').values(row).execute();
    const roles = await replaceRoles(transaction, row, input.roles ?? []);
    if (organisation !== null) {
      await insertDefaultLevels(transaction, organisation, id, context.options.defaults.user, now);
    }
    note('user-changed', organisation, id, 'created');
    return userOf(row, roles);
  });
}

async function applyChanges(
  transaction: Transaction<Tables>,
  row: UserRow,
  { name, email, subject, tools, status, roles }: UserChanges,
): Promise<User> {
  const columns = {
    ...(name === undefined ? {} : { name }),
    ...(email === undefined ? {} : { email }),
    ...(subject === undefined ? {} : { subject }),
    ...(tools === undefined ? {} : { tools }),
    ...(status === undefined ? {} : { status }),
  };
  if (subject !== undefined) await checkSubjectFree(transaction, subject, row.id);
  if (Object.keys(columns).length > 0) {
    await transaction.updateTable('users').set(columns).where('id', '=', row.id).execute();
  }
  const held =
    roles === undefined ? await rolesOf(transaction, row.id) : await replaceRoles(transaction, row, roles);
  return userOf({ ...row, ...columns }, held);
}

/** Nothing that was granted in one organisation goes along to another. */
async function moveUser(
  context: DirectoryContext,
  transaction: Transaction<Tables>,
  { id }: UserRow,
  target: string | null,
  now: number,
): Promise<readonly ApprovalEvent[]> {
  if (target !== null) await checkOrganisation(transaction, target);
  await transaction.deleteFrom('user_roles').where('user_id', '=', id).execute();
  await transaction.deleteFrom('access_levels').where('subject', '=', id).execute();
  await transaction.deleteFrom('acting_users').where('user_id', '=', id).execute();
  await transaction.deleteFrom('connections').where('user_id', '=', id).execute();
  await transaction.deleteFrom('api_keys').where('user_id', '=', id).execute();
  const ended = await endAgreements(transaction, id, now, 'The user was moved to another organisation.');
  await transaction.updateTable('users').set({ organisation_id: target }).where('id', '=', id).execute();
  if (target !== null) {
    await insertDefaultLevels(transaction, target, id, context.options.defaults.user, now);
  }
  return ended;
}

/** Throws `record_invalid` for a role that the organisation does not have. */
async function replaceRoles(
  transaction: Transaction<Tables>,
  { id, organisation_id }: UserRow,
  given: readonly string[],
): Promise<readonly string[]> {
  const roles = [...new Set(given)].sort();
  for (const [index, role] of roles.entries()) {
    if (
      organisation_id !== null &&
      (role === ADMIN_ROLE || (await hasRole(transaction, organisation_id, role)))
    )
      continue;
    throw new ToolcribError('record_invalid', `The organisation has no role "${role}".`, {
      pointer: `/roles/${given.indexOf(role) === -1 ? index : given.indexOf(role)}`,
    });
  }
  await transaction.deleteFrom('user_roles').where('user_id', '=', id).execute();
  if (roles.length > 0) {
    await transaction
      .insertInto('user_roles')
      .values(roles.map((role) => ({ user_id: id, role })))
      .execute();
  }
  return roles;
}

async function hasRole(database: Kysely<Tables>, organisation: string, name: string): Promise<boolean> {
  const row = await database
    .selectFrom('roles')
    .select('name')
    .where('organisation_id', '=', organisation)
    .where('name', '=', name)
    .executeTakeFirst();
  return row !== undefined;
}

async function rolesOf(database: Kysely<Tables>, user: string): Promise<readonly string[]> {
  const rows = await database.selectFrom('user_roles').select('role').where('user_id', '=', user).execute();
  return rows.map(({ role }) => role);
}

async function checkSubjectFree(
  database: Kysely<Tables>,
  subject: string | null,
  user: string,
): Promise<void> {
  if (subject === null) return;
  const taken = await database
    .selectFrom('users')
    .select('id')
    .where('subject', '=', subject)
    .where('id', '!=', user)
    .executeTakeFirst();
  if (taken === undefined) return;
  throw new ToolcribError('record_conflict', 'Another user has this subject already.', {
    pointer: '/subject',
  });
}

async function checkIdFree(database: Kysely<Tables>, id: string): Promise<void> {
  const taken = await database.selectFrom('users').select('id').where('id', '=', id).executeTakeFirst();
  if (taken === undefined) return;
  throw new ToolcribError('record_conflict', `There is a user "${id}" already.`, { pointer: '/id' });
}

function movedMeanwhile(id: string): ToolcribError {
  return new ToolcribError('record_conflict', `User ${id} was moved meanwhile.`);
}
