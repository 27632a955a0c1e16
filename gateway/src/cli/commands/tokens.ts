import type { Tool } from '../../operations/index.ts';
import { withGateway } from '../open-gateway.ts';
import type { SourceOptions } from '../source-options.ts';
import { json, type Terminal } from '../terminal.ts';

const SHOWN = 15;

/** Measures the tool list with o200k: names, descriptions and input schemas as JSON, as a model is given them. */
export function tokens(options: SourceOptions, terminal: Terminal): Promise<number> {
  return withGateway(options.spec ?? [], options, terminal, async ({ gateway, configuration }) => {
    const { countTokens } = await import('gpt-tokenizer/encoding/o200k_base');
    const count = (value: unknown): number =>
      countTokens(JSON.stringify(value), { disallowedSpecial: new Set() });
    const published = gateway.view().tools.map(({ tool }) => tool);
    const perTool = published.map((tool) => ({ name: tool.name, tokens: count(asGiven(tool)) }));
    perTool.sort((left, right) => right.tokens - left.tokens);
    const total = perTool.reduce((sum, tool) => sum + tool.tokens, 0);
    const outputs = published.reduce(
      (sum, { outputSchema }) => sum + (outputSchema === undefined ? 0 : count(outputSchema)),
      0,
    );
    const { topology } = configuration;
    if (options.json) {
      terminal.out(
        json({
          encoding: 'o200k_base',
          topology,
          tools: published.length,
          total,
          outputSchemas: outputs,
          perTool,
        }),
      );
      return 0;
    }
    terminal.out(`${topology}: ${total} tokens (o200k) for ${published.length} tools`);
    if (outputs > 0) terminal.out(`  + ${outputs} for output schemas, where a client passes them on`);
    for (const { name, tokens: cost } of perTool.slice(0, SHOWN))
      terminal.out(`${String(cost).padStart(8)}  ${name}`);
    if (perTool.length > SHOWN)
      terminal.out(`          … and ${perTool.length - SHOWN} more (--json shows all)`);
    return 0;
  });
}

function asGiven({ name, description, inputSchema }: Tool): object {
  return { name, description, inputSchema };
}
