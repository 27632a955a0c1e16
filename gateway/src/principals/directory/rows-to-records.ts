import type { Selectable } from 'kysely';
import type {
  AccessLevelTable,
  ApiKeyTable,
  ConnectionTable,
  OrganisationTable,
  RoleTable,
  UserTable,
} from '../../store/tables.ts';
import {
  isoTime,
  readCredentials,
  readKeyAccess,
  readLevel,
  readNames,
  readTime,
  readTools,
} from '../read-rows.ts';
import type { ApiKey, ConnectionRecord, Level, Organisation, Role, User } from './records.ts';

export function organisationOf(row: Selectable<OrganisationTable>): Organisation {
  return {
    id: row.id,
    name: row.name,
    tools: readTools(row.tools),
    features: readNames(row.features) ?? [],
    createdAt: isoTime(row.created_at),
  };
}

export function userOf(row: Selectable<UserTable>, roles: readonly string[]): User {
  return {
    id: row.id,
    organisation: row.organisation_id,
    name: row.name,
    email: row.email,
    subject: row.subject,
    status: row.status === 'active' ? 'active' : 'disabled',
    tools: readTools(row.tools),
    roles: [...roles].sort(),
    createdAt: isoTime(row.created_at),
  };
}

export function roleOf(row: Selectable<RoleTable>): Role {
  return {
    organisation: row.organisation_id,
    name: row.name,
    permissions: readNames(row.permissions) ?? [],
  };
}

export function keyOf(row: Selectable<ApiKeyTable>, now: number): ApiKey {
  return {
    id: row.id,
    organisation: row.organisation_id,
    user: row.user_id,
    name: row.name,
    hint: row.hint,
    maxAccess: readKeyAccess(row.max_access) ?? 'read',
    sources: row.sources === null ? null : (readNames(row.sources) ?? []),
    purpose: row.purpose === null ? null : 'approve',
    createdAt: isoTime(row.created_at),
    expiresAt: row.expires_at === null ? null : isoTime(row.expires_at),
    revokedAt: row.revoked_at === null ? null : isoTime(row.revoked_at),
    lastUsedAt: row.last_used_at === null ? null : isoTime(row.last_used_at),
    status: row.revoked_at !== null ? 'revoked' : isExpired(row.expires_at, now) ? 'expired' : 'active',
  };
}

/** Null never ends; what cannot be read has ended. */
export function isExpired(expiresAt: unknown, now: number): boolean {
  return expiresAt !== null && !(readTime(expiresAt) > now);
}

export function levelOf(row: Selectable<AccessLevelTable>): Level {
  return {
    organisation: row.organisation_id,
    user: row.subject === '' ? null : row.subject,
    scope: row.scope,
    level: readLevel(row.level) ?? 'none',
    updatedAt: isoTime(row.updated_at),
  };
}

export function connectionOf(row: Selectable<ConnectionTable>): ConnectionRecord {
  return {
    id: row.id,
    organisation: row.organisation_id,
    user: row.user_id,
    source: row.source,
    name: row.name,
    status:
      row.status === 'connected' || row.status === 'unauthenticated' || row.status === 'disabled'
        ? row.status
        : 'disabled',
    region: row.region,
    baseUrl: row.base_url,
    credentials: readCredentials(row.credentials) ?? null,
    reconnectSince: row.reconnect_since === null ? null : isoTime(row.reconnect_since),
    createdAt: isoTime(row.created_at),
    updatedAt: isoTime(row.updated_at),
  };
}
