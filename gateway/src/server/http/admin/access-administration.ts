import type { AccessLevel, ConnectionStatus, Principal, ToolExplanation } from '../../../operations/index.ts';
import type { AccessChanges, Person } from '../../../principals/access/access-records.ts';

/**
 * Who may do what, as of now and as it would be. An admin sees the own organisation, the operator every one, a user
 * the own row. Throws what the directory throws: `admin_needed`, `record_unknown`, `record_invalid`,
 * `record_conflict`, `organisation_missing`; `not_found` where a gateway keeps no organisations and one is named.
 */
export interface AccessAdministration {
  matrix(by: Principal, query: MatrixQuery): Promise<AccessMatrix>;
  /** Every factor of every operation for one person. */
  operations(by: Principal, query: OperationsQuery): Promise<OperationsPage>;
  /** What changes would bring, before they are saved. Nothing is written. */
  preview(by: Principal, changes: AccessChanges): Promise<AccessPreview>;
  /** All changes or none. */
  save(by: Principal, changes: AccessChanges): Promise<{ readonly version: string }>;
}

interface Paged {
  readonly cursor?: string | undefined;
  readonly limit: number;
}

export interface MatrixQuery extends Paged {
  readonly organisation?: string | undefined;
  readonly user?: string | undefined;
  readonly source?: string | undefined;
  /** Part of a name, an id or a role of a person. */
  readonly q?: string | undefined;
}

export interface AccessMatrix {
  /** `team`: levels of an organisation decide. `configuration`: there are no users; one row, the caller. */
  readonly mode: 'team' | 'configuration';
  readonly organisation: string | null;
  /** What edits are made from; absent where nothing can be edited. */
  readonly version?: string;
  /** The caller may edit rows of others and what the organisation allows. */
  readonly manages: boolean;
  /** Features of the organisation that are switched on, and roles that its users can have. */
  readonly features: readonly string[];
  readonly roles: readonly string[];
  readonly sources: readonly MatrixSource[];
  readonly rows: readonly MatrixRow[];
  /** People that fit, on all pages. */
  readonly total: number;
  readonly nextCursor?: string;
}

export interface MatrixSource {
  readonly name: string;
  readonly kind: string;
  readonly category: string;
  readonly connections: 'shared' | 'records';
  /** What the organisation's admin allows; null: nothing is set. */
  readonly allowed: AccessLevel | null;
  /** The scope that set it, or why there is nothing. */
  readonly allowedBy?: string;
  /** Operations that it has. */
  readonly operations: number;
}

export interface MatrixRow extends Person {
  /** Held now: those of the store that exist. */
  readonly held: readonly string[];
  readonly permissions: readonly string[];
  readonly features: readonly string[];
  /** In the order of the sources. */
  readonly cells: readonly MatrixCell[];
}

export interface MatrixCell {
  readonly source: string;
  /** The effective level. */
  readonly level: AccessLevel;
  readonly admin: AccessLevel | null;
  readonly user: AccessLevel | null;
  readonly connection: ConnectionStatus;
  /** Which rows set the levels, which account was found. */
  readonly reasons: {
    readonly admin?: string;
    readonly user?: string;
    readonly connection?: string;
    readonly roles?: string;
  };
  /** Roles that the service itself gives to the account; absent: it is not asked. */
  readonly serviceRoles?: readonly string[];
  /** Operations that are listed. */
  readonly visible: number;
}

export interface OperationsQuery extends Paged {
  readonly organisation?: string | undefined;
  readonly user?: string | undefined;
  readonly source?: string | undefined;
  /** Part of a tool's name or an operation's id. */
  readonly q?: string | undefined;
  readonly show: 'all' | 'visible' | 'hidden';
}

export interface OperationsPage {
  readonly principal: string;
  readonly operations: readonly ToolExplanation[];
  readonly total: number;
  readonly nextCursor?: string;
  /** For the operator, on the first page: dangerous ones, which nobody calls whatever the other factors say. */
  readonly never?: readonly NeverCallable[];
}

export interface NeverCallable {
  /** Id of the operation. */
  readonly id: string;
  readonly source: string;
  /** `POST /pets/wipe` */
  readonly target: string;
}

export interface AccessPreview {
  readonly organisation: string;
  /** Of what is there now. */
  readonly version: string;
  /** People for whom anything would differ, by name. */
  readonly people: readonly PreviewedPerson[];
  /** People for whom nothing would. */
  readonly unchanged: number;
}

export interface PreviewedPerson {
  readonly id: string;
  readonly name: string;
  readonly gained: number;
  readonly lost: number;
  readonly sources: readonly PreviewedSource[];
}

export interface PreviewedSource {
  readonly source: string;
  /** Effective levels. */
  readonly before: AccessLevel;
  readonly after: AccessLevel;
  readonly gained: PreviewedTools;
  readonly lost: PreviewedTools;
}

export interface PreviewedTools {
  readonly count: number;
  /** The first of them. */
  readonly tools: readonly string[];
}
