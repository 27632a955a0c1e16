import type { Selectable, Transaction } from 'kysely';
import type { ToolChoice } from '../../operations/index.ts';
import type { Store } from '../../store/store.ts';
import type { ApiKeyTable, ConnectionTable, Tables } from '../../store/tables.ts';
import { readNames, readTime, readTools } from '../read-rows.ts';

export type ConnectionRow = Selectable<ConnectionTable>;

/** Everything that grants of one organisation are made of, as of one revision. Shared by its principals. */
export interface OrganisationSnapshot {
  readonly revision: number;
  /** When the organisation was created; milliseconds since the epoch. */
  readonly since: number;
  readonly features: readonly string[];
  /** Null: the configuration's. */
  readonly tools: ToolChoice | null;
  /** Permissions by role; a role whose permissions cannot be read has none. */
  readonly permissions: ReadonlyMap<string, readonly string[]>;
  /** What the admin allows: level text by scope, as it stands in the store. */
  readonly levels: ReadonlyMap<string, string>;
  readonly connections: readonly ConnectionRow[];
  readonly users: ReadonlyMap<string, UserSnapshot>;
  readonly keys: ReadonlyMap<string, KeySnapshot>;
}

export interface UserSnapshot {
  readonly active: boolean;
  /** When the user was created; milliseconds since the epoch. */
  readonly since: number;
  readonly tools: ToolChoice | null;
  readonly roles: readonly string[];
  readonly levels: ReadonlyMap<string, string>;
  readonly connections: readonly ConnectionRow[];
  /** The user's id at the provider, by connection. */
  readonly actingAs: ReadonlyMap<string, string>;
}

export interface KeySnapshot {
  readonly user: string;
  /** Milliseconds since the epoch; null: never; NaN: cannot be read, so it is over. */
  readonly expiresAt: number | null;
  /** Equal texts: nothing that the key allows, and no key, was changed. */
  readonly record: string;
}

/** What a key is and allows, as it stands in the store. */
export function keyRecord(row: KeyColumns): string {
  return JSON.stringify([row.hash, row.user_id, row.max_access, row.sources, row.expires_at, row.purpose]);
}

type KeyColumns = Pick<
  Selectable<ApiKeyTable>,
  'hash' | 'user_id' | 'max_access' | 'sources' | 'expires_at' | 'purpose'
>;

/** Reads one organisation in one transaction; undefined when there is none of that id. */
export async function readOrganisation(
  store: Store,
  id: string,
  revision: number,
): Promise<OrganisationSnapshot | undefined> {
  return store.snapshot((transaction) => organisationIn(transaction, id, revision));
}

/** The same within a transaction that does more. */
export async function organisationIn(
  transaction: Transaction<Tables>,
  id: string,
  revision: number,
): Promise<OrganisationSnapshot | undefined> {
  const rows = await selectAll(transaction, id);
  if (rows.organisation === undefined) return undefined;
  const levels = Map.groupBy(rows.levels, ({ subject }) => subject);
  const connections = Map.groupBy(rows.connections, ({ user_id }) => user_id);
  const roles = Map.groupBy(rows.userRoles, ({ user_id }) => user_id);
  const acting = Map.groupBy(rows.actingUsers, ({ user_id }) => user_id);
  const users = rows.users.map(({ id: user, status, tools, created_at }): [string, UserSnapshot] => [
    user,
    {
      active: status === 'active',
      since: readTime(created_at),
      tools: readTools(tools),
      roles: (roles.get(user) ?? []).map(({ role }) => role).sort(),
      levels: byScope(levels.get(user)),
      connections: connections.get(user) ?? [],
      actingAs: new Map(
        (acting.get(user) ?? []).map(({ connection_id, provider_user_id }) => [
          connection_id,
          provider_user_id,
        ]),
      ),
    },
  ]);
  return {
    revision,
    since: readTime(rows.organisation.created_at),
    features: readNames(rows.organisation.features) ?? [],
    tools: readTools(rows.organisation.tools),
    permissions: new Map(rows.roles.map(({ name, permissions }) => [name, readNames(permissions) ?? []])),
    levels: byScope(levels.get('')),
    connections: connections.get(null) ?? [],
    users: new Map(users),
    keys: new Map(
      rows.keys.map((row) => [
        row.id,
        {
          user: row.user_id,
          expiresAt: row.expires_at === null ? null : readTime(row.expires_at),
          record: keyRecord(row),
        },
      ]),
    ),
  };
}

async function selectAll(transaction: Transaction<Tables>, id: string) {
  const members = transaction.selectFrom('users').select('id').where('organisation_id', '=', id);
  const organisation = await transaction
    .selectFrom('organisations')
    .select(['tools', 'features', 'created_at'])
    .where('id', '=', id)
    .executeTakeFirst();
  const users = await transaction
    .selectFrom('users')
    .select(['id', 'status', 'tools', 'created_at'])
    .where('organisation_id', '=', id)
    .execute();
  const roles = await transaction
    .selectFrom('roles')
    .select(['name', 'permissions'])
    .where('organisation_id', '=', id)
    .execute();
  const userRoles = await transaction
    .selectFrom('user_roles')
    .selectAll()
    .where('user_id', 'in', members)
    .execute();
  const keys = await transaction
    .selectFrom('api_keys')
    .select(['id', 'user_id', 'expires_at', 'hash', 'max_access', 'sources', 'purpose'])
    .where('organisation_id', '=', id)
    .where('revoked_at', 'is', null)
    .execute();
  const levels = await transaction
    .selectFrom('access_levels')
    .select(['subject', 'scope', 'level'])
    .where('organisation_id', '=', id)
    .execute();
  const connections = await transaction
    .selectFrom('connections')
    .selectAll()
    .where('organisation_id', '=', id)
    .execute();
  const actingUsers = await transaction
    .selectFrom('acting_users')
    .selectAll()
    .where('user_id', 'in', members)
    .execute();
  return { organisation, users, roles, userRoles, keys, levels, connections, actingUsers };
}

function byScope(
  rows: readonly { readonly scope: string; readonly level: string }[] = [],
): ReadonlyMap<string, string> {
  return new Map(rows.map(({ scope, level }) => [scope, level]));
}
