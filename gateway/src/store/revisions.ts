import { sql, type Transaction } from 'kysely';
import type { Tables } from './tables.ts';

/** Raises each scope by one and answers with the new revisions. Sorted: two changes never wait for each other. */
export async function raiseRevisions(
  transaction: Transaction<Tables>,
  scopes: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const raised = new Map<string, number>();
  for (const scope of [...new Set(scopes)].sort()) {
    const { revision } = await transaction
      .insertInto('revisions')
      .values({ scope, revision: 1 })
      .onConflict((conflict) =>
        conflict.column('scope').doUpdateSet({ revision: sql<number>`revisions.revision + 1` }),
      )
      .returning('revision')
      .executeTakeFirstOrThrow();
    raised.set(scope, revision);
  }
  return raised;
}
