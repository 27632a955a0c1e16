import { ToolcribError } from '../../errors.ts';
import { type Principal, reachesSource } from '../../operations/index.ts';
import { createSnapshotGrants } from '../../principals/grants/snapshot-grants.ts';
import type { AccessAdministration, PreviewedPerson } from '../../server/http/admin/access-administration.ts';
import { inSlices } from '../in-slices.ts';
import type { AccessContext, AccessParts } from './access-context.ts';
import { matrixOfCaller, matrixOfTeam } from './access-matrix.ts';
import { explainedOperations } from './explained-operations.ts';
import { eachGrants } from './people-grants.ts';
import { createPreviews } from './preview-people.ts';

/** The matrix by the same policy that lists and calls ask; what would be, by the same from proposed records. */
export function createAccessAdministration(parts: AccessParts): AccessAdministration {
  const { grants, directory, tools } = parts;
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
        ? matrixOfCaller(reachedBy(context, by), by, query)
        : matrixOfTeam(reachedBy(context, by), by, query),
    operations: (by, query) => explainedOperations(reachedBy(context, by), by, query),
    async preview(by, changes) {
      const { before, after } = await context.records().propose(by, changes);
      const { entries, sources } = reachedBy(context, by).catalog.current;
      const previewOf = createPreviews(
        sources.map(({ name }) => name),
        entries,
      );
      const now = await eachGrants(before, before.people, context.grantsOf(before));
      const then = await eachGrants(after, before.people, context.grantsOf(after));
      const people: PreviewedPerson[] = [];
      await inSlices(now.entries(), ([index, [person, own]]) => {
        const previewed = previewOf(person, own, then[index]![1]);
        if (previewed !== undefined) people.push(previewed);
      });
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

/** Without the sources that the caller's credential is not good for. */
function reachedBy(context: AccessContext, by: Principal): AccessContext {
  if (by.sources === undefined) return context;
  const { current } = context.catalog;
  const sources = current.sources.filter(({ name }) => reachesSource(by, name));
  const entries = current.entries.filter(({ source }) => reachesSource(by, source));
  return { ...context, catalog: { current: { ...current, sources, entries } } };
}
