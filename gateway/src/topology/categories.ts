import { sortedByName } from './calling/own-tool.ts';
import { queryTool } from './calling/stored-answer.ts';
import type { CategorySchema } from './category/category.ts';
import { otherParts, partsOfCategories } from './category/category-parts.ts';
import { categoryTools } from './category/category-tool.ts';
import { pinnedTools } from './finding/pinned-tools.ts';
import type { Topology } from './topology.ts';

export interface CategoryTopologyOptions {
  /** What it is called in the configuration. */
  readonly name?: string;
  readonly schema?: CategorySchema;
}

/** A tool for each category and `manage_other` for the rest: every operation is an action of exactly one. */
export function createCategories({ name = 'categories', schema }: CategoryTopologyOptions = {}): Topology {
  return {
    name,
    shapes: true,
    publish(set, options) {
      const query = queryTool(set);
      const parts = [...partsOfCategories(set, options).flat(), ...otherParts(set, options)];
      const tools = categoryTools(parts, {
        set,
        options,
        filtersIn: query.name,
        ...(schema === undefined ? {} : { schema }),
      });
      return sortedByName([...tools, query, ...pinnedTools(set, options)]);
    },
  };
}

export const categories: Topology = createCategories();
