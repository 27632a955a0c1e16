import type { Kysely } from 'kysely';
import { ToolcribError } from '../../errors.ts';
import type { Tables } from '../../store/tables.ts';
import { type Actor, ADMIN_ROLE, checkAdmin, checkOperator, mayReach, unknownRecord } from './actor.ts';
import { insertDefaultLevels } from './default-levels.ts';
import type { OrganisationInput, Organisations } from './directory.ts';
import { type DirectoryContext, describeChanges, newId } from './directory-context.ts';
import { forgetOrganisation, forgetUser, forgottenScopes } from './forget-user.ts';
import { checkInput, organisationChanges, organisationInput } from './inputs.ts';
import { organisationOf } from './rows-to-records.ts';

export function createOrganisations(context: DirectoryContext): Organisations {
  const { database, options } = context;
  return {
    async list(by) {
      const actor = await context.actor(by);
      const rows = database.selectFrom('organisations').selectAll().orderBy('id');
      const own = actor.kind === 'operator' ? rows : rows.where('id', '=', actor.organisation);
      return (await own.execute()).map(organisationOf);
    },
    async get(by, id) {
      return organisationOf(await reachable(database, await context.actor(by), id));
    },
    async create(by, given) {
      const input = checkInput(organisationInput, given);
      const id = input.id ?? newId('org');
      return context.change(by, [id], async ({ transaction, actor, now, note }) => {
        checkOperator(actor, 'create organisations');
        await checkFree(transaction, id);
        const row = { id, name: input.name, ...columnsOf(input), created_at: now };
        await transaction.insertInto('organisations').values(row).execute();
        await transaction
          .insertInto('roles')
          .values({ organisation_id: id, name: ADMIN_ROLE, permissions: '[]' })
          .execute();
        await insertDefaultLevels(transaction, id, '', options.defaults.organisation, now);
        note('organisation-changed', id, id, 'created');
        return organisationOf(row);
      });
    },
    async update(by, id, given) {
      const { name, tools, features } = checkInput(organisationChanges, given);
      return context.change(by, [id], async ({ transaction, actor, note }) => {
        const before = await reachable(transaction, actor, id);
        checkAdmin(actor, 'change the organisation');
        const changes = {
          ...(name === undefined ? {} : { name }),
          ...(tools === undefined ? {} : { tools }),
          ...(features === undefined ? {} : { features: JSON.stringify(features) }),
        };
        if (Object.keys(changes).length === 0) return organisationOf(before);
        await transaction.updateTable('organisations').set(changes).where('id', '=', id).execute();
        note('organisation-changed', id, id, describeChanges(changes));
        return organisationOf({ ...before, ...changes });
      });
    },
    async remove(by, id) {
      const known = await usersOf(database, id);
      await context.change(
        by,
        [id],
        async ({ transaction, actor, now, note, noteEnded }) => {
          await reachable(transaction, actor, id);
          checkOperator(actor, 'remove organisations');
          for (const user of await usersOf(transaction, id)) {
            noteEnded(await forgetUser(transaction, user, now));
          }
          await forgetOrganisation(transaction, id);
          await transaction.deleteFrom('users').where('organisation_id', '=', id).execute();
          await transaction.deleteFrom('organisations').where('id', '=', id).execute();
          note('organisation-changed', id, id, 'removed');
        },
        forgottenScopes(known.map((user) => user.id)),
      );
    },
  };
}

async function reachable(database: Kysely<Tables>, actor: Actor, id: string) {
  const row = mayReach(actor, id)
    ? await database.selectFrom('organisations').selectAll().where('id', '=', id).executeTakeFirst()
    : undefined;
  if (row === undefined) throw unknownRecord('organisation', id);
  return row;
}

function usersOf(database: Kysely<Tables>, organisation: string) {
  return database
    .selectFrom('users')
    .select(['id', 'organisation_id'])
    .where('organisation_id', '=', organisation)
    .execute();
}

async function checkFree(database: Kysely<Tables>, id: string): Promise<void> {
  const taken = await database
    .selectFrom('organisations')
    .select('id')
    .where('id', '=', id)
    .executeTakeFirst();
  if (taken === undefined) return;
  throw new ToolcribError('record_conflict', `There is an organisation "${id}" already.`, { pointer: '/id' });
}

function columnsOf({ tools, features }: Pick<OrganisationInput, 'tools' | 'features'>) {
  return { tools: tools ?? null, features: JSON.stringify(features ?? []) };
}
