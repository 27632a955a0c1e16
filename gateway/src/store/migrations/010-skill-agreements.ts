import type { Migration } from './migration.ts';

/** What a person agrees to about a skill: null for everything that was asked before there were any. */
export const skillAgreements: Migration = {
  name: 'skill-agreements',
  statements: () => [
    'alter table approvals add column agreement text',
    'alter table standing_approvals add column skill text',
    'alter table standing_approvals add column agreement text',
    `create index standing_approvals_by_skill on standing_approvals (principal_id, source, skill)
      where skill is not null`,
  ],
};
