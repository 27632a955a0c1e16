import type { ConfigurationOverrides } from '../config/index.ts';
import { ToolcribError } from '../errors.ts';
import type { Gateway, GatewayOptions } from '../gateway.ts';
import type { SourceOptions } from './options/source-options.ts';
import { type ResolvedConfiguration, resolveConfiguration } from './resolve-configuration.ts';
import type { Terminal } from './terminal/terminal.ts';

export interface OpenedGateway extends ResolvedConfiguration {
  readonly gateway: Gateway;
}

/** Opens a gateway for one question, and closes it whatever happens. */
export async function withGateway<T>(
  documents: readonly string[],
  options: SourceOptions,
  terminal: Terminal,
  use: (opened: OpenedGateway) => Promise<T>,
  more: ConfigurationOverrides = {},
): Promise<T> {
  const opened = await openGateway(documents, options, terminal, { watch: false, listening: false, ...more });
  try {
    return await use(opened);
  } finally {
    await opened.gateway.close();
  }
}

export async function openGateway(
  documents: readonly string[],
  options: SourceOptions,
  terminal: Terminal,
  more: ConfigurationOverrides = {},
  composition: GatewayOptions = {},
): Promise<OpenedGateway> {
  const resolved = await resolveConfiguration(documents, options, terminal, more);
  const { configuration } = resolved;
  if (Object.keys(configuration.sources).length === 0) {
    throw new ToolcribError('configuration_invalid', 'The configuration names no source.', {
      ...(configuration.file === undefined ? {} : { location: configuration.file }),
      pointer: '#/sources',
    });
  }
  const { createGateway } = await import('../gateway.ts');
  // the file that was found, while it is there or not: without it another place would be looked at
  const again =
    resolved.origin === 'file' && configuration.file !== undefined
      ? { ...options, config: configuration.file }
      : options;
  const reload = async () => (await resolveConfiguration(documents, again, terminal, more)).configuration;
  return { ...resolved, gateway: await createGateway(configuration, { reload, ...composition }) };
}
