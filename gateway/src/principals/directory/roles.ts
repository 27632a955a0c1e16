import type { Transaction } from 'kysely';
import { ToolcribError } from '../../errors.ts';
import { raiseRevisions } from '../../store/revisions.ts';
import type { Tables } from '../../store/tables.ts';
import { ADMIN_ROLE, checkAdmin, organisationFor, unknownRecord } from './actor.ts';
import type { Roles } from './directory.ts';
import { checkOrganisation, type DirectoryContext, scopeOf } from './directory-context.ts';
import { checkInput, roleInput } from './inputs.ts';
import { roleOf } from './rows-to-records.ts';

export function createRoles(context: DirectoryContext): Roles {
  return {
    async list(by, filter = {}) {
      const organisation = organisationFor(await context.actor(by), filter.organisation);
      await checkOrganisation(context.database, organisation);
      const rows = await context.database
        .selectFrom('roles')
        .selectAll()
        .where('organisation_id', '=', organisation)
        .orderBy('name')
        .execute();
      return rows.map(roleOf);
    },
    async set(by, given) {
      const input = checkInput(roleInput, given);
      const organisation = organisationFor(await context.actor(by), input.organisation);
      return context.change(by, [organisation], async ({ transaction, actor, note }) => {
        checkAdmin(actor, 'set roles');
        await checkOrganisation(transaction, organisation);
        if (input.before !== undefined) {
          // its row is held from here: whoever changes the organisation too comes before or after
          await raiseRevisions(transaction, context.options.store.dialect, [scopeOf(organisation)]);
          await checkBefore(transaction, organisation, input.name, input.before);
        }
        const permissions = JSON.stringify([...new Set(input.permissions)]);
        const row = { organisation_id: organisation, name: input.name, permissions };
        await transaction
          .insertInto('roles')
          .values(row)
          .onConflict((conflict) =>
            conflict.columns(['organisation_id', 'name']).doUpdateSet({ permissions }),
          )
          .execute();
        note('access-changed', organisation, input.name, `role ${input.name} set`);
        return roleOf(row);
      });
    },
    async remove(by, name, filter = {}) {
      const organisation = organisationFor(await context.actor(by), filter.organisation);
      await context.change(by, [organisation], async ({ transaction, actor, note }) => {
        checkAdmin(actor, 'remove roles');
        if (name === ADMIN_ROLE) {
          throw new ToolcribError('record_conflict', 'The role admin is built in: it stays.');
        }
        const { numDeletedRows } = await transaction
          .deleteFrom('roles')
          .where('organisation_id', '=', organisation)
          .where('name', '=', name)
          .executeTakeFirst();
        if (Number(numDeletedRows) === 0) throw unknownRecord('role', name);
        const users = transaction
          .selectFrom('users')
          .select('id')
          .where('organisation_id', '=', organisation);
        await transaction
          .deleteFrom('user_roles')
          .where('role', '=', name)
          .where('user_id', 'in', users)
          .execute();
        note('access-changed', organisation, name, `role ${name} removed`);
      });
    },
  };
}

async function checkBefore(
  transaction: Transaction<Tables>,
  organisation: string,
  name: string,
  before: readonly string[] | null,
): Promise<void> {
  const row = await transaction
    .selectFrom('roles')
    .selectAll()
    .where('organisation_id', '=', organisation)
    .where('name', '=', name)
    .executeTakeFirst();
  const now = row === undefined ? null : roleOf(row).permissions;
  if (setOf(now) === setOf(before)) return;
  const what =
    now === null
      ? `Somebody removed the role ${name} meanwhile`
      : before === null
        ? `There is a role ${name} already`
        : `Somebody changed the role ${name} meanwhile`;
  throw new ToolcribError('record_conflict', `${what}: nothing was saved.`, {
    pointer: '/before',
    next: 'Read the roles again, and change it from what it holds now.',
  });
}

function setOf(permissions: readonly string[] | null): string {
  return JSON.stringify(permissions === null ? null : [...new Set(permissions)].sort());
}
