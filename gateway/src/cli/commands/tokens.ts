import type { Surface } from '../../gateway-api.ts';
import {
  DEFAULT_TOPOLOGY_OPTIONS,
  type PublishedTool,
  type TokenCount,
  type VisibleOperation,
} from '../../operations/index.ts';
import { createTokenCounter } from '../../tokens/index.ts';
import type { Considered } from '../../topology/auto.ts';
import { toolTokens } from '../../topology/given-text.ts';
import { TOPOLOGIES } from '../../topology/registry.ts';
import { withGateway } from '../open-gateway.ts';
import type { SourceOptions } from '../source-options.ts';
import { showTable } from '../table.ts';
import { json, type Terminal } from '../terminal.ts';
import { measureSurfaces, type SurfaceTokens } from '../tokens/measure-surfaces.ts';
import { typicalOperation } from '../tokens/typical-operation.ts';

/** Tools that are shown one by one; all of them in JSON. */
const SHOWN = 10;

interface Costs {
  readonly encoding: 'o200k_base';
  /** What is listed; for `auto` the topology that it takes. */
  readonly topology: string;
  readonly tools: number;
  readonly total: number;
  readonly outputSchemas: number;
  readonly perTool: ReadonlyArray<{ readonly name: string; readonly tokens: number }>;
  readonly tokenBudget: number;
  readonly auto?: Surface['topologies'][number];
  readonly topologies: readonly SurfaceTokens[];
  /** Name of the operation that the flows are measured with. */
  readonly operation?: string;
}

/**
 * Measures with o200k what the tools cost as a model is given them: names, descriptions and input schemas as JSON. All
 * topologies beside the one configured, or one alone (`--topology`).
 */
export function tokens(options: SourceOptions, terminal: Terminal): Promise<number> {
  return withGateway(options.spec ?? [], options, terminal, async ({ gateway, configuration }) => {
    const count = await createTokenCounter();
    const { topology: configured } = configuration;
    const names = options.topology === undefined ? Object.keys(TOPOLOGIES) : [configured];
    const typical = typicalOperation(gateway.surface('flat').tools.filter(isOperation));
    const listed = gateway.view().tools;
    const perTool = listed
      .map((tool) => ({ name: tool.name, tokens: toolTokens(tool, count) }))
      .sort((left, right) => right.tokens - left.tokens);
    const auto =
      options.topology === undefined || configured === 'auto'
        ? gateway.surface('auto').topologies[0]
        : undefined;
    show(
      {
        encoding: 'o200k_base',
        topology: configured === 'auto' ? (auto?.took ?? configured) : configured,
        tools: listed.length,
        total: perTool.reduce((sum, tool) => sum + tool.tokens, 0),
        outputSchemas: listed.reduce(
          (sum, { tool: { outputSchema } }) => sum + tokensOf(outputSchema, count),
          0,
        ),
        perTool,
        tokenBudget: (configuration.surface?.options ?? DEFAULT_TOPOLOGY_OPTIONS).tokenBudget,
        ...(auto === undefined ? {} : { auto: { took: auto.took, considered: auto.considered } }),
        topologies: await measureSurfaces(names, (name) => gateway.surface(name), typical, count),
        ...(typical === undefined ? {} : { operation: typical.name }),
      },
      options,
      terminal,
    );
    return 0;
  });
}

function tokensOf(schema: object | undefined, count: TokenCount): number {
  return schema === undefined ? 0 : count(JSON.stringify(schema));
}

function isOperation(tool: PublishedTool): tool is VisibleOperation {
  return 'facts' in tool && 'load' in tool;
}

function show(costs: Costs, options: SourceOptions, terminal: Terminal): void {
  if (options.json) {
    terminal.out(json(costs));
    return;
  }
  const { topology, tools, total, outputSchemas, perTool, auto, operation } = costs;
  terminal.out(`${topology}: ${total} tokens (o200k) for ${tools} tools`);
  if (outputSchemas > 0)
    terminal.out(`  + ${outputSchemas} for output schemas, where a client passes them on`);
  for (const { name, tokens: cost } of perTool.slice(0, SHOWN))
    terminal.out(`${String(cost).padStart(8)}  ${name}`);
  if (perTool.length > SHOWN)
    terminal.out(`          … and ${perTool.length - SHOWN} more (--json shows all)`);
  terminal.out('');
  showTable(
    costs.topologies,
    [
      ['TOPOLOGY', ({ name }) => name],
      ['TOOLS', (row) => String(row.tools)],
      ['TOKENS', (row) => String(row.tokens)],
      ['SEARCH', ({ flow }) => flow && String(flow.search)],
      ['DESCRIBE', ({ flow }) => flow && String(flow.describe)],
      ['CALL', ({ flow }) => flow && String(flow.call)],
      ['TOGETHER', ({ flow }) => flow && String(flow.total)],
    ],
    terminal,
  );
  if (operation !== undefined && costs.topologies.some(({ flow }) => flow !== undefined))
    terminal.note(`Search, describe and call: of ${operation}, without the answer of its service.`);
  if (auto !== undefined) {
    const reasons = auto.considered.map((one) => reason(one, costs.tokenBudget)).join('; ');
    const none = auto.considered.some(({ fits }) => fits) ? '' : ' Nothing fits.';
    terminal.note(`auto takes ${auto.took}: ${reasons}.${none}`);
  }
}

function reason({ name, tools, tokens, fits, atMost }: Considered, budget: number): string {
  if (!fits) return `${name} has ${tools} tools and more than ${budget} tokens`;
  return `${name} has ${tools} tools and ${atMost ? 'at most ' : ''}${tokens} of ${budget} tokens`;
}
