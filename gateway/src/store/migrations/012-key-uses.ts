import type { Migration } from './migration.ts';

/** When a key was last shown, to the minute: null for one that never was, or not since this table knows. */
export const keyUses: Migration = {
  name: 'key-uses',
  statements: ({ big }) => [`alter table api_keys add column last_used_at ${big}`],
};
