import type { AccessLevel, ConnectionCredentials, ToolChoice } from '../../operations/index.ts';

/** What the directory answers with: plain JSON, times as ISO 8601 in UTC, no secret anywhere. */

export interface Organisation {
  readonly id: string;
  readonly name: string;
  /** Null: the configuration's. */
  readonly tools: ToolChoice | null;
  /** Features that are switched on. */
  readonly features: readonly string[];
  readonly createdAt: string;
}

export interface User {
  readonly id: string;
  /** Null: the user belongs to none and can do nothing. */
  readonly organisation: string | null;
  readonly name: string;
  readonly email: string | null;
  /** The identity provider's subject. */
  readonly subject: string | null;
  readonly status: 'active' | 'disabled';
  /** Null: the organisation's. */
  readonly tools: ToolChoice | null;
  /** Names of roles of the organisation, sorted. */
  readonly roles: readonly string[];
  readonly createdAt: string;
}

export interface Role {
  readonly organisation: string;
  readonly name: string;
  readonly permissions: readonly string[];
}

export type KeyAccess = 'read' | 'write' | 'delete';

/** An API key without the key. */
export interface ApiKey {
  readonly id: string;
  readonly organisation: string;
  readonly user: string;
  readonly name: string;
  /** Its first characters, to tell keys apart. */
  readonly hint: string;
  readonly maxAccess: KeyAccess;
  /** Sources that it is limited to; null: all. */
  readonly sources: readonly string[] | null;
  /** `approve`: it decides approvals and calls no tool; null: an ordinary key. */
  readonly purpose: 'approve' | null;
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
  /** To the minute; null: not yet. */
  readonly lastUsedAt: string | null;
  /** `active`, or why it is of no use. */
  readonly status: 'active' | 'expired' | 'revoked';
}

export interface CreatedKey {
  readonly record: ApiKey;
  /** The whole key: shown this once, stored nowhere. */
  readonly key: string;
}

/** One level that was set, by an admin for the organisation or by a user as an own choice. */
export interface Level {
  readonly organisation: string;
  /** Null: what the organisation's admin allows. */
  readonly user: string | null;
  /** `category:ats`, `category:*` or `source:greenhouse`. */
  readonly scope: string;
  /** What cannot be read is `none`. */
  readonly level: AccessLevel;
  readonly updatedAt: string;
}

export interface ConnectionRecord {
  readonly id: string;
  readonly organisation: string;
  /** Null: the organisation's; else that user's own. */
  readonly user: string | null;
  readonly source: string;
  readonly name: string;
  readonly status: 'connected' | 'unauthenticated' | 'disabled';
  readonly region: string | null;
  readonly baseUrl: string | null;
  /** References only; null: none, and calls end as `connection_missing`. */
  readonly credentials: ConnectionCredentials | null;
  /** Since when calls find that somebody has to connect the account anew; null: the last one found it good. */
  readonly reconnectSince: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** A user's own id at the provider of a connection. */
export interface ActingUser {
  readonly connection: string;
  readonly user: string;
  readonly providerUser: string;
}

/** Which organisation's; the operator names one, everybody else's is the own. */
export interface OfOrganisation {
  readonly organisation?: string | undefined;
}
