import type { Migration } from './migration.ts';

/** The provider that a connection's credential is for: null where its source has none, or the row is older. */
export const connectionProviders: Migration = {
  name: 'connection-providers',
  statements: () => ['alter table connections add column provider text'],
};
