import type { Selectable, Transaction } from 'kysely';
import { limitedOwners, ownerText } from '../../operations/artifact-owner.ts';
import type { ApprovalEvent, ApprovalState } from '../../operations/index.ts';
import { beginsWith } from '../../store/begins-with.ts';
import type { ApprovalTable, StandingApprovalTable, Tables, UserTable } from '../../store/tables.ts';

/**
 * A user is removed, and another may get the id: what people agreed to for the first, and what the first found, counts
 * for nobody any more. Decided approvals and stored outputs stay, as those of a removed user. What is used of budgets
 * and what the user has read of strangers stays: it only takes something away.
 * @returns what is to be told of agreements that ended
 */
export async function forgetUser(
  transaction: Transaction<Tables>,
  { id, organisation_id: organisation }: Pick<UserTable, 'id' | 'organisation_id'>,
  now: number,
): Promise<readonly ApprovalEvent[]> {
  const ended = await endAgreements(transaction, id, now, 'The user was removed.');
  if (organisation === null) return ended;
  const removed = `${id} (removed)`;
  await transaction
    .updateTable('approvals')
    .set({ principal_id: removed })
    .where('principal_id', '=', id)
    .where('organisation_id', '=', organisation)
    .execute();
  const owner = ownerText({ user: id, organisation });
  await transaction
    .updateTable('artifacts')
    .set({ owner: ownerText({ user: removed, organisation }) })
    .where((on) => on.or([on('owner', '=', owner), beginsWith('owner', limitedOwners(owner))]))
    .execute();
  return ended;
}

/** The same of an organisation, once its users are forgotten. What it has used of budgets is nobody's use any more. */
export async function forgetOrganisation(transaction: Transaction<Tables>, id: string): Promise<void> {
  await transaction
    .updateTable('approvals')
    .set({ organisation_id: `${id} (removed)` })
    .where('organisation_id', '=', id)
    .execute();
  await transaction.deleteFrom('budget_counters').where('organisation_id', '=', id).execute();
}

/**
 * What people agreed to for a user, and what the user found, leads to no call any more.
 * @param why said of each agreement that ended
 * @returns what is to be told of them
 */
export async function endAgreements(
  transaction: Transaction<Tables>,
  id: string,
  now: number,
  why: string,
): Promise<readonly ApprovalEvent[]> {
  const standing = await transaction
    .deleteFrom('standing_approvals')
    .where('principal_id', '=', id)
    .where('organisation_id', 'is not', null)
    .returningAll()
    .execute();
  const open = await transaction
    .updateTable('approvals')
    .set({ state: 'stale', edited: null })
    .where('principal_id', '=', id)
    .where('organisation_id', 'is not', null)
    .where('state', 'in', ['pending', 'approved'])
    .returningAll()
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
  return [
    ...standing.map((row) => voidEvent({ ...row, id: row.approval_id }, 'executed', why)),
    ...open.map((row) => voidEvent(row, 'stale', why)),
  ];
}

type Agreement = Pick<
  Selectable<ApprovalTable & StandingApprovalTable>,
  'id' | 'principal_id' | 'organisation_id' | 'tool' | 'source' | 'operation'
>;

function voidEvent(row: Agreement, state: ApprovalState, message: string): ApprovalEvent {
  const { id, principal_id: principal, organisation_id: organisation, tool, source, operation } = row;
  return {
    type: 'approval-void',
    approval: id,
    principal,
    ...(organisation === null ? {} : { organisation }),
    tool,
    source,
    operation,
    state,
    message,
  };
}

/** Of what is changed here, so that every process is told. */
export function forgottenScopes(users: readonly string[]): readonly string[] {
  return ['approvals', ...users.map((user) => `activated:${user}`)];
}
