import { nearestNames } from '../operations/text/nearest-name.ts';
import type { ChatTool, ChatTools } from './options.ts';
import { isWireName, madeWireName } from './wire-name.ts';

/** A tool that is offered in one conversation. */
export interface OfferedTool extends ChatTool {
  /** The name that the model is shown. */
  readonly wire: string;
  /** A skill brought it. */
  readonly dynamic: boolean;
}

export interface ToolTable {
  /** Static ones first. */
  readonly offered: readonly OfferedTool[];
  /** Names of tools of skills that another tool of the name stands before. */
  readonly shadowed: readonly string[];
  /** By the name that the model was shown, else by the tool's own. */
  find(name: string): OfferedTool | undefined;
  /** Names that a mistyped one may mean, most likely first; at most three. */
  nearest(name: string): readonly string[];
}

/** The tools of one conversation: a static name always wins over that of a skill's tool. */
export function createToolTable({ static: fixed, dynamic }: ChatTools): ToolTable {
  const byName = new Map<string, OfferedTool>();
  const shadowed: string[] = [];
  // a tool whose name is taken as it is keeps it, whatever order they come in
  const used = new Set([...fixed, ...dynamic].map(({ name }) => name).filter(isWireName));
  const add = (tool: ChatTool, isDynamic: boolean) => {
    if (byName.has(tool.name)) {
      if (isDynamic) shadowed.push(tool.name);
      return;
    }
    const wire = isWireName(tool.name) ? tool.name : madeWireName(tool.name, used);
    used.add(wire);
    byName.set(tool.name, { ...tool, wire, dynamic: isDynamic });
  };
  for (const tool of fixed) add(tool, false);
  for (const tool of dynamic) add(tool, true);
  const offered = [...byName.values()];
  const byWire = new Map(offered.map((tool) => [tool.wire, tool]));
  return {
    offered,
    shadowed,
    find: (name) => byWire.get(name) ?? byName.get(name),
    nearest: (name) =>
      nearestNames(
        name,
        offered.map(({ wire }) => wire),
      ),
  };
}
