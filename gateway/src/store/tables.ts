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
  approvals: ApprovalTable;
  standing_approvals: StandingApprovalTable;
  signing_keys: SigningKeyTable;
  artifacts: ArtifactTable;
  webhooks: WebhookTable;
  webhook_dead_letters: DeadLetterTable;
  budget_counters: BudgetCounterTable;
  taints: TaintTable;
  activated_tools: ActivatedToolTable;
  features: FeatureTable;
  sessions: SessionTable;
  tasks: TaskTable;
  task_notices: TaskNoticeTable;
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
  /** `approve`: it decides approvals and nothing else; null: an ordinary key. */
  purpose: string | null;
  /** To the minute; null: not yet. */
  last_used_at: number | null;
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
  /** Whom the credential is for; null: the source has no provider, or an older version wrote it. */
  provider: string | null;
  /** Since when calls find that it has to be connected anew; null: the last one found it good. */
  reconnect_since: number | null;
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

/** One row a call. Never messages, arguments or personal data. */
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

/** What one subject has used of one budget within one window. */
export interface BudgetCounterTable {
  budget: string;
  /** Whom it counts by: `principal:ann`, `run:ann:r1`, `organisation:acme`. */
  subject: string;
  /** 0 for a budget that lasts as long as its run. */
  window_start: number;
  organisation_id: string | null;
  principal_id: string | null;
  run_id: string | null;
  calls: number;
  nanodollars: number;
  bytes: number;
  /** JSON of what the budget allowed when it was last used. */
  terms: string;
  /** From then on the row means nothing. */
  ends_at: number;
}

/** To whom untrusted content of a source was delivered, and how long that counts. */
export interface TaintTable {
  principal_id: string;
  /** `` for calls that belong to none. */
  run_id: string;
  source: string;
  ends_at: number;
}

/** An operation that a principal found, and that its list shows since then. */
export interface ActivatedToolTable {
  principal_id: string;
  /** Key of the operation, `source/id`. */
  operation: string;
  source: string;
  activated_at: number;
  /** What was used longest ago drops out first, and unused ones end. */
  used_at: number;
}

/** A feature that was switched at run time; all others are as configured. */
export interface FeatureTable {
  /** `<source>.<feature>` */
  name: string;
  enabled: number;
  changed_at: number;
  /** Id of the principal. */
  changed_by: string;
}

/** Increases with every change of a scope: `organisation:<id>`, `catalog`, `keys`, `features`, `activated:<principal>`. */
export interface RevisionTable {
  scope: string;
  revision: number;
}

/** A stored full output; its bytes lie in the artifact directory or the object store. */
export interface ArtifactTable {
  /** 128 bits in hex, from owner, type, operation and bytes: the same output is kept once. */
  id: string;
  /** Whose call it came from; empty: the operator's. */
  owner: string;
  /** Whose answer it is, `source/id`; empty: an older version wrote the row. */
  operation: Generated<string>;
  /** SHA-256 of the bytes, hex. */
  hash: string;
  mime_type: string;
  /** A file name for people. */
  name: string;
  size: number;
  /** Name of the bytes where they lie. */
  blob: string;
  /** Where they were written: an absolute path, or the address of a bucket; empty: an older version wrote the row. */
  place: Generated<string>;
  /** 1 when the bytes are there; 2 when the artifact was removed, and its bytes may be there still. */
  ready: number;
  created_at: number;
  expires_at: number;
}

/** How far a webhook has come; one process at a time delivers. */
export interface WebhookTable {
  /** From the configuration. */
  name: string;
  /** Sequence of the last event that was delivered or is none for it. */
  cursor: number;
  /** Attempts at the event behind the cursor that failed. */
  attempts: number;
  /** No attempt before. */
  next_at: number;
  /** `active`, or `failing` once the attempts are used up. */
  state: string;
  /** Why the last attempt failed; never an answer's body. */
  error: string | null;
  /** Process that delivers; it may until `leased_until`. */
  leased_by: string | null;
  leased_until: number;
  updated_at: number;
}

/** An event that a webhook's receiver refused for good. */
export interface DeadLetterTable {
  webhook: string;
  sequence: number;
  attempts: number;
  error: string;
  created_at: number;
}

/** A pending or taken human decision. Arguments are never kept, but for those that a person wrote. */
export interface ApprovalTable {
  id: string;
  state: string;
  principal_id: string;
  organisation_id: string | null;
  /** What the call belongs to; `` for none. Equal calls of different runs are asked for separately. */
  run: string;
  tool: string;
  source: string;
  operation: string;
  access: string;
  definition: string;
  arguments_hash: string;
  policy: string;
  /** JSON, redacted. */
  preview: string;
  reason: string;
  /** What an agreement from then on would cover: `tool`, `arguments`, `never`, `skill`. */
  standing: string;
  /** JSON of what a person agrees to about a skill; null: no skill is a reason to ask. */
  agreement: string | null;
  call_id: string;
  created_at: number;
  expires_at: number;
  decided_at: number | null;
  decided_by: string | null;
  channel: string | null;
  note: string | null;
  /** JSON of the arguments that a person wrote instead; emptied when the call has ended. */
  edited: string | null;
  used_call: string | null;
  /** How often the call that uses it went on after a question to its client. */
  rounds: number;
  /** When the caller was told that it was denied or has expired. */
  told_at: number | null;
}

/** Decisions that hold until they are revoked; revoked ones are deleted. */
export interface StandingApprovalTable {
  id: string;
  principal_id: string;
  organisation_id: string | null;
  tool: string;
  source: string;
  operation: string;
  definition: string;
  /** Null: whatever the arguments. */
  arguments_hash: string | null;
  /** Id of a skill whose tools it covers; null: it covers the tool. */
  skill: string | null;
  /** JSON of what was agreed to about that skill. */
  agreement: string | null;
  approval_id: string;
  created_at: number;
  created_by: string;
  channel: string;
}

/** Secrets that the processes of one store share. */
export interface SigningKeyTable {
  name: string;
  /** 256 random bits in hex. */
  secret: string;
  created_at: number;
}

/** A browser that is signed in. No row holds anything with which somebody could sign in. */
export interface SessionTable {
  /** SHA-256 of the secret in the browser's cookie, hex. */
  id: string;
  /** JSON: what it was opened with, by which it is looked up again. */
  credential: string;
  /** JSON of a second credential that decides approvals; null: none. */
  approver: string | null;
  created_at: number;
  used_at: number;
}

/** A call that goes on after its request was answered (MCP extension Tasks). */
export interface TaskTable {
  id: string;
  /** JSON of whoever called. */
  owner: string;
  /** Which process carries it out. */
  process_id: string;
  status: string;
  message: string | null;
  /** JSON: open questions, result or error; null: none. */
  content: string | null;
  /** Of which source strangers' words stand in it; empty: nobody knows of which; null: none do. */
  source: string | null;
  created_at: number;
  updated_at: number;
  expires_at: number;
}

/** What a task's client told another process than the one that carries it out. */
export interface TaskNoticeTable {
  number: Generated<number>;
  task_id: string;
  process_id: string;
  /** JSON. */
  body: string;
}
