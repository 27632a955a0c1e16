import { ToolcribError } from '../../errors.ts';
import { createSnapshotGrants } from '../../principals/snapshot-grants.ts';
import type { AccessAdministration, PreviewedPerson } from '../../server/http/access-administration.ts';
import type { AccessContext, AccessParts } from './access-context.ts';
import { matrixOfCaller, matrixOfTeam } from './access-matrix.ts';
import { explainedOperations } from './explained-operations.ts';
import { eachGrants } from './people-grants.ts';
import { createPreviews } from './preview-people.ts';

/** Milliseconds of comparing before others get their turn. */
const SLICE_MS = 20;

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
      const people: PreviewedPerson[] = [];
      let until = performance.now() + SLICE_MS;
      for (const [index, [person, own]] of now.entries()) {
        const previewed = previewOf(person, own, then[index]![1]);
        if (previewed !== undefined) people.push(previewed);
        if (performance.now() < until) continue;
        // a large organisation with many operations takes seconds; calls go on meanwhile
        await new Promise((resolve) => setImmediate(resolve));
        until = performance.now() + SLICE_MS;
      }
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
