import { sql } from 'kysely';

/** Case counts, and no character of the text stands for others, on both dialects. */
export function beginsWith(column: string, text: string) {
  return sql<boolean>`substr(${sql.ref(column)}, 1, ${sql.lit([...text].length)}) = ${text}`;
}
