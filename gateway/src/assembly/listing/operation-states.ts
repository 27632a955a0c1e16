import type { Catalog, CatalogEntry } from '../../catalog/catalog.ts';
import type { Grants } from '../../operations/index.ts';
import { isTold, type Teller } from '../../policy/told-entries.ts';
import { explainEntry } from '../../policy/visibility.ts';
import type { ListedOperation, OperationState } from '../../server/http/admin/tool-inspection.ts';
import { isTopologyTool } from '../../topology/topology.ts';
import type { ComputedView } from './views.ts';

/** One operation in front of one principal, as far as it is told to it. */
export interface StatedOperation {
  readonly entry: CatalogEntry;
  readonly state: OperationState;
  readonly through?: string;
  /** Worked out when it is read. */
  readonly hidden?: () => ListedOperation['hidden'];
}

/** Of what a principal may use, the tool that leads there; of the rest, that it is hidden. */
export function operationStates(
  catalog: Catalog,
  view: ComputedView,
  usable: readonly CatalogEntry[],
  grants: Grants,
): readonly StatedOperation[] {
  const listed = new Set(view.tools.map(({ operation }) => operation));
  const mayUse = new Set(usable);
  const through = reachedBy(view);
  const teller = tellerOf(grants);
  return catalog.entries.flatMap((entry): StatedOperation[] => {
    if (listed.has(entry.operation)) return [{ entry, state: 'listed' }];
    const tool = mayUse.has(entry) ? through(entry) : undefined;
    if (tool !== undefined) return [{ entry, state: 'reachable', through: tool }];
    if (mayUse.has(entry)) return [{ entry, state: 'hidden', hidden: () => NOT_OFFERED }];
    if (!isTold(entry, grants, teller)) return [];
    return [{ entry, state: 'hidden', hidden: () => firstFailure(entry, grants) }];
  });
}

/** Its skill is not the one whose tools are there. */
const NOT_OFFERED: ListedOperation['hidden'] = Object.freeze({
  check: 'skill',
  value: 'another skill is selected',
  needed: 'the skill that brought it',
  change: 'Whoever calls selects the skill: by its tool, the address or the role.',
});

/** The first tool that leads to an operation, by name. */
function reachedBy({ own }: ComputedView): (entry: CatalogEntry) => string | undefined {
  const byOperation = new Map<string, string>();
  const bySource = new Map<string, string>();
  for (const [name, tool] of [...own].sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (isTopologyTool(tool)) {
      for (const key of tool.reaches) if (!byOperation.has(key)) byOperation.set(key, name);
    } else {
      for (const source of tool.sources) if (!bySource.has(source)) bySource.set(source, name);
    }
  }
  return ({ operation, source }) => byOperation.get(operation) ?? bySource.get(source);
}

function tellerOf({ principal, roles }: Grants): Teller {
  if (principal.kind !== 'user') return 'operator';
  return roles.includes('admin') ? 'admin' : 'user';
}

function firstFailure(entry: CatalogEntry, grants: Grants): ListedOperation['hidden'] {
  const failed = explainEntry(entry, grants).checks.find(({ passes }) => !passes);
  if (failed === undefined) return undefined;
  const { check, value, needed, change } = failed;
  return { check, value, needed, change };
}
