import { createMessageEchoes } from '../../credentials/message-echoes.ts';
import type { SecretReader } from '../../credentials/secret-reference.ts';
import { ToolcribError } from '../../errors.ts';
import { type ProcessCommand, windowsCommand } from '../../sandbox/index.ts';
import type { OpenedTransport } from '../transports/transport.ts';
import type { UpstreamDefinition } from '../upstreams.ts';
import { keptValues, secretValues, stdioEnvironment } from './stdio-environment.ts';
import { openStdioProcess } from './stdio-process.ts';

export interface OpenStdioOptions {
  readonly secrets: SecretReader;
  /** Puts the command into its isolation; absent: it runs as it is. */
  readonly wrap?: (
    definition: UpstreamDefinition,
    command: ProcessCommand,
  ) => ProcessCommand | Promise<ProcessCommand>;
  readonly redact?: (text: string) => string;
}

/**
 * The transport of a stdio definition, not started yet. Throws `credentials_missing`, and `isolation_unavailable`
 * where the definition asks for isolation and nothing wraps it.
 */
export async function openStdio(
  definition: UpstreamDefinition,
  options: OpenStdioOptions,
  signal: AbortSignal,
): Promise<OpenedTransport> {
  const { name, transport } = definition;
  if (transport.kind !== 'stdio') throw new TypeError(`${name} is not reached over stdio`);
  const env = await stdioEnvironment(name, transport, options.secrets, signal);
  const command: ProcessCommand = {
    command: transport.command,
    args: transport.args,
    env,
    ...(transport.cwd === undefined ? {} : { cwd: transport.cwd }),
  };
  if (options.wrap === undefined && transport.isolation.mode !== 'none')
    throw new ToolcribError(
      'isolation_unavailable',
      `The server "${name}" asks for isolation that is not there.`,
    );
  const wrapped = options.wrap === undefined ? command : await options.wrap(definition, command);
  const refuse = (message: string, next: string) =>
    new ToolcribError('upstream_unavailable', `The server "${name}": ${message}`, { next });
  const startable = process.platform === 'win32' ? await windowsCommand(wrapped, refuse) : wrapped;
  const opened = openStdioProcess(startable, {
    secrets: secretValues(transport, env),
    ...(options.redact === undefined ? {} : { redact: options.redact }),
  });
  const kept = keptValues(transport, env);
  return kept.length === 0 ? opened : { ...opened, conceal: createMessageEchoes(kept).conceal };
}
