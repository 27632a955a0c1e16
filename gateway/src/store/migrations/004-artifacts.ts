import type { Migration } from './migration.ts';

export const artifacts: Migration = {
  name: 'artifacts',
  statements: () => [],
};
