import type { Migration } from './migration.ts';

export const tables: Migration = {
  name: 'tables',
  statements: ({ big, real, counted, numbered, strict }) => [
    `create table organisations (
      id text primary key not null, name text not null, tools text, features text not null,
      created_at ${big} not null
    ) ${strict}`,

    `create table users (
      id text primary key not null,
      organisation_id text references organisations(id) on delete set null,
      email text, name text not null, subject text, status text not null, tools text,
      created_at ${big} not null
    ) ${strict}`,
    'create index users_by_organisation on users (organisation_id)',
    'create unique index users_by_subject on users (subject) where subject is not null',

    `create table roles (
      organisation_id text not null references organisations(id) on delete cascade,
      name text not null, permissions text not null,
      primary key (organisation_id, name)
    ) ${strict}`,
    `create table user_roles (
      user_id text not null references users(id) on delete cascade,
      role text not null,
      primary key (user_id, role)
    ) ${strict}`,

    `create table api_keys (
      id text primary key not null,
      organisation_id text not null references organisations(id) on delete cascade,
      user_id text not null references users(id) on delete cascade,
      name text not null, hash text not null, hint text not null, max_access text not null, sources text,
      created_at ${big} not null, expires_at ${big}, revoked_at ${big}
    ) ${strict}`,
    'create unique index api_keys_by_hash on api_keys (hash)',
    'create index api_keys_by_organisation on api_keys (organisation_id)',
    'create index api_keys_by_user on api_keys (user_id)',

    `create table access_levels (
      organisation_id text not null references organisations(id) on delete cascade,
      subject text not null, scope text not null, level text not null, updated_at ${big} not null,
      primary key (organisation_id, subject, scope)
    ) ${strict}`,

    `create table connections (
      id text primary key not null,
      organisation_id text not null references organisations(id) on delete cascade,
      user_id text references users(id) on delete cascade,
      source text not null, name text not null, status text not null, region text, base_url text,
      credentials text, created_at ${big} not null, updated_at ${big} not null
    ) ${strict}`,
    `create unique index connections_by_owner
      on connections (organisation_id, source, coalesce(user_id, ''), name)`,
    'create index connections_by_user on connections (user_id) where user_id is not null',

    `create table acting_users (
      connection_id text not null references connections(id) on delete cascade,
      user_id text not null references users(id) on delete cascade,
      provider_user_id text not null,
      primary key (connection_id, user_id)
    ) ${strict}`,
    'create index acting_users_by_user on acting_users (user_id)',

    `create table events (
      sequence ${counted}, time ${big} not null, type text not null, organisation_id text,
      principal_id text, call_id text, process_id text not null, body text not null
    ) ${strict}`,
    // a call starts once and ends once, whoever says so
    `create unique index events_call_started on events (call_id) where type = 'call-started'`,
    `create unique index events_call_ended on events (call_id)
      where type in ('call-completed', 'call-failed')`,
    `create index events_by_organisation on events (organisation_id, sequence)
      where organisation_id is not null`,
    'create index events_beside_calls on events (type, sequence) where call_id is null',

    `create table skill_usage_logs (
      id ${numbered}, time ${big} not null, day text not null, slug text not null, organisation_id text,
      user_id text, source text not null, operation text not null, duration_ms ${real} not null,
      error_code text
    ) ${strict}`,
    'create index usage_by_organisation on skill_usage_logs (organisation_id, day)',

    `create table processes (
      id text primary key not null, machine text not null, pid ${big} not null,
      started_at ${big} not null, seen_at ${big} not null, open_from ${big} not null
    ) ${strict}`,

    `create table rate_slots (
      connection text not null, slot ${big} not null, admitted_at ${big} not null,
      primary key (connection, slot)
    ) ${strict}`,

    `create table revisions (scope text primary key not null, revision ${big} not null) ${strict}`,
  ],
};
