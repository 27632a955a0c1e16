import type { Migration } from './migration.ts';

export const approvals: Migration = {
  name: 'approvals',
  statements: () => [],
};
