import type { Migration } from './migration.ts';

export const features: Migration = {
  name: 'features',
  statements: ({ big, strict }) => [
    `create table features (
      name text primary key not null, enabled integer not null, changed_at ${big} not null,
      changed_by text not null
    ) ${strict}`,
  ],
};
