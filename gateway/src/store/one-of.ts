import { type RawBuilder, sql } from 'kysely';

/** Whether a column, or what is computed, is one of these texts; never where there are none. */
export function isOneOf(column: string | RawBuilder<string>, texts: readonly string[]): RawBuilder<boolean> {
  if (texts.length === 0) return sql<boolean>`1 = 0`;
  return sql<boolean>`${typeof column === 'string' ? sql.ref(column) : column} in (${sql.join(texts)})`;
}
