import { ToolcribError } from '../../errors.ts';
import type { AzureAuthentication, PlainReference } from '../../operations/index.ts';
import type { Terminal } from '../terminal/terminal.ts';

export interface AzureOptions {
  readonly subscription: string;
  readonly resourceGroup: string;
  readonly location?: string;
  readonly authentication?: AzureAuthentication;
  readonly tenant?: string;
  readonly armEndpoint?: string;
  readonly connections?: readonly string[];
  readonly maxToolsPerApi?: number;
  readonly includeDeprecated?: boolean;
  readonly topology?: string;
  /** Absent: MCP on standard input and output. */
  readonly port?: number;
  readonly host?: string;
  readonly token?: PlainReference;
  readonly stateDir?: string;
  readonly json?: boolean;
}

/** Serves the API connections of one resource group, as `serve` does with a source of kind `azure`. */
export async function azure(options: AzureOptions, terminal: Terminal): Promise<number> {
  const { port, host, token, topology, stateDir, json, connections, ...entry } = options;
  if (port === undefined && (host !== undefined || token !== undefined)) {
    const given = host === undefined ? '--token' : '--host';
    throw new ToolcribError('usage', `${given} is for HTTP: add --port, 0 for a free one.`, {
      next: 'See `toolcrib azure --help`.',
    });
  }
  const { serve } = await import('./serve.ts');
  return serve(
    [],
    {
      azure: { ...entry, ...(connections === undefined ? {} : { connections: [...connections] }) },
      watch: true,
      ...(port === undefined ? { stdio: true } : { port }),
      ...(host === undefined ? {} : { host }),
      ...(token === undefined ? {} : { token }),
      ...(topology === undefined ? {} : { topology }),
      ...(stateDir === undefined ? {} : { stateDir }),
      ...(json === undefined ? {} : { json }),
    },
    terminal,
  );
}
