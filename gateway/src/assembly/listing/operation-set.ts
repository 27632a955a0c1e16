import type { CatalogEntry } from '../../catalog/catalog.ts';
import type { Grants, OperationHit, OperationQuery, VisibleOperation } from '../../operations/index.ts';
import type { OperationSet, SourceFacts } from '../../topology/topology.ts';

/** Ranks operations of one set; the index behind it belongs to the catalog. */
export type SearchSet = (
  set: OperationSet,
  query: OperationQuery,
  signal: AbortSignal | undefined,
) => Promise<readonly OperationHit[]>;

/** What one principal may call of some sources, sorted by tool name. */
export function operationSet(
  operations: readonly CatalogEntry[],
  sources: readonly SourceFacts[],
  grants: Grants,
  search: SearchSet,
  taken: ReadonlySet<string>,
): OperationSet {
  let names: ReadonlyMap<string, VisibleOperation> | undefined;
  const set: OperationSet = {
    operations,
    taken,
    sources: sources.filter(({ name }) => operations.some(({ source }) => source === name)),
    find(name) {
      names ??= byName(operations);
      return names.get(name);
    },
    search: (query, signal) => search(set, query, signal),
    roles: (source) => grants.source(source)?.roles ?? grants.roles.map((role) => role.toUpperCase()),
  };
  return set;
}

/** Keys and tool names first; an id where one source alone has it. */
function byName(operations: readonly VisibleOperation[]): ReadonlyMap<string, VisibleOperation> {
  const ids = Map.groupBy(operations, ({ facts }) => facts.id);
  const names = new Map<string, VisibleOperation>();
  for (const [id, [first, ...more]] of ids)
    if (more.length === 0 && first !== undefined) names.set(id, first);
  for (const operation of operations) names.set(operation.name, operation);
  for (const operation of operations) names.set(operation.operation, operation);
  return names;
}
