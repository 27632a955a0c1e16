import type {
  AccessLevel,
  AdminEvent,
  ApprovalEvent,
  ConnectionCredentials,
  NangoCredential,
  Principal,
  ToolChoice,
} from '../../operations/index.ts';
import type { SourceAccess } from '../../policy/source-access.ts';
import type { Store } from '../../store/store.ts';
import type { AccessRecords } from '../access/access-records.ts';
import type {
  ActingUser,
  ApiKey,
  ConnectionRecord,
  CreatedKey,
  KeyAccess,
  Level,
  OfOrganisation,
  Organisation,
  Role,
  User,
} from './records.ts';

/**
 * Organisations and what belongs to them, for the HTTP API and the command line. Every function takes who asks:
 * the operator (local process, server token) may do everything; an admin what concerns the own organisation; a
 * user may read the own records, choose own levels and connect own accounts. What belongs to somebody else is
 * `record_unknown`, as if it were not there. Throws `admin_needed`, `organisation_missing`, `record_unknown`,
 * `record_invalid` (with the pointer of the member), `record_conflict`, `unauthorized`.
 *
 * `organisation` in an input may be left out by everybody but the operator: it is the caller's own.
 */
export interface Directory {
  readonly organisations: Organisations;
  readonly users: Users;
  readonly roles: Roles;
  readonly keys: Keys;
  readonly levels: Levels;
  readonly connections: Connections;
  readonly actingUsers: ActingUsers;
  /** What grants of an organisation are made of, as one state, and several changes of it at once. */
  readonly access: AccessRecords;
}

/** Members that are absent stay as they are. */
type Changes<T> = { readonly [K in keyof T]?: T[K] | undefined };

export interface Organisations {
  /** The operator's: all; anybody else's: the own one. By id. */
  list(by: Principal): Promise<readonly Organisation[]>;
  get(by: Principal, id: string): Promise<Organisation>;
  /** Operator only. Sets the default levels and the role `admin`. */
  create(by: Principal, input: OrganisationInput): Promise<Organisation>;
  update(by: Principal, id: string, changes: OrganisationChanges): Promise<Organisation>;
  /** Operator only. Takes users, keys, levels and connections along. */
  remove(by: Principal, id: string): Promise<void>;
}

export interface OrganisationInput {
  /** Default: a random one. Sign-in tokens name it, so it may be the identity provider's. */
  readonly id?: string | undefined;
  readonly name: string;
  readonly tools?: ToolChoice | null | undefined;
  readonly features?: readonly string[] | undefined;
}
export type OrganisationChanges = Changes<Omit<OrganisationInput, 'id'>>;

export interface Users {
  /** An admin's: all of the organisation; a user's: the own record. The operator without organisation: all. */
  list(by: Principal, filter?: OfOrganisation): Promise<readonly User[]>;
  /** The same people by name alone; `all`: everybody of the organisation, for whom decides about their calls. */
  names(by: Principal, all: boolean): Promise<ReadonlyArray<Pick<User, 'id' | 'name'>>>;
  get(by: Principal, id: string): Promise<User>;
  create(by: Principal, input: UserInput): Promise<User>;
  update(by: Principal, id: string, changes: UserChanges): Promise<User>;
  remove(by: Principal, id: string): Promise<void>;
  /** The user as a principal, for `explain --as`. Oneself, or a user of the own organisation for an admin. */
  principal(by: Principal, id: string): Promise<Principal>;
}

export interface UserInput {
  /** Operator only; default: a random one. */
  readonly id?: string | undefined;
  /** The operator may give null: a user without organisation. */
  readonly organisation?: string | null | undefined;
  readonly name: string;
  readonly email?: string | null | undefined;
  readonly subject?: string | null | undefined;
  readonly tools?: ToolChoice | null | undefined;
  readonly roles?: readonly string[] | undefined;
}
/** Moving to another organisation is the operator's, and leaves roles, keys, levels and connections behind. */
export type UserChanges = Changes<Omit<UserInput, 'id'>> & {
  readonly status?: 'active' | 'disabled' | undefined;
};

export interface Roles {
  list(by: Principal, filter?: OfOrganisation): Promise<readonly Role[]>;
  /** Creates the role or replaces its permissions. */
  set(by: Principal, input: RoleInput): Promise<Role>;
  /** `admin` stays: `record_conflict`. */
  remove(by: Principal, name: string, filter?: OfOrganisation): Promise<void>;
}
export interface RoleInput {
  readonly organisation?: string | undefined;
  readonly name: string;
  readonly permissions: readonly string[];
  /** What the role held when the change was made, null: it was not there; absent: whatever is there now. Throws `record_conflict` when it is another. */
  readonly before?: readonly string[] | null | undefined;
}

export interface Keys {
  /** A user's: the own keys. Revoked and expired ones included. */
  list(
    by: Principal,
    filter?: OfOrganisation & { readonly user?: string | undefined },
  ): Promise<readonly ApiKey[]>;
  get(by: Principal, id: string): Promise<ApiKey>;
  /** For a user of the organisation; never more than the key that asks allows itself. */
  create(by: Principal, input: KeyInput): Promise<CreatedKey>;
  /** In force at the next call everywhere. Users may revoke their own. Revoking twice changes nothing. */
  revoke(by: Principal, id: string): Promise<ApiKey>;
}
export interface KeyInput {
  readonly user: string;
  readonly name: string;
  /** Default `delete`: the levels decide. */
  readonly maxAccess?: KeyAccess | undefined;
  /** `approve`: it decides approvals and calls no tool. */
  readonly purpose?: 'approve' | undefined;
  readonly sources?: readonly string[] | null | undefined;
  /** Default 90. */
  readonly expiresInDays?: number | undefined;
}

export interface Levels {
  /** `user` null: the organisation's; absent: all that the caller may see. */
  list(
    by: Principal,
    filter?: OfOrganisation & { readonly user?: string | null | undefined },
  ): Promise<readonly Level[]>;
  set(by: Principal, input: LevelInput): Promise<Level>;
  /** What has no level has none: this withdraws access. */
  remove(by: Principal, input: Omit<LevelInput, 'level'>): Promise<void>;
}
export interface LevelInput {
  readonly organisation?: string | undefined;
  /** Null or absent: what the admin allows; else that user's choice. */
  readonly user?: string | null | undefined;
  readonly scope: string;
  readonly level: AccessLevel;
}

export interface Connections {
  /** A user's: the organisation's and the own ones. */
  list(
    by: Principal,
    filter?: OfOrganisation & { readonly source?: string | undefined },
  ): Promise<readonly ConnectionRecord[]>;
  get(by: Principal, id: string): Promise<ConnectionRecord>;
  create(by: Principal, input: ConnectionInput): Promise<ConnectionRecord>;
  update(by: Principal, id: string, changes: ConnectionChanges): Promise<ConnectionRecord>;
  remove(by: Principal, id: string): Promise<void>;
}
export interface ConnectionInput {
  readonly organisation?: string | undefined;
  /** Whose own it is; null or absent: the organisation's, which only an admin may make. */
  readonly user?: string | null | undefined;
  readonly source: string;
  /** Default: the source's name. */
  readonly name?: string | undefined;
  /** Default `connected` with credentials, else `unauthenticated`. */
  readonly status?: 'connected' | 'unauthenticated' | 'disabled' | undefined;
  readonly region?: string | null | undefined;
  /** Operator only: it decides where the credential is sent. */
  readonly baseUrl?: string | null | undefined;
  /**
   * The operator: any reference. Others: `{ nango: { integration, connection } }` of the source's own
   * integration, whose connection is theirs: named `USERID:…`, or confirmed by `ownsNangoConnection`.
   */
  readonly credentials?: ConnectionCredentials | null | undefined;
}
export type ConnectionChanges = Changes<Omit<ConnectionInput, 'organisation' | 'user' | 'source'>>;

export interface ActingUsers {
  list(by: Principal, connection: string): Promise<readonly ActingUser[]>;
  /** Admins only: it decides as whom the provider sees the user. */
  set(by: Principal, input: ActingUser): Promise<ActingUser>;
  remove(by: Principal, input: Omit<ActingUser, 'providerUser'>): Promise<void>;
}

export interface DirectoryOptions {
  readonly store: Store;
  /** Levels of new organisations and users, by category; `*` for the others (`policy.defaults`). */
  readonly defaults: {
    readonly organisation: Readonly<Record<string, AccessLevel>>;
    readonly user: Readonly<Record<string, AccessLevel>>;
  };
  /** What is known of each configured source now. */
  readonly sources: () => Readonly<Record<string, SourceAccess>>;
  /** Whether a Nango connection belongs to this user or organisation; absent: only the naming counts. */
  readonly ownsNangoConnection?: (
    credential: NangoCredential,
    owner: {
      readonly organisation: string;
      readonly user: string | null;
      readonly source: string;
      readonly asking: string;
    },
  ) => Promise<boolean>;
  /** The longest life of a key, days; default 366. */
  readonly maxKeyDays?: number;
  /** Told of every change after it was committed. */
  readonly record?: (event: AdminEvent | ApprovalEvent) => void | Promise<void>;
  readonly now?: () => number;
}
