import type { OperationFacts, PublishedTool } from '../../operations/index.ts';

/** Whether a skill brought this tool; topologies' own tools have no facts. */
export function isToolOfSkill(tool: PublishedTool): boolean {
  const { facts } = tool as { readonly facts?: OperationFacts };
  return facts?.skill !== undefined;
}
