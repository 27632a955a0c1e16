import type { CatalogEntry } from '../../catalog/catalog.ts';
import { isObject, type JsonSchema, type PublishedTool, type Tool } from '../../operations/index.ts';
import { SHAPED_OUTPUT_SCHEMA } from '../../results/shaping/output-schema.ts';

/** Arguments that ask for a shape; an operation's own of that name stay what they are. */
const ARGUMENTS: JsonSchema = Object.freeze({
  _filter: {
    type: 'object',
    description: 'Rows to keep, e.g. {"status": "error", "size": ">1000", "name": "~^a"}.',
  },
  _fields: { type: 'array', items: { type: 'string' } },
  _limit: { type: 'integer', minimum: 1, maximum: 1000 },
  _cursor: { type: 'string' },
  _pages: { type: 'integer', minimum: 1, maximum: 20 },
});

/** The flat tool of an operation whose answers are shaped because the configuration says so. */
export function shapedTool(entry: CatalogEntry): PublishedTool {
  let tool: Tool | undefined;
  return {
    name: entry.name,
    operation: entry.operation,
    get tool() {
      tool ??= withShaping(entry.tool);
      return tool;
    },
  };
}

function withShaping(tool: Tool): Tool {
  const { properties } = tool.inputSchema;
  const own = isObject(properties) ? properties : {};
  return {
    ...tool,
    inputSchema: { ...tool.inputSchema, properties: { ...ARGUMENTS, ...own } },
    outputSchema: SHAPED_OUTPUT_SCHEMA,
  };
}
