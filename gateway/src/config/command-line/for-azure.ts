import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { isToolcribError, ToolcribError } from '../../errors.ts';
import type { Configuration } from '../configuration.ts';
import { defaultStateDirectory } from '../directories.ts';
import { parseConfiguration } from '../parse.ts';
import type { AzureEntry } from '../schema/azure.ts';
import type { DocumentOptions } from './for-documents.ts';

/** The one source of `toolcrib azure`. */
const SOURCE = 'azure';

/** What clients know the server of these tools as. */
const SERVER = 'mcp-connections';

const OPTIONS: Readonly<Record<string, string>> = {
  subscription: '--subscription',
  resourceGroup: '--resource-group',
  location: '--location',
  authentication: '--authentication',
  tenant: '--tenant',
  armEndpoint: '--arm-endpoint',
  maxToolsPerApi: '--maxToolsPerApi',
  connections: '--connections',
};

/**
 * The configuration behind `toolcrib azure`: one resource group, its tools without a prefix. Lock and report lie in
 * the state directory. Throws `usage` where an option is not valid.
 */
export async function configurationForAzure(
  entry: AzureEntry,
  { overrides = {}, env, cwd }: DocumentOptions,
): Promise<Configuration> {
  const { topology, ...others } = overrides;
  const stateDirectory = overrides.stateDirectory ?? defaultStateDirectory(env);
  const { armEndpoint = '', subscription, resourceGroup } = entry;
  const place = JSON.stringify([armEndpoint, subscription.toLowerCase(), resourceGroup.toLowerCase()]);
  const key = createHash('sha256').update(place).digest('hex').slice(0, 16);
  const source = { azure: entry, ...(topology === undefined ? {} : { topology }) };
  try {
    return await parseConfiguration(
      { name: SERVER, sources: { [SOURCE]: source } },
      {
        env,
        baseDirectory: cwd,
        overrides: { lockDirectory: join(stateDirectory, 'azure', key), ...others },
      },
    );
  } catch (error) {
    throw isToolcribError(error) && error.code === 'configuration_invalid' ? asUsage(error) : error;
  }
}

/** The keys of the configuration as the options that they come from. */
function asUsage({ message }: ToolcribError): ToolcribError {
  const named = message.replaceAll(
    /sources\.azure\.(?:azure\.)?(\w+)(?:\.\d+|\[\d+\])?/g,
    (whole, key: string) => OPTIONS[key] ?? (key === 'topology' ? '--topology' : whole),
  );
  return new ToolcribError('usage', named, { next: 'See `toolcrib azure --help`.' });
}
