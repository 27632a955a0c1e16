import type { Migration } from './migration.ts';

export const budgets: Migration = {
  name: 'budgets',
  statements: () => [],
};
