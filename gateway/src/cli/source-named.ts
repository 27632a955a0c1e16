import type { Configuration, SourceConfiguration } from '../config/configuration.ts';
import { ToolcribError } from '../errors.ts';
import { didYouMean } from '../operations/text/nearest-name.ts';
import type { SourceOptions } from './options/source-options.ts';
import { resolveConfiguration } from './resolve-configuration.ts';
import type { Terminal } from './terminal/terminal.ts';

/** A source of the configuration, by its name. Throws `source_unknown`. */
export async function sourceNamed(
  name: string,
  options: SourceOptions,
  terminal: Terminal,
): Promise<{ readonly configuration: Configuration; readonly source: SourceConfiguration }> {
  const { configuration } = await resolveConfiguration([], options, terminal, { listening: false });
  const source = Object.hasOwn(configuration.sources, name) ? configuration.sources[name] : undefined;
  if (source !== undefined) return { configuration, source };
  const known = Object.keys(configuration.sources);
  const message = `There is no source ${JSON.stringify(name)}.${didYouMean(name, known)}`;
  throw new ToolcribError('source_unknown', message, {
    next: `The sources of the configuration are: ${known.join(', ')}.`,
  });
}
