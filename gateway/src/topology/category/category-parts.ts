import type { TopologyOptions, VisibleOperation } from '../../operations/index.ts';
import type { OperationSet } from '../topology.ts';
import { type Category, nameOf } from './category.ts';
import { categoryIndex } from './category-index.ts';
import { rankCategories } from './rank-categories.ts';
import { splitOperations } from './split-operations.ts';

/** What one category tool holds. */
export interface CategoryPart {
  /** `manage_` and this is its name. */
  readonly name: string;
  /** For its description. */
  readonly title: string;
  /** Undefined: operations of several. */
  readonly category?: Category;
  readonly operations: readonly VisibleOperation[];
}

/** The name of what stands in no category tool. */
const OTHER = 'other';

/** One list of parts a category, in the order of their rank. */
export function partsOfCategories(
  set: OperationSet,
  options: TopologyOptions,
): readonly (readonly CategoryPart[])[] {
  const { categories } = categoryIndex(set, options);
  return rankCategories(categories, set, options).chosen.map((category) => {
    const parts = splitOperations(category.operations, { own: nameOf(category.label) });
    return parts.map(({ suffix, operations }): CategoryPart => {
      const name = suffix === '' ? category.name : `${category.name}_${suffix}`;
      const title = suffix === '' ? category.label : `${category.label}, ${suffix.replaceAll('_', ' ')}`;
      return { name, title, category, operations };
    });
  });
}

/** Everything that stands in no category of its own, by category. */
export function otherParts(set: OperationSet, options: TopologyOptions): readonly CategoryPart[] {
  const { categories } = categoryIndex(set, options);
  const { others } = rankCategories(categories, set, options);
  const operations = others.flatMap((category) => category.operations);
  if (operations.length === 0) return [];
  const nameOfOperation = new Map(
    others.flatMap(({ name, operations: members }) => members.map((one) => [one, name] as const)),
  );
  return splitOperations(operations, {
    wordAt: (operation, depth) => (depth === 0 ? nameOfOperation.get(operation) : undefined),
  }).map(({ suffix, operations: members }): CategoryPart => {
    const names = [...new Set(members.map((one) => nameOfOperation.get(one)!))];
    return {
      name: suffix === '' ? OTHER : `${OTHER}_${suffix}`,
      title: `Other operations (${names.join(', ')})`,
      operations: members,
    };
  });
}
