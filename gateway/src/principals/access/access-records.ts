import type { AccessLevel, Principal } from '../../operations/index.ts';
import type { OfOrganisation } from '../directory/records.ts';
import type { OrganisationSnapshot } from '../grants/organisation-snapshot.ts';

/** A person as a row of the access matrix. */
export interface Person {
  readonly id: string;
  readonly name: string;
  readonly status: 'active' | 'disabled';
  /** As set, before anything is made of them; sorted. */
  readonly roles: readonly string[];
}

/** Everything that decides what the people of one organisation may do, as one state. */
export interface OrganisationAccess {
  readonly organisation: string;
  /**
   * Equal versions: no level, role, feature or status that the caller may see was changed. Keys, accounts and names
   * do not count.
   */
  readonly version: string;
  /** Those that the caller may see, by name. */
  readonly people: readonly Person[];
  /** The caller is the operator or an admin of it. */
  readonly manages: boolean;
  readonly snapshot: OrganisationSnapshot;
}

/** One edit; the later one of the same thing counts. */
export type AccessChange =
  | {
      readonly kind: 'level';
      /** Null or absent: what the organisation allows; else that user's choice. */
      readonly user?: string | null | undefined;
      readonly scope: string;
      /** Null takes the level away, and access with it. */
      readonly level: AccessLevel | null;
    }
  | {
      readonly kind: 'user';
      readonly user: string;
      readonly roles?: readonly string[] | undefined;
      readonly status?: 'active' | 'disabled' | undefined;
    }
  | { readonly kind: 'feature'; readonly feature: string; readonly enabled: boolean };

export interface AccessChanges extends OfOrganisation {
  /** What the edits were made from; absent: whatever is there now. Throws `record_conflict` when it is another. */
  readonly version?: string | undefined;
  readonly changes: readonly AccessChange[];
}

/** Who may see and change what is the same as with the single records. */
export interface AccessRecords {
  read(by: Principal, filter?: OfOrganisation): Promise<OrganisationAccess>;
  /** What would stand there after the changes; nothing is written. */
  propose(
    by: Principal,
    input: AccessChanges,
  ): Promise<{ readonly before: OrganisationAccess; readonly after: OrganisationAccess }>;
  /** All of them or none, in force at the next call everywhere. */
  save(by: Principal, input: AccessChanges): Promise<OrganisationAccess>;
}
