import type { Generated } from 'kysely';

/**
 * The store, one interface a table. Times are milliseconds since the epoch, JSON is text, booleans are 0 or 1:
 * the same in every dialect.
 */
export interface Tables {
  organisations: OrganisationTable;
  users: UserTable;
  roles: RoleTable;
  user_roles: UserRoleTable;
  api_keys: ApiKeyTable;
  access_levels: AccessLevelTable;
  connections: ConnectionTable;
  acting_users: ActingUserTable;
  events: EventTable;
  skill_usage_logs: UsageTable;
  processes: ProcessTable;
  rate_slots: RateSlotTable;
  revisions: RevisionTable;
}

export interface OrganisationTable {
  id: string;
  name: string;
  /** `static`, `dynamic`, `both`; null: the configuration's. */
  tools: string | null;
  /** JSON array of the features that are switched on. */
  features: string;
  created_at: number;
}

export interface UserTable {
  id: string;
  /** Null: the user belongs to none and can do nothing. */
  organisation_id: string | null;
  email: string | null;
  name: string;
  /** The identity provider's subject (JWT `sub`), unique where present. */
  subject: string | null;
  /** `active` or `disabled`. */
  status: string;
  tools: string | null;
  created_at: number;
}

/** `admin` is built in: it may manage its organisation. */
export interface RoleTable {
  organisation_id: string;
  name: string;
  /** JSON array. */
  permissions: string;
}

export interface UserRoleTable {
  user_id: string;
  role: string;
}

export interface ApiKeyTable {
  id: string;
  organisation_id: string;
  user_id: string;
  name: string;
  /** SHA-256 of the whole key, hex; unique. The key itself is shown once and kept nowhere. */
  hash: string;
  /** The first characters, to tell keys apart. */
  hint: string;
  /** `read`, `write` or `delete`: the most it allows. */
  max_access: string;
  /** JSON array of source names; null: all. */
  sources: string | null;
  created_at: number;
  expires_at: number | null;
  revoked_at: number | null;
}

export interface AccessLevelTable {
  organisation_id: string;
  /** A user's id, or `` for what the organisation's admin allows. */
  subject: string;
  /** `category:ats`, `category:*`, `source:greenhouse`; a source wins over its category. */
  scope: string;
  /** `read-write`, `read-only`, `disabled`, `none`; anything else means none. */
  level: string;
  updated_at: number;
}

export interface ConnectionTable {
  id: string;
  organisation_id: string;
  /** Null: the organisation's; else the user's own, which wins over the organisation's. */
  user_id: string | null;
  source: string;
  name: string;
  /** `connected`, `unauthenticated`, `disabled`. */
  status: string;
  region: string | null;
  base_url: string | null;
  /** JSON of ConnectionCredentials, references only; null: no credential reference. */
  credentials: string | null;
  created_at: number;
  updated_at: number;
}

/** A user's own id at the provider, for On-Behalf-Of. */
export interface ActingUserTable {
  connection_id: string;
  user_id: string;
  provider_user_id: string;
}

export interface EventTable {
  /** From the database; strictly increasing in commit order. */
  sequence: Generated<number>;
  time: number;
  type: string;
  organisation_id: string | null;
  principal_id: string | null;
  call_id: string | null;
  process_id: string;
  /** JSON of the event's body, redacted. */
  body: string;
}

/** One row a call; the name is the seed's. Never messages, arguments or personal data. */
export interface UsageTable {
  id: Generated<number>;
  time: number;
  /** UTC day, `2026-11-21`. */
  day: string;
  /** The tool's name; `ats-proxy` for the proxy. */
  slug: string;
  organisation_id: string | null;
  user_id: string | null;
  source: string;
  operation: string;
  duration_ms: number;
  /** Null: it succeeded. */
  error_code: string | null;
}

/** A running gateway; one that was not seen for a while has ended, and its open calls get their terminal event. */
export interface ProcessTable {
  id: string;
  /** The machine and its process namespace: only there does `pid` mean something. */
  machine: string;
  pid: number;
  started_at: number;
  seen_at: number;
  /** Every call that this process started below this sequence has its terminal event. */
  open_from: number;
}

/** When each of the last N requests of a rate-limited connection was admitted. */
export interface RateSlotTable {
  connection: string;
  slot: number;
  admitted_at: number;
}

/** Increases with every change of a scope: `organisation:<id>`, `catalog`, `keys`. */
export interface RevisionTable {
  scope: string;
  revision: number;
}
