import type { Surface } from '../../gateway-api.ts';
import type { PublishedTool, TokenCount, TopologyName, VisibleOperation } from '../../operations/index.ts';
import { toolTokens } from '../../topology/given-text.ts';
import { type FlowTokens, measureFlow } from './measure-flow.ts';

/** What one topology costs. */
export interface SurfaceTokens {
  readonly name: TopologyName;
  readonly tools: number;
  readonly tokens: number;
  /** Absent where operations are called without searching. */
  readonly flow?: FlowTokens;
}

/** Every topology by the same count, the flow for the same operation. */
export async function measureSurfaces(
  names: readonly TopologyName[],
  surface: (name: TopologyName) => Surface,
  typical: VisibleOperation | undefined,
  count: TokenCount,
): Promise<SurfaceTokens[]> {
  const measured: SurfaceTokens[] = [];
  for (const name of names) {
    const { tools, topologies } = surface(name);
    const took = topologies[0]?.took ?? name;
    const flow = typical && (await measureFlow(took, tools, typical, count));
    measured.push({
      name,
      tools: tools.length,
      tokens: sumOf(tools, count),
      ...(flow === undefined ? {} : { flow }),
    });
  }
  return measured;
}

function sumOf(tools: readonly PublishedTool[], count: TokenCount): number {
  return tools.reduce((sum, tool) => sum + toolTokens(tool, count), 0);
}
