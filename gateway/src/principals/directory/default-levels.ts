import type { Transaction } from 'kysely';
import type { AccessLevel } from '../../operations/index.ts';
import type { Tables } from '../../store/tables.ts';

/** Writes explicit rows, by category, for a new organisation (`subject` empty) or user: no row means no access. */
export async function insertDefaultLevels(
  transaction: Transaction<Tables>,
  organisation: string,
  subject: string,
  levels: Readonly<Record<string, AccessLevel>>,
  now: number,
): Promise<void> {
  const rows = Object.entries(levels).map(([category, level]) => ({
    organisation_id: organisation,
    subject,
    scope: `category:${category}`,
    level,
    updated_at: now,
  }));
  if (rows.length > 0) await transaction.insertInto('access_levels').values(rows).execute();
}
