import { type Change, describeChanges } from '../directory/directory-context.ts';
import type { OrganisationSnapshot } from '../grants/organisation-snapshot.ts';
import type { AccessChange } from './access-records.ts';

/** Writes changes that were checked, in their order, and notes each as the single records would. */
export async function writeAccess(
  change: Change,
  organisation: string,
  snapshot: OrganisationSnapshot,
  changes: readonly AccessChange[],
): Promise<void> {
  const features = new Set(snapshot.features);
  for (const one of changes) {
    if (one.kind === 'level') await writeLevel(change, organisation, one);
    else if (one.kind === 'user') await writeUser(change, organisation, one);
    else if (one.enabled) features.add(one.feature);
    else features.delete(one.feature);
  }
  if (!changes.some(({ kind }) => kind === 'feature')) return;
  await change.transaction
    .updateTable('organisations')
    .set({ features: JSON.stringify([...features]) })
    .where('id', '=', organisation)
    .execute();
  change.note('organisation-changed', organisation, organisation, 'changed features');
}

async function writeLevel(
  { transaction, now, note }: Change,
  organisation: string,
  { user = null, scope, level }: AccessChange & { kind: 'level' },
): Promise<void> {
  const place = { organisation_id: organisation, subject: user ?? '', scope };
  if (level === null) {
    await transaction
      .deleteFrom('access_levels')
      .where('organisation_id', '=', organisation)
      .where('subject', '=', place.subject)
      .where('scope', '=', scope)
      .execute();
  } else {
    const values = { level, updated_at: now };
    await transaction
      .insertInto('access_levels')
      .values({ ...place, ...values })
      .onConflict((conflict) => conflict.columns(['organisation_id', 'subject', 'scope']).doUpdateSet(values))
      .execute();
  }
  const what = level === null ? `level ${scope} removed` : `level ${scope}: ${level}`;
  note('access-changed', organisation, user ?? organisation, what);
}

async function writeUser(
  { transaction, note }: Change,
  organisation: string,
  { user, roles, status }: AccessChange & { kind: 'user' },
): Promise<void> {
  if (status !== undefined) {
    await transaction.updateTable('users').set({ status }).where('id', '=', user).execute();
  }
  if (roles !== undefined) {
    await transaction.deleteFrom('user_roles').where('user_id', '=', user).execute();
    const rows = [...new Set(roles)].map((role) => ({ user_id: user, role }));
    if (rows.length > 0) await transaction.insertInto('user_roles').values(rows).execute();
  }
  note('user-changed', organisation, user, describeChanges({ roles, status }));
}
