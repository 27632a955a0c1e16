import {
  isObject,
  type JsonObject,
  type JsonSchema,
  type PublishedTool,
  type ResolvedCall,
  type VisibleOperation,
} from '../../src/operations/index.ts';
import { isTopologyTool, type Resolution, type TopologyTool } from '../../src/topology/topology.ts';
import { contextBench } from './search-set.ts';

/** One way to an operation through a topology's own tool. */
export interface Way {
  readonly tool: TopologyTool;
  readonly resolved: ResolvedCall;
}

/** Calls every action of the category tools, each with these arguments for the operation that it leads to. */
export async function walkCategories(
  tools: readonly PublishedTool[],
  argumentsOf: (action: string, tool: TopologyTool) => JsonObject = () => ({}),
): Promise<Way[]> {
  const ways: Way[] = [];
  for (const tool of tools) {
    if (!isTopologyTool(tool)) continue;
    for (const action of actionsOf(tool)) {
      const args = { action, action_args: argumentsOf(action, tool) };
      ways.push({ tool, resolved: called(await tool.resolve(args, contextBench())) });
    }
  }
  return ways;
}

export function actionsOf({ tool }: TopologyTool): readonly string[] {
  const properties = tool.inputSchema['properties'];
  const action = isObject(properties) ? properties['action'] : undefined;
  return isObject(action) ? (action['enum'] as string[]) : [];
}

export async function callThrough(tool: TopologyTool, args: JsonObject): Promise<ResolvedCall> {
  return called(await tool.resolve(args, contextBench()));
}

function called(resolution: Resolution): ResolvedCall {
  if ('kind' in resolution) throw new Error('the tool answered itself');
  return resolution;
}

/** Arguments that an input schema could be given: everything that is required, path parameters of awkward text. */
export function sampleArguments({ tool: { inputSchema } }: VisibleOperation): JsonObject {
  const properties = isObject(inputSchema['properties']) ? inputSchema['properties'] : {};
  const required = (inputSchema['required'] ?? []) as string[];
  return Object.fromEntries(required.map((name) => [name, sample(properties[name] as JsonSchema)]));
}

function sample(schema: JsonSchema | undefined): JsonObject[string] {
  const type = [schema?.['type'] ?? 'string'].flat()[0];
  if (Array.isArray(schema?.['enum'])) return schema['enum'][0]!;
  if (type === 'integer' || type === 'number') return 7;
  if (type === 'boolean') return true;
  if (type === 'array') return [];
  return type === 'object' ? {} : 'a b/ü%';
}
