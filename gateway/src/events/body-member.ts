import { type RawBuilder, sql } from 'kysely';
import type { Store } from '../store/store.ts';

/**
 * Of an event's body, JSON with escapes that PostgreSQL turns into no text: U+0000 and halves of surrogate pairs. One
 * such event would fail every query that looks into bodies. In place of each stands U+FFFD.
 */
const POSTGRES_BODY = sql`case when strpos(events.body, '\\u') = 0 then events.body
  else regexp_replace(events.body, '\\\\u(0000|d[89a-f][0-9a-f]{2})', '\\\\ufffd', 'g') end`;

/** A member of the event's body, as text. */
export function bodyMember({ dialect }: Pick<Store, 'dialect'>, name: string): RawBuilder<string> {
  return dialect === 'sqlite'
    ? sql<string>`json_extract(events.body, ${sql.lit(`$.${name}`)})`
    : sql<string>`(${POSTGRES_BODY})::json ->> ${sql.lit(name)}`;
}
