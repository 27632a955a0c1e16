import type { Migration } from './migration.ts';

export const budgets: Migration = {
  name: 'budgets',
  statements: ({ big, strict }) => [
    `create table budget_counters (
      budget text not null, subject text not null, window_start ${big} not null,
      organisation_id text, principal_id text, run_id text,
      calls ${big} not null, nanodollars ${big} not null, bytes ${big} not null,
      terms text not null, ends_at ${big} not null,
      primary key (budget, subject, window_start)
    ) ${strict}`,
    'create index budget_counters_by_end on budget_counters (ends_at)',
    'create index budget_counters_by_organisation on budget_counters (organisation_id)',
  ],
};
