import type { BudgetChoice, SurfaceTokens, TopologyName, ViewCosts } from '../../operations/index.ts';
import { withinBudget } from '../../topology/measuring/within-budget.ts';
import { counted } from '../counted.ts';
import { withGateway } from '../open-gateway.ts';
import type { SourceOptions } from '../options/source-options.ts';
import { showTable } from '../terminal/table.ts';
import { json, type Terminal } from '../terminal/terminal.ts';

/** Tools that are shown one by one; all of them in JSON. */
const SHOWN = 10;

interface Costs {
  readonly encoding: ViewCosts['encoding'];
  /** What is listed; for `auto` the topology that it takes. */
  readonly topology: string;
  readonly tools: number;
  readonly total: number;
  readonly outputSchemas: number;
  readonly perTool: ReadonlyArray<{ readonly name: string; readonly tokens: number }>;
  readonly tokenBudget: number;
  readonly auto?: { readonly took: TopologyName; readonly considered: BudgetChoice['considered'] };
  readonly topologies: ReadonlyArray<Omit<SurfaceTokens, 'perTool'>>;
  /** Name of the operation that the flows are measured with. */
  readonly operation?: string;
}

/**
 * Measures with o200k what the tools cost as a model is given them: names, descriptions and input schemas as JSON. All
 * topologies beside the one configured, or one alone (`--topology`).
 */
export function tokens(options: SourceOptions, terminal: Terminal): Promise<number> {
  return withGateway(options.spec ?? [], options, terminal, async ({ gateway, configuration }) => {
    const { topology: configured } = configuration;
    const { encoding, listed, topologies, candidates, tokenBudget, operation } = await gateway.costs();
    const auto =
      options.topology === undefined || configured === 'auto'
        ? withinBudget(candidates, tokenBudget)
        : undefined;
    show(
      {
        encoding,
        topology: configured === 'auto' ? (auto?.took ?? configured) : configured,
        tools: listed.tools,
        total: listed.tokens,
        outputSchemas: listed.outputSchemas,
        perTool: listed.perTool,
        tokenBudget,
        ...(auto === undefined ? {} : { auto: { took: auto.took, considered: auto.considered } }),
        topologies: topologies
          .filter(({ name }) => options.topology === undefined || name === configured)
          .map(({ perTool: _each, ...costs }) => costs),
        ...(operation === undefined ? {} : { operation }),
      },
      options,
      terminal,
    );
    return 0;
  });
}

function show(costs: Costs, options: SourceOptions, terminal: Terminal): void {
  if (options.json) {
    terminal.out(json(costs));
    return;
  }
  const { topology, tools, total, outputSchemas, perTool, auto, operation } = costs;
  terminal.out(`${topology}: ${total} tokens (o200k) for ${counted(tools, 'tool')}`);
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
  const flat = costs.topologies.find(({ name }) => name === 'flat');
  const alike = costs.topologies.filter(
    (one) => one !== flat && one.tools === flat?.tools && one.tokens === flat.tokens,
  );
  if (alike.length > 0)
    terminal.note(`As flat here, tool by tool: ${alike.map(({ name }) => name).join(', ')}.`);
  if (auto !== undefined) {
    const reasons = auto.considered.map((one) => reason(one, costs.tokenBudget)).join('; ');
    const none = auto.considered.some(({ fits }) => fits) ? '' : ' Nothing fits.';
    terminal.note(`auto takes ${auto.took}: ${reasons}.${none}`);
  }
}

function reason({ name, tools, tokens, fits }: BudgetChoice['considered'][number], budget: number): string {
  const ending = fits ? `${tokens} of ${budget} tokens` : `more than ${budget} tokens`;
  return `${name} has ${counted(tools, 'tool')} and ${ending}`;
}
