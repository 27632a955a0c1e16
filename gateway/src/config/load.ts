import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { ToolcribError } from '../errors.ts';
import { isUtf16 } from '../operations/text/file-text.ts';
import { unreadable } from '../operations/text/unreadable.ts';
import type { ConfigurationOverrides } from './command-line/overrides.ts';
import type { Configuration } from './configuration.ts';
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
  const { value, lineOf } = await readDocument(await textOf(file), file);
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

async function textOf(file: string): Promise<string> {
  const bytes = await bytesOf(file);
  if (!isUtf16(bytes)) return bytes.toString('utf8');
  throw new ToolcribError('configuration_invalid', 'The configuration is UTF-16.', {
    location: file,
    next: 'Save it as UTF-8; Windows PowerShell writes UTF-16 with `>`, and UTF-8 with `Set-Content -Encoding utf8`.',
  });
}

async function bytesOf(file: string): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch (error) {
    throw new ToolcribError('source_unreadable', `The configuration cannot be read: ${unreadable(error)}.`, {
      location: file,
      cause: error,
    });
  }
}
