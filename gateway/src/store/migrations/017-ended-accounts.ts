import type { Migration } from './migration.ts';

/** Since when calls find that an account has to be connected anew: null where the last one found it good. */
export const endedAccounts: Migration = {
  name: 'ended-accounts',
  statements: ({ big }) => [`alter table connections add column reconnect_since ${big}`],
};
