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
    const width = Math.min(40, Math.max(0, ...published.map(({ tool }) => tool.name.length)));
    for (const { tool } of published) {
      const access = catalog.byTool(tool.name)?.facts.access ?? '';
      const summary = firstSentence(tool.title ?? tool.description);
      terminal.out(`${paint('bold', tool.name.padEnd(width))}  ${access.padEnd(6)}  ${summary}`.trimEnd());
    }
    const reached = gateway.surface('flat').tools.filter(({ operation }) => operation !== undefined).length;
    const hidden = catalog.entries.length - reached;
    const shapes = [...new Set(topologies.map(({ took }) => took))].filter((name) => name !== 'flat');
    const shape = shapes.length === 0 ? '' : ` for ${counted(reached, 'operation')} (${shapes.join(', ')})`;
    terminal.note(
      `${counted(published.length, 'tool')}${shape}${hidden > 0 ? `, ${hidden} hidden (see \`toolcrib explain TOOL\`)` : ''}`,
    );
    return 0;
  });
}

/** The first sentence or line of a description, cut at 80 characters. */
function firstSentence(text: string): string {
  const [line = ''] = text.trim().split(/\r?\n|(?<=[.!?])\s/, 1);
  return line.length <= 80 ? line : `${line.slice(0, 79)}…`;
}
