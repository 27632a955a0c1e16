import { counted } from '../counted.ts';
import { withGateway } from '../open-gateway.ts';
import type { SourceOptions } from '../options/source-options.ts';
import { noteProblems } from '../serving.ts';
import { json, painter, type Terminal } from '../terminal/terminal.ts';

/** Lists what the local principal sees, as MCP tools with `--json`. */
export function tools(options: SourceOptions, terminal: Terminal): Promise<number> {
  return withGateway(options.spec ?? [], options, terminal, async ({ gateway }) => {
    const { tools: published, catalog, topologies = [] } = gateway.view();
    noteProblems(gateway, terminal);
    if (options.json) {
      terminal.out(json(published.map(({ tool }) => tool)));
      return 0;
    }
    const paint = painter(terminal);
    const reached = gateway.surface('flat').tools.filter(({ operation }) => operation !== undefined);
    const gates = await gateway.agreements();
    const width = Math.min(40, Math.max(0, ...published.map(({ tool }) => tool.name.length)));
    const gateOf = ({ tool }: (typeof published)[number]) => gates.get(tool.name)?.kind ?? '';
    const gateWidth = Math.max(0, ...published.map((one) => gateOf(one).length));
    for (const one of published) {
      const { tool } = one;
      const access = catalog.byTool(tool.name)?.facts.access ?? '';
      const gate = gateWidth === 0 ? '' : `  ${paint('yellow', gateOf(one).padEnd(gateWidth))}`;
      const summary = firstSentence(tool.title ?? tool.description);
      terminal.out(
        `${paint('bold', tool.name.padEnd(width))}  ${access.padEnd(6)}${gate}  ${summary}`.trimEnd(),
      );
    }
    const hidden = catalog.entries.length - reached.length;
    const shapes = [...new Set(topologies.map(({ took }) => took))].filter((name) => name !== 'flat');
    const shape =
      shapes.length === 0 ? '' : ` for ${counted(reached.length, 'operation')} (${shapes.join(', ')})`;
    const asks = [...gates.values()].filter(({ kind }) => kind === 'asks').length;
    terminal.note(
      [
        `${counted(published.length, 'tool')}${shape}`,
        asks === 0 ? '' : `${asks} wait${asks === 1 ? 's' : ''} for a person before a call`,
        hidden === 0 ? '' : `${hidden} hidden (see \`toolcrib explain TOOL\`)`,
      ]
        .filter((part) => part !== '')
        .join(', '),
    );
    return 0;
  });
}

/** The first sentence or line of a description, cut at 80 characters. */
function firstSentence(text: string): string {
  const [line = ''] = text.trim().split(/\r?\n|(?<=[.!?])\s/, 1);
  return line.length <= 80 ? line : `${line.slice(0, 79)}…`;
}
