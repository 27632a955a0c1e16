import type { LiveCatalog } from '../../catalog/live-catalog.ts';
import { ToolcribError } from '../../errors.ts';
import type { GrantSource, ToolChoice } from '../../operations/index.ts';
import type { AccessRecords, OrganisationAccess } from '../../principals/access-records.ts';
import type { Directory } from '../../principals/directory.ts';
import { createSnapshotGrants } from '../../principals/snapshot-grants.ts';
import type { AccessAdministration } from '../../server/http/access-administration.ts';
import type { GovernedGrants } from '../governed-grants.ts';
import { matrixOfCaller, matrixOfTeam } from './access-matrix.ts';
import { explainedOperations } from './explained-operations.ts';
import { eachGrants } from './people-grants.ts';
import { createPreviews } from './preview-people.ts';

export interface AccessParts {
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

/** The matrix by the same policy that lists and calls ask; what would be, by the same from proposed records. */
export function createAccessAdministration(parts: AccessParts): AccessAdministration {
  const { catalog, grants, directory, tools } = parts;
  const context: AccessContext = {
    ...parts,
    records() {
      if (directory !== undefined) return directory.access;
      throw new ToolcribError(
        'not_found',
        'This gateway keeps no organisations: it is not set up for a team.',
      );
    },
    grantsOf: ({ snapshot }) =>
      grants.over(createSnapshotGrants(snapshot, { sources: grants.sources(), tools })),
  };
  return {
    matrix: (by, query) =>
      directory === undefined && query.organisation === undefined
        ? matrixOfCaller(context, by, query)
        : matrixOfTeam(context, by, query),
    operations: (by, query) => explainedOperations(context, by, query),
    async preview(by, changes) {
      const { before, after } = await context.records().propose(by, changes);
      const { entries, sources } = catalog.current;
      const previewOf = createPreviews(
        sources.map(({ name }) => name),
        entries,
      );
      const now = await eachGrants(before, before.people, context.grantsOf(before));
      const then = await eachGrants(after, before.people, context.grantsOf(after));
      const people = now.flatMap(([person, own], index) => previewOf(person, own, then[index]![1]) ?? []);
      return {
        organisation: before.organisation,
        version: before.version,
        people,
        unchanged: now.length - people.length,
      };
    },
    async save(by, changes) {
      const { version } = await context.records().save(by, changes);
      return { version };
    },
  };
}
