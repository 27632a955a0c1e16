import type { Migration } from './migration.ts';

export const activatedTools: Migration = {
  name: 'activated tools',
  statements: ({ big, strict }) => [
    `create table activated_tools (
      principal_id text not null, operation text not null, source text not null,
      activated_at ${big} not null, used_at ${big} not null,
      primary key (principal_id, operation)
    ) ${strict}`,
    'create index activated_tools_by_use on activated_tools (used_at)',
  ],
};
