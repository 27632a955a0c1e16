import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { ToolcribError } from '../errors.ts';
import type { ConfigurationOverrides } from './command-line/overrides.ts';
import type { Configuration } from './configuration.ts';
import { configurationText } from './configuration-text.ts';
import { CONFIGURATION_FILES } from './defaults.ts';
import type { Environment } from './directories.ts';
import { readDocument } from './document.ts';
import { parseConfiguration } from './parse.ts';

export interface LoadOptions {
  /** Default: the first of toolcrib.yaml, toolcrib.yml, toolcrib.json in `cwd`. */
  readonly file?: string;
  readonly overrides?: ConfigurationOverrides;
  readonly env: Environment;
  readonly cwd: string;
  readonly kinds?: readonly string[];
  readonly topologies?: readonly string[];
}

/** The configuration file of a folder, if there is one. */
export function findConfiguration(cwd: string): string | undefined {
  return CONFIGURATION_FILES.map((name) => join(cwd, name)).find((file) => existsSync(file));
}

/** Reads and validates the file. Throws `source_unreadable` or `configuration_invalid` with file and line. */
export async function loadConfiguration(options: LoadOptions): Promise<Configuration> {
  const { cwd, env, overrides, kinds, topologies } = options;
  const file = options.file === undefined ? findConfiguration(cwd) : resolve(cwd, options.file);
  if (file === undefined) {
    throw new ToolcribError(
      'source_unreadable',
      `There is no ${CONFIGURATION_FILES.join(', ')} in this folder.`,
      { location: cwd },
    );
  }
  const { value, lineOf } = await readDocument(await configurationText(file, 'configuration'), file);
  return parseConfiguration(value, {
    env,
    baseDirectory: dirname(file),
    file,
    lineOf,
    ...(overrides === undefined ? {} : { overrides }),
    ...(kinds === undefined ? {} : { kinds }),
    ...(topologies === undefined ? {} : { topologies }),
  });
}
