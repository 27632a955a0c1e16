import type { Gateway } from '../../gateway.ts';
import type { Intent } from '../../operations/index.ts';
import { unknownSource } from '../../operations/unknown-source.ts';
import { hitLine } from '../../topology/finding/hit-line.ts';
import { purposeOf } from '../../topology/finding/purpose.ts';
import { withGateway } from '../open-gateway.ts';
import type { SourceOptions } from '../options/source-options.ts';
import { json, type Terminal } from '../terminal/terminal.ts';

export interface SearchOptions extends SourceOptions {
  readonly intent?: Intent;
  readonly source?: string;
  readonly limit?: number;
}

/** Finds operations as the tools of a model do: best first, and only what may be called. */
export function search(
  words: readonly string[],
  { intent, source, limit, ...options }: SearchOptions,
  terminal: Terminal,
): Promise<number> {
  return withGateway(options.spec ?? [], options, terminal, async ({ gateway }) => {
    if (source !== undefined) requireSource(gateway, source);
    const hits = await gateway.search({
      text: words.join(' '),
      ...(intent === undefined ? {} : { intent }),
      ...(source === undefined ? {} : { source }),
      ...(limit === undefined ? {} : { limit }),
    });
    if (options.json) {
      const shown = hits.map(({ operation }) => {
        const { name, facts } = operation;
        const { id, access, http } = facts;
        return {
          tool: name,
          operation: id,
          source: facts.source,
          access,
          ...http,
          purpose: purposeOf(operation, 200),
        };
      });
      terminal.out(json(shown));
      return 0;
    }
    if (hits.length === 0) terminal.note('Nothing that you may call fits.');
    for (const { operation } of hits) terminal.out(hitLine(operation));
    return 0;
  });
}

/** A slip of the pen is no search without hits. Throws `source_unknown`. */
function requireSource(gateway: Gateway, name: string): void {
  const names = Object.keys(gateway.configuration.sources);
  if (!names.includes(name)) throw unknownSource(name, { known: names });
}
