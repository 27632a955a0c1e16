import type { Transaction } from 'kysely';
import { limitedOwners, ownerText } from '../operations/artifact-owner.ts';
import { beginsWith } from '../store/begins-with.ts';
import type { Tables, UserTable } from '../store/tables.ts';

/**
 * A user is removed, and another may get the id: what people agreed to for the first, and what the first found, counts
 * for nobody any more. Stored outputs stay the operator's, as those of a removed user. What is used of budgets and
 * what the user has read of strangers stays: it only takes something away.
 */
export async function forgetUser(
  transaction: Transaction<Tables>,
  { id, organisation_id: organisation }: Pick<UserTable, 'id' | 'organisation_id'>,
  now: number,
): Promise<void> {
  await endAgreements(transaction, id, now);
  if (organisation === null) return;
  const owner = ownerText({ user: id, organisation });
  await transaction
    .updateTable('artifacts')
    .set({ owner: ownerText({ user: `${id} (removed)`, organisation }) })
    .where((on) => on.or([on('owner', '=', owner), beginsWith('owner', limitedOwners(owner))]))
    .execute();
}

/** What people agreed to for a user, and what the user found, leads to no call any more. */
export async function endAgreements(
  transaction: Transaction<Tables>,
  id: string,
  now: number,
): Promise<void> {
  await transaction
    .deleteFrom('standing_approvals')
    .where('principal_id', '=', id)
    .where('organisation_id', 'is not', null)
    .execute();
  await transaction
    .updateTable('approvals')
    .set({ state: 'stale', edited: null })
    .where('principal_id', '=', id)
    .where('organisation_id', 'is not', null)
    .where('state', 'in', ['pending', 'approved'])
    .execute();
  // nobody else hears how they ended
  await transaction
    .updateTable('approvals')
    .set({ told_at: now })
    .where('principal_id', '=', id)
    .where('organisation_id', 'is not', null)
    .where('told_at', 'is', null)
    .execute();
  await transaction.deleteFrom('activated_tools').where('principal_id', '=', id).execute();
}

/** Of what is changed here, so that every process is told. */
export function forgottenScopes(users: readonly string[]): readonly string[] {
  return ['approvals', ...users.map((user) => `activated:${user}`)];
}
