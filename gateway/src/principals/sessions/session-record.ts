/**
 * What a session was opened with, and by which it is looked up again at every request. Never the credential itself:
 * a `proof` is an HMAC over it whose key is the session's secret, which only the browser has.
 */
export type SessionCredential =
  /** A one-time code of the machine, whose key the proof is of; the server's token; the approver token. */
  { readonly kind: 'owner' | 'token' | 'approver'; readonly proof: string } | UserReference;

/** A user's credential without anything secret. */
export type UserReference =
  /** Id of an API key. */
  | { readonly kind: 'key'; readonly id: string }
  /** What a sign-in token said, good until it expires; milliseconds since the epoch. */
  | {
      readonly kind: 'sign-in';
      /** Of the console, where a person signed in at the provider for it. Absent: somebody showed the token. */
      readonly client?: string;
      readonly issuer: string;
      readonly subject: string;
      readonly organisation?: string;
      readonly roles: readonly string[];
      readonly expiresAt: number;
    };

export interface SessionRecord {
  /** SHA-256 of the session's secret, hex. */
  readonly id: string;
  readonly credential: SessionCredential;
  /** A second credential, which decides approvals and nothing else. */
  readonly approver?: SessionCredential;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly usedAt: number;
}

/** Sessions that began or were used since then; what is older has ended. Milliseconds since the epoch. */
export interface SessionLimits {
  readonly createdAfter: number;
  readonly usedAfter: number;
}

/** Where sessions are kept: in the store for all its processes, or in this process. Throws `store_unavailable`. */
export interface SessionRecords {
  /** Removes those that have ended, too, and of one credential the least recently used beyond a hundred. */
  insert(record: SessionRecord, limits: SessionLimits): Promise<void>;
  /** Undefined: it was never there, or has ended. */
  get(id: string, limits: SessionLimits): Promise<SessionRecord | undefined>;
  /** Those that have not ended, the last used first. */
  list(limits: SessionLimits): Promise<readonly SessionRecord[]>;
  use(id: string, at: number): Promise<void>;
  /** False where it was gone. */
  remove(id: string): Promise<boolean>;
}
