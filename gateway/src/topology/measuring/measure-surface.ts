import type {
  PublishedTool,
  SurfaceTokens,
  TokenCount,
  ToolTokens,
  TopologyName,
  VisibleOperation,
} from '../../operations/index.ts';
import { toolTokens } from '../given-text.ts';
import { measureFlow } from './measure-flow.ts';

/** The tools of one topology, and which one they are made by: `auto` takes another. */
export interface MeasuredSurface {
  readonly name: TopologyName;
  readonly took: TopologyName;
  readonly tools: readonly PublishedTool[];
}

/** Every topology by the same count, the flow for the same operation. */
export async function measureSurface(
  { name, took, tools }: MeasuredSurface,
  typical: VisibleOperation | undefined,
  count: TokenCount,
): Promise<SurfaceTokens> {
  const perTool = costsOf(tools, count);
  const flow = typical && (await measureFlow(took, tools, typical, count));
  return {
    name,
    tools: tools.length,
    tokens: sumOf(perTool),
    ...(flow === undefined ? {} : { flow }),
    perTool,
  };
}

/** Tokens of each tool, the dearest first. */
export function costsOf(tools: readonly PublishedTool[], count: TokenCount): ToolTokens[] {
  return tools
    .map((tool) => ({ name: tool.name, tokens: toolTokens(tool, count) }))
    .sort((left, right) => right.tokens - left.tokens);
}

export function sumOf(costs: readonly ToolTokens[]): number {
  return costs.reduce((sum, { tokens }) => sum + tokens, 0);
}
