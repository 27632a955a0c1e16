import type { Migration } from './migration.ts';

export const artifacts: Migration = {
  name: 'artifacts',
  statements: ({ big, strict }) => [
    `create table artifacts (
      id text primary key not null, owner text not null, hash text not null, mime_type text not null,
      name text not null, size ${big} not null, blob text not null, ready ${big} not null,
      created_at ${big} not null, expires_at ${big} not null
    ) ${strict}`,
    'create index artifacts_by_owner on artifacts (owner, created_at)',
    'create index artifacts_by_age on artifacts (created_at)',
    'create index artifacts_by_end on artifacts (expires_at)',

    `create table webhooks (
      name text primary key not null, cursor ${big} not null, attempts ${big} not null,
      next_at ${big} not null, state text not null, error text, leased_by text,
      leased_until ${big} not null, updated_at ${big} not null
    ) ${strict}`,
    `create table webhook_dead_letters (
      webhook text not null, sequence ${big} not null, attempts ${big} not null, error text not null,
      created_at ${big} not null,
      primary key (webhook, sequence)
    ) ${strict}`,
  ],
};
