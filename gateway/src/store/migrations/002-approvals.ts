import type { Migration } from './migration.ts';

export const approvals: Migration = {
  name: 'approvals',
  statements: ({ big, strict }) => [
    `create table approvals (
      id text primary key not null, state text not null, principal_id text not null, organisation_id text,
      run text not null, tool text not null, source text not null, operation text not null,
      access text not null, definition text not null, arguments_hash text not null, policy text not null,
      preview text not null, reason text not null, standing text not null, call_id text not null,
      created_at ${big} not null, expires_at ${big} not null,
      decided_at ${big}, decided_by text, channel text, note text, edited text,
      used_call text, rounds ${big} not null, told_at ${big}
    ) ${strict}`,
    'create index approvals_by_call on approvals (principal_id, tool, arguments_hash)',
    'create index approvals_by_state on approvals (state, expires_at)',
    'create index approvals_by_time on approvals (created_at)',

    `create table standing_approvals (
      id text primary key not null, principal_id text not null, organisation_id text, tool text not null,
      source text not null, operation text not null, definition text not null, arguments_hash text,
      approval_id text not null, created_at ${big} not null, created_by text not null, channel text not null
    ) ${strict}`,
    'create index standing_approvals_by_tool on standing_approvals (principal_id, tool)',

    // what several processes sign with: links to approvals, request states
    `create table signing_keys (
      name text primary key not null, secret text not null, created_at ${big} not null
    ) ${strict}`,

    // null: an ordinary key
    'alter table api_keys add column purpose text',
  ],
};
