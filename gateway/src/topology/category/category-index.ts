import type { TopologyOptions, VisibleOperation } from '../../operations/index.ts';
import type { OperationSet } from '../topology.ts';
import { categoryOf } from './assign-category.ts';
import { type Category, nameOf } from './category.ts';

export interface CategoryIndex {
  /** In the order of their names. */
  readonly categories: readonly Category[];
  readonly names: readonly string[];
  /** Keys of operations by a category's name or label, or by any tag; undefined: no such category. */
  members(name: string): ReadonlySet<string> | undefined;
}

const INDEXES = new WeakMap<OperationSet, WeakMap<TopologyOptions, CategoryIndex>>();

/** Every operation of a set in exactly one category; made once for a set. */
export function categoryIndex(set: OperationSet, options: TopologyOptions): CategoryIndex {
  const indexes = INDEXES.get(set) ?? new WeakMap<TopologyOptions, CategoryIndex>();
  INDEXES.set(set, indexes);
  const index = indexes.get(options) ?? createIndex(set, options);
  indexes.set(options, index);
  return index;
}

/** Names whose members are remembered: a search asks once for each operation. */
const MAX_KNOWN = 50;

function createIndex({ operations }: OperationSet, options: TopologyOptions): CategoryIndex {
  const categories = categoriesOf(operations, options);
  const known = new Map<string, ReadonlySet<string> | undefined>();
  const find = (name: string): ReadonlySet<string> | undefined => {
    const cleaned = nameOf(name);
    const own = categories.filter((one) => one.name === name || one.label === name || one.name === cleaned);
    const tagged = operations.filter(({ facts }) => facts.tags.includes(name));
    const members = new Set([...own.flatMap((one) => one.operations), ...tagged].map((one) => one.operation));
    return members.size === 0 ? undefined : members;
  };
  return {
    categories,
    names: categories.map(({ name }) => name),
    members(name) {
      if (!known.has(name)) {
        if (known.size >= MAX_KNOWN) known.clear();
        known.set(name, find(name));
      }
      return known.get(name);
    },
  };
}

interface Group {
  readonly name: string;
  readonly label: string;
  /** Undefined: the configuration names it, and it holds operations of every source. */
  readonly source?: string;
  readonly operations: VisibleOperation[];
}

/** Groups by name; a name that two sources have is told apart by the source. */
function categoriesOf(
  operations: readonly VisibleOperation[],
  { categories }: TopologyOptions,
): readonly Category[] {
  const groups = new Map<string, Group>();
  const names = new Map<string, string>();
  for (const operation of operations) {
    const { label, isConfigured } = categoryOf(operation.facts, categories);
    const name = names.get(label) ?? (nameOf(label) || 'operations');
    names.set(label, name);
    const key = JSON.stringify(isConfigured ? [name] : [name, operation.source]);
    const group = groups.get(key);
    if (group !== undefined) group.operations.push(operation);
    else {
      const source = isConfigured ? {} : { source: operation.source };
      groups.set(key, { name, label, ...source, operations: [operation] });
    }
  }
  const rivals = Map.groupBy(groups.values(), ({ name }) => name);
  return [...groups.values()]
    .map(({ name, label, source, operations: members }): Category => {
      const told = source !== undefined && rivals.get(name)!.length > 1;
      const description = Object.hasOwn(categories, label) ? categories[label]!.description : undefined;
      return {
        name: told ? `${nameOf(source)}_${name}` : name,
        label,
        ...(description === undefined ? {} : { description }),
        operations: members,
      };
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}
