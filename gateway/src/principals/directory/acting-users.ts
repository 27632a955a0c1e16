import { checkAdmin, unknownRecord } from './actor.ts';
import { reachableConnection } from './connections.ts';
import type { ActingUsers } from './directory.ts';
import type { DirectoryContext } from './directory-context.ts';
import { actingUserInput, actingUserRemoval, checkInput } from './inputs.ts';
import { reachableUser } from './users.ts';

export function createActingUsers(context: DirectoryContext): ActingUsers {
  const { database } = context;
  return {
    async list(by, connection) {
      const actor = await context.actor(by);
      await reachableConnection(database, actor, connection);
      let query = database
        .selectFrom('acting_users')
        .selectAll()
        .where('connection_id', '=', connection)
        .orderBy('user_id');
      if (actor.kind === 'user' && !actor.admin) query = query.where('user_id', '=', actor.id);
      return (await query.execute()).map((row) => ({
        connection: row.connection_id,
        user: row.user_id,
        providerUser: row.provider_user_id,
      }));
    },
    async set(by, given) {
      const input = checkInput(actingUserInput, given);
      const { organisation_id } = await reachableConnection(
        database,
        await context.actor(by),
        input.connection,
      );
      return context.change(by, [organisation_id], async ({ transaction, actor, note }) => {
        checkAdmin(actor, "map users to the provider's");
        const connection = await reachableConnection(transaction, actor, input.connection);
        const user = await reachableUser(transaction, actor, input.user);
        const ownerOnly = connection.user_id !== null && connection.user_id !== user.id;
        if (user.organisation_id !== connection.organisation_id || ownerOnly) {
          throw unknownRecord('user', input.user);
        }
        await transaction
          .insertInto('acting_users')
          .values({
            connection_id: input.connection,
            user_id: input.user,
            provider_user_id: input.providerUser,
          })
          .onConflict((conflict) =>
            conflict
              .columns(['connection_id', 'user_id'])
              .doUpdateSet({ provider_user_id: input.providerUser }),
          )
          .execute();
        note('connection-changed', connection.organisation_id, connection.id, `user ${user.id} mapped`);
        return input;
      });
    },
    async remove(by, given) {
      const { connection, user } = checkInput(actingUserRemoval, given);
      const { organisation_id } = await reachableConnection(database, await context.actor(by), connection);
      await context.change(by, [organisation_id], async ({ transaction, actor, note }) => {
        checkAdmin(actor, "map users to the provider's");
        await reachableConnection(transaction, actor, connection);
        const { numDeletedRows } = await transaction
          .deleteFrom('acting_users')
          .where('connection_id', '=', connection)
          .where('user_id', '=', user)
          .executeTakeFirst();
        if (Number(numDeletedRows) === 0) throw unknownRecord('mapping of user', user);
        note('connection-changed', organisation_id, connection, `user ${user} no longer mapped`);
      });
    },
  };
}
