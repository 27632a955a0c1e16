import { callTool } from './calling/call-tool.ts';
import { listTool } from './calling/list-tool.ts';
import { sortedByName } from './calling/own-tool.ts';
import { schemaTool } from './calling/schema-tool.ts';
import { queryTool } from './calling/stored-answer.ts';
import type { CategoryTopologyOptions } from './categories.ts';
import { type CategoryPart, partsOfCategories } from './category/category-parts.ts';
import { categoryTools } from './category/category-tool.ts';
import { pinnedTools } from './finding/pinned-tools.ts';
import type { Topology } from './topology.ts';

/** Tools for the largest categories, and three that reach every operation. */
export function createHybrid({ name = 'hybrid', schema }: CategoryTopologyOptions = {}): Topology {
  return {
    name,
    shapes: true,
    publish(set, options) {
      const query = queryTool(set);
      const parts = broadest(partsOfCategories(set, options), options.maxCategoryTools);
      const tools = categoryTools(parts, {
        set,
        options,
        filtersIn: query.name,
        ...(schema === undefined ? {} : { schema }),
      });
      return sortedByName([
        callTool('call_endpoint', set),
        schemaTool('get_schema', set),
        listTool('list_endpoints', set, options),
        query,
        ...tools,
        ...pinnedTools(set, options),
      ]);
    },
  };
}

export const hybrid: Topology = createHybrid();

/** First a part of every category, then their second parts: many categories in few tools. The rest is called by id. */
function broadest(categories: readonly (readonly CategoryPart[])[], most: number): CategoryPart[] {
  const rounds = Math.max(0, ...categories.map((parts) => parts.length));
  const ordered = Array.from({ length: rounds }, (_, round) =>
    categories.flatMap((parts) => parts.slice(round, round + 1)),
  );
  return ordered.flat().slice(0, most);
}
