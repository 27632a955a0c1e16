import { type RawBuilder, sql } from 'kysely';
import type { Store } from './store.ts';

/**
 * Whether a text holds another, whatever the case of its letters. Both are lowered by the database: PostgreSQL knows
 * the letters of its own locale, with `C` those of ASCII alone.
 */
export function holdsText(
  { dialect }: Pick<Store, 'dialect'>,
  text: RawBuilder<string>,
  wanted: string,
): RawBuilder<boolean> {
  return dialect === 'sqlite'
    ? sql<boolean>`instr(lower(${text}), lower(${wanted})) > 0`
    : sql<boolean>`position(lower(${wanted}) in lower(${text})) > 0`;
}
