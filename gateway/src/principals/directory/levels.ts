import type { Kysely } from 'kysely';
import { ToolcribError } from '../../errors.ts';
import { reachesSource } from '../../operations/index.ts';
import type { Tables } from '../../store/tables.ts';
import { type Actor, checkAdmin, organisationFor } from './actor.ts';
import type { Levels } from './directory.ts';
import { type Change, checkOrganisation, type DirectoryContext } from './directory-context.ts';
import { checkInput, levelInput, levelRemoval } from './inputs.ts';
import { levelOf } from './rows-to-records.ts';
import { reachableUser } from './users.ts';

export function createLevels(context: DirectoryContext): Levels {
  const { database } = context;
  return {
    async list(by, filter = {}) {
      const actor = await context.actor(by);
      const organisation = await organisationOfLevels(database, actor, filter);
      let query = database
        .selectFrom('access_levels')
        .selectAll()
        .where('organisation_id', '=', organisation)
        .orderBy('subject')
        .orderBy('scope');
      if (filter.user !== undefined) query = query.where('subject', '=', filter.user ?? '');
      if (actor.kind === 'user' && !actor.admin) query = query.where('subject', 'in', ['', actor.id]);
      const rows = await query.execute();
      return rows
        .filter(({ scope }) => {
          const source = sourceOf(scope);
          return source === undefined || reachesSource(actor.principal, source);
        })
        .map(levelOf);
    },
    async set(by, given) {
      const { scope, level, user = null, organisation: named } = checkInput(levelInput, given);
      checkSource(context, scope);
      const asking = await context.actor(by);
      const organisation = await organisationOfLevels(database, asking, { organisation: named, user });
      return context.change(by, [organisation], async (change) => {
        await checkMaySet(change, organisation, user);
        const row = {
          organisation_id: organisation,
          subject: user ?? '',
          scope,
          level,
          updated_at: change.now,
        };
        await change.transaction
          .insertInto('access_levels')
          .values(row)
          .onConflict((conflict) =>
            conflict
              .columns(['organisation_id', 'subject', 'scope'])
              .doUpdateSet({ level, updated_at: change.now }),
          )
          .execute();
        change.note('access-changed', organisation, user ?? organisation, `level ${scope}: ${level}`);
        return levelOf(row);
      });
    },
    async remove(by, given) {
      const { scope, user = null, organisation: named } = checkInput(levelRemoval, given);
      const asking = await context.actor(by);
      const organisation = await organisationOfLevels(database, asking, { organisation: named, user });
      await context.change(by, [organisation], async (change) => {
        await checkMaySet(change, organisation, user);
        const { numDeletedRows } = await change.transaction
          .deleteFrom('access_levels')
          .where('organisation_id', '=', organisation)
          .where('subject', '=', user ?? '')
          .where('scope', '=', scope)
          .executeTakeFirst();
        if (Number(numDeletedRows) === 0) {
          throw new ToolcribError('record_unknown', `No level is set for ${scope}.`);
        }
        change.note('access-changed', organisation, user ?? organisation, `level ${scope} removed`);
      });
    },
  };
}

/** The operator who names a user need not name the organisation. */
async function organisationOfLevels(
  database: Kysely<Tables>,
  actor: Actor,
  { organisation, user }: Parameters<Levels['list']>[1] & object,
): Promise<string> {
  if (actor.kind === 'operator' && organisation === undefined && user != null) {
    const { organisation_id } = await reachableUser(database, actor, user);
    if (organisation_id !== null) return organisation_id;
    throw new ToolcribError('record_invalid', `User ${user} belongs to no organisation and has no levels.`, {
      pointer: '/user',
    });
  }
  const own = organisationFor(actor, organisation);
  await checkOrganisation(database, own);
  return own;
}

/** Users choose their own and reach nobody else; what the organisation allows is an admin's. Throws `admin_needed`, `record_unknown`. */
async function checkMaySet(
  { transaction, actor }: Change,
  organisation: string,
  user: string | null,
): Promise<void> {
  await checkOrganisation(transaction, organisation);
  if (user === null) {
    checkAdmin(actor, 'set what the organisation allows');
    return;
  }
  const row = await reachableUser(transaction, actor, user);
  if (row.organisation_id !== organisation) {
    throw new ToolcribError('record_unknown', `The organisation has no user "${user}".`);
  }
}

/** A level for a source that does not exist would look as if it protected something. */
function checkSource({ options }: DirectoryContext, scope: string): void {
  const name = sourceOf(scope);
  if (name === undefined || Object.hasOwn(options.sources(), name)) return;
  throw new ToolcribError('record_invalid', `There is no source "${name}".`, { pointer: '/scope' });
}

/** The source that a scope names; undefined for a category. */
function sourceOf(scope: string): string | undefined {
  return /^source:(.*)$/s.exec(scope)?.[1];
}
