import type { Migration } from './migration.ts';

/** Where the bytes of an artifact were written: empty where an older version wrote the row. */
export const artifactPlaces: Migration = {
  name: 'artifact-places',
  statements: () => ["alter table artifacts add column place text not null default ''"],
};
