import type { Catalog } from '../../catalog/catalog.ts';
import type { Operation } from '../../operations/index.ts';

/** The name of an operation's own tool; undefined for what stands in no catalog. */
type ToolOf = (operation: Pick<Operation, 'source' | 'id'>) => string | undefined;

/** Rules that name a tool mean its operation, by whichever tool of a topology it is called. */
export function createToolOf(catalog: () => Catalog): ToolOf {
  const made = new WeakMap<Catalog, ReadonlyMap<string, string>>();
  return ({ source, id }) => {
    const current = catalog();
    let names = made.get(current);
    if (names === undefined) {
      names = new Map(current.entries.map((entry) => [keyOf(entry.source, entry.facts.id), entry.name]));
      made.set(current, names);
    }
    return names.get(keyOf(source, id));
  };
}

function keyOf(source: string, id: string): string {
  return `${source}\n${id}`;
}
