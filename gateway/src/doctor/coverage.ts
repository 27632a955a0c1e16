import type { View } from '../gateway-core.ts';
import { picksTool, type ToolSelector } from '../operations/selectors/tool-selector.ts';

/** What is looked at of a view. */
export type Listed = Pick<View, 'catalog' | 'tools' | 'topologies'>;

/** False: a slip of the pen, or a tool that is gone. */
export function coversSomething(selector: ToolSelector, { catalog, tools }: Listed): boolean {
  const { tool, source, operation, tag, access } = selector;
  // a tool that reaches several operations is no entry of the catalog
  if (tool !== undefined && catalog.byTool(tool) === undefined) {
    const isAlone = [source, operation, tag, access].every((part) => part === undefined);
    return isAlone && tools.some(({ name }) => name === tool);
  }
  return catalog.entries.some(({ name, facts }) => picksTool(selector, facts, (asked) => asked === name));
}
