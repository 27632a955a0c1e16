import type { Migration } from './migration.ts';

/** Whose words stand in what is fetched later than it was brought: empty, or null, where an older version wrote the row. */
export const sourcesOfOutputs: Migration = {
  name: 'sources-of-outputs',
  statements: () => [
    "alter table artifacts add column operation text not null default ''",
    'alter table tasks add column source text',
  ],
};
