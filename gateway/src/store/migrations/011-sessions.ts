import type { Migration } from './migration.ts';

/** Browsers that are signed in; every process of the store knows them. */
export const sessions: Migration = {
  name: 'sessions',
  statements: ({ big, strict }) => [
    `create table sessions (
      id text primary key, credential text not null, approver text,
      created_at ${big} not null, used_at ${big} not null
    ) ${strict}`,
    'create index sessions_by_use on sessions (used_at)',
  ],
};
