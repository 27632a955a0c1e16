import { join } from 'node:path';
import {
  absolutePath,
  type Configuration,
  type ConfigurationOverrides,
  configurationForAzure,
  configurationForDocuments,
  configurationForPreset,
  defaultStateDirectory,
  findConfiguration,
  loadConfiguration,
} from '../config/index.ts';
import { withAbsoluteFile } from '../config/secrets.ts';
import { ToolcribError } from '../errors.ts';
import { isWrittenReference } from '../operations/secret-references.ts';
import type { SourceOptions } from './options/source-options.ts';
import { surfaceOverrides } from './options/surface-options.ts';
import { quickstartFile } from './quickstart.ts';
import type { Terminal } from './terminal/terminal.ts';

export interface ResolvedConfiguration {
  readonly configuration: Configuration;
  /** `quickstart`: nothing was named and this folder has no configuration. */
  readonly origin: 'documents' | 'azure' | 'file' | 'quickstart';
}

/** The resource group of `toolcrib azure`, else documents, else the file named, else toolcrib.yaml of the folder, else the quickstart that comes along. */
export async function resolveConfiguration(
  documents: readonly string[],
  options: SourceOptions,
  terminal: Terminal,
  more: ConfigurationOverrides = {},
): Promise<ResolvedConfiguration> {
  const { env, cwd } = terminal;
  const overrides = { ...overridesOf(options, terminal), ...more };
  if (options.azure !== undefined) {
    return {
      configuration: await configurationForAzure(options.azure, { overrides, env, cwd }),
      origin: 'azure',
    };
  }
  if (documents.length > 0) {
    if (options.config !== undefined) {
      throw new ToolcribError('usage', 'Name documents or --config, not both.');
    }
    const located = documents.map((document) => withoutPadding(document));
    const configuration =
      options.preset === undefined
        ? configurationForDocuments(located, { overrides, env, cwd })
        : await configurationForPreset(located, options.preset, { overrides, env, cwd });
    return { configuration, origin: 'documents' };
  }
  if (options.preset !== undefined) {
    throw new ToolcribError(
      'usage',
      'A preset on the command line goes with documents; in a configuration it is a key of the source.',
    );
  }
  const file = options.config === undefined ? findConfiguration(cwd) : absolutePath(options.config, cwd, env);
  if (file !== undefined) {
    return { configuration: await loadConfiguration({ file, overrides, env, cwd }), origin: 'file' };
  }
  const stateDirectory = overrides.stateDirectory ?? defaultStateDirectory(env);
  const configuration = await loadConfiguration({
    file: quickstartFile(),
    overrides: { lockDirectory: join(stateDirectory, 'quickstart'), ...overrides, stateDirectory },
    env,
    cwd,
  });
  return { configuration, origin: 'quickstart' };
}

function overridesOf(options: SourceOptions, { cwd, env }: Terminal): ConfigurationOverrides {
  const { topology, baseUrl, auth, allowPrivate, header, stateDir } = options;
  return {
    ...surfaceOverrides(options),
    ...(topology === undefined ? {} : { topology }),
    ...(baseUrl === undefined ? {} : { baseUrls: baseUrl }),
    ...(auth === undefined ? {} : { credentials: auth.map((one) => fromWorkingDirectory(one, cwd)) }),
    ...(allowPrivate === undefined ? {} : { allowPrivate }),
    ...(header === undefined ? {} : { headers: header }),
    ...(stateDir === undefined ? {} : { stateDirectory: absolutePath(stateDir, cwd, env) }),
  };
}

/** References of the command line are relative to where the command was given. */
export function fromWorkingDirectory<T>(value: T, cwd: string): T {
  if (value === null || typeof value !== 'object') return value;
  if (isWrittenReference(value)) return withAbsoluteFile(value, { baseDirectory: cwd, env: {} }) as T;
  const entries = Object.entries(value).map(([key, member]) => [key, fromWorkingDirectory(member, cwd)]);
  return Object.fromEntries(entries) as T;
}

function withoutPadding(document: string): string {
  const trimmed = document.trim();
  if (trimmed === '') throw new ToolcribError('usage', 'A document needs a name.');
  return trimmed;
}
