import type { Migration } from './migration.ts';

export const taints: Migration = {
  name: 'taints',
  statements: ({ big, strict }) => [
    `create table taints (
      principal_id text not null, run_id text not null, source text not null, ends_at ${big} not null,
      primary key (principal_id, run_id, source)
    ) ${strict}`,
    'create index taints_by_end on taints (ends_at)',
  ],
};
