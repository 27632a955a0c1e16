import { sql, type Transaction } from 'kysely';
import { storeClock } from './clock.ts';
import type { Tables } from './tables.ts';

/**
 * Raises each scope and answers with the new revisions. A revision is the time in milliseconds, or one more than the
 * last where that is later: a store that lost its last commits, as by a failover or a backup in its place, gives none
 * of theirs again, and nobody takes what they read then for what is there now. Sorted: two changes never wait for each
 * other.
 */
export async function raiseRevisions(
  transaction: Transaction<Tables>,
  dialect: 'sqlite' | 'postgres',
  scopes: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const clock = storeClock(dialect);
  const raised = new Map<string, number>();
  for (const scope of [...new Set(scopes)].sort()) {
    const { revision } = await transaction
      .insertInto('revisions')
      .values({ scope, revision: clock })
      .onConflict((conflict) =>
        conflict.column('scope').doUpdateSet({
          revision: sql<number>`case when revisions.revision < ${clock} then ${clock} else revisions.revision + 1 end`,
        }),
      )
      .returning('revision')
      .executeTakeFirstOrThrow();
    raised.set(scope, revision);
  }
  return raised;
}
