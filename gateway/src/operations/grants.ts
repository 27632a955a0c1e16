import type { AccessLevel, ConnectionStatus } from './access-level.ts';
import type { ConnectionCredentials } from './credential-settings.ts';
import type { Principal } from './principal.ts';

/** Which tools a gateway or a principal is offered for a category: the generic ones, the provider's own, or both. */
export type ToolChoice = 'static' | 'dynamic' | 'both';

/** The account that a principal's calls of one source go to. Merged over what the configuration says. */
export interface Account {
  /** Id of the connection record; limits and breakers are kept by it. */
  readonly id: string;
  readonly owner: 'organisation' | 'user';
  readonly region?: string;
  readonly baseUrl?: string;
  readonly serverVariables?: Readonly<Record<string, string>>;
  /** By reference; never a secret. */
  readonly credentials?: ConnectionCredentials;
  /** The principal's own user id at the provider, for On-Behalf-Of and its like. */
  readonly actingUser?: string;
}

/** What one principal may do with one source, and every factor that led there. */
export interface SourceGrant {
  /** The effective level: min(admin, user) when connected. */
  readonly level: AccessLevel;
  /** What levels are set by, e.g. `ats`. */
  readonly category: string;
  /** What the organisation's admin allows; null: nothing was set, or it cannot be read. */
  readonly admin: AccessLevel | null;
  /** What the user chose. */
  readonly user: AccessLevel | null;
  readonly connection: ConnectionStatus;
  /** `list`: its tools are seen without a connected account, and calls end as `connection_missing`. Default `hide`. */
  readonly whenUnauthenticated?: 'hide' | 'list';
  /** Why, for `explain`: which rows set the levels, which connection was found. */
  readonly reasons?: {
    readonly admin?: string;
    readonly user?: string;
    readonly connection?: string;
    /** Why the service gave no roles. */
    readonly roles?: string;
  };
  /** Absent: the account that the configuration names. */
  readonly account?: Account;
  /** Roles that the service itself says this account holds (a probe); absent: it is not asked. Upper case. */
  readonly roles?: readonly string[];
  /** Those of them that hold every permission of the service; default ADMIN and ADMINISTRATOR. */
  readonly adminRoles?: readonly string[];
  /** The source holds skills: whether their tools are there, and for whom. Absent: it holds none. */
  readonly skills?: SkillGate;
}

/** Who sees tools of skills, by `policy.skills`. */
export interface SkillGate {
  readonly enabled: boolean;
  /** One of them must be held; absent: nobody is asked. */
  readonly roles?: readonly string[];
}

/** What a principal may do, as of one moment. Immutable. */
export interface Grants {
  readonly principal: Principal;
  /** Equal stamps mean equal grants: views are kept by it. */
  readonly stamp: string;
  /** Roles held now, the store's and the credential's. */
  readonly roles: readonly string[];
  readonly permissions: readonly string[];
  /** Features that are switched on. */
  readonly features: readonly string[];
  /**
   * Milliseconds since the epoch: since when the id is this user's; of an admin, since when the organisation's id is
   * this organisation's. What was done under it before was a removed one's. Absent for who is no user of the store.
   */
  readonly since?: number;
  readonly tools: ToolChoice;
  /** Undefined: nothing is granted. */
  source(name: string): SourceGrant | undefined;
}

/** Where grants come from: the configuration alone, or the store. */
export interface GrantSource {
  /**
   * As of now: asks the store whether anything changed. Throws `unauthorized` when the key was revoked or has
   * expired, `store_unavailable` when the store cannot be asked. A promise only where waiting is needed. With a source, only that one's service is waited for.
   */
  fresh(principal: Principal, source?: string): Grants | Promise<Grants>;
  /** The newest that this process knows, without asking; nothing is granted to whom it does not know. */
  known(principal: Principal): Grants;
  /**
   * Somebody's grants changed, here or in another process; told within a second. With an organisation only those of
   * its users did.
   */
  onChange(listener: (organisation?: string) => void): () => void;
}
