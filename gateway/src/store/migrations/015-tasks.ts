import type { Migration } from './migration.ts';

export const tasks: Migration = {
  name: 'tasks',
  statements: ({ big, counted, strict }) => [
    `create table tasks (
      id text primary key not null, owner text not null, process_id text not null, status text not null,
      message text, content text, created_at ${big} not null, updated_at ${big} not null,
      expires_at ${big} not null
    ) ${strict}`,
    'create index tasks_by_owner on tasks (owner)',
    'create index tasks_by_end on tasks (expires_at)',
    `create table task_notices (
      number ${counted}, task_id text not null, process_id text not null, body text not null
    ) ${strict}`,
    'create index task_notices_by_process on task_notices (process_id)',
  ],
};
