import type { Store } from '../store/store.ts';

/** What every process looks at before it trusts what it knows of features. */
export const FEATURES_SCOPE = 'features';

/** A decision at run time about one feature. */
export interface StoredSwitch {
  readonly enabled: boolean;
  readonly changedAt: number;
  readonly changedBy: string;
}

/** All of them with the revision that they have at least. */
export async function readSwitches(
  store: Store,
): Promise<{ readonly revision: number; readonly switches: Map<string, StoredSwitch> }> {
  // the revision first: what is committed meanwhile is read again
  const revision = await store.revision(FEATURES_SCOPE);
  const rows = await store.database.selectFrom('features').selectAll().execute();
  const switches = rows.map(({ name, enabled, changed_at, changed_by }): [string, StoredSwitch] => [
    name,
    { enabled: enabled === 1, changedAt: Number(changed_at), changedBy: changed_by },
  ]);
  return { revision, switches: new Map(switches) };
}

/** Undefined takes the decision back. */
export async function writeSwitch(
  store: Store,
  name: string,
  switched: StoredSwitch | undefined,
): Promise<void> {
  await store.change([FEATURES_SCOPE], async (transaction) => {
    if (switched === undefined) {
      await transaction.deleteFrom('features').where('name', '=', name).execute();
      return;
    }
    const values = {
      enabled: switched.enabled ? 1 : 0,
      changed_at: switched.changedAt,
      changed_by: switched.changedBy,
    };
    await transaction
      .insertInto('features')
      .values({ name, ...values })
      .onConflict((conflict) => conflict.column('name').doUpdateSet(values))
      .execute();
  });
}
