import type { LiveCatalog } from '../../catalog/live-catalog.ts';
import type { GrantSource, ToolChoice } from '../../operations/index.ts';
import type { AccessRecords, OrganisationAccess } from '../../principals/access/access-records.ts';
import type { Directory } from '../../principals/directory/directory.ts';
import type { ExplainingParts } from './explained.ts';
import type { GovernedGrants } from './governed-grants.ts';

export interface AccessParts extends ExplainingParts {
  readonly catalog: Pick<LiveCatalog, 'current'>;
  readonly grants: Pick<GovernedGrants, 'fresh' | 'over' | 'sources'>;
  /** Absent where a gateway has no users. */
  readonly directory: Directory | undefined;
  /** Where neither user nor organisation says. */
  readonly tools: ToolChoice;
}

/** What the parts of this folder work with. */
export interface AccessContext extends AccessParts {
  /** Throws `not_found` where a gateway keeps no organisations. */
  records(): AccessRecords;
  /** Grants as these records give them, with the roles of services and the features that are on. */
  grantsOf(access: OrganisationAccess): GrantSource;
}
