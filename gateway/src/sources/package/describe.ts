import { resolve } from 'node:path';
import { ToolcribError } from '../../errors.ts';
import type { Description, Diagnostic } from '../../operations/index.ts';
import type { FunctionSource } from '../function/define.ts';
import { describeFunctions } from '../function/describe.ts';
import type { SourceContext } from '../source-kind.ts';
import type { PackageConfig } from './config.ts';
import { packageFiles, packageFolders } from './package-files.ts';
import { publishedInput, readPackage, type ToolPackage } from './read-package.ts';

/** What packages offer: values for the catalog, and the code for the function registry. */
export interface DescribedPackages {
  readonly description: Description;
  readonly functions: FunctionSource;
}

/**
 * Reads tool packages and loads their code into this process. A package that cannot be used costs its own tool; throws
 * its error only where none is left.
 */
export async function describePackages(
  config: PackageConfig,
  context: SourceContext,
): Promise<DescribedPackages> {
  const named = typeof config === 'string' ? [config] : config;
  const folders = named.flatMap((folder) => packageFolders(resolve(context.baseDirectory, folder)));
  const packages: ToolPackage[] = [];
  const diagnostics: Diagnostic[] = [];
  let broken: ToolcribError | undefined;
  for (const folder of [...new Set(folders)]) {
    try {
      const read = await readPackage(packageFiles(folder), context);
      refuseRepeated(packages, read, folder);
      packages.push(read);
      diagnostics.push(...differing(read, folder));
    } catch (error) {
      if (!(error instanceof ToolcribError)) throw error;
      broken ??= error;
      diagnostics.push(unusable(error, folder));
    }
  }
  if (packages.length === 0 && broken !== undefined) throw broken;
  const published = packages.map((one) => ({ ...one.tool, input: publishedInput(one) }));
  const description = describeFunctions(context.name, { tools: published });
  return {
    description: { ...description, diagnostics: [...description.diagnostics, ...diagnostics] },
    functions: { tools: packages.map(({ tool }) => tool) },
  };
}

function refuseRepeated(before: readonly ToolPackage[], { contract: { name } }: ToolPackage, folder: string) {
  if (before.some(({ contract }) => contract.name === name))
    throw new ToolcribError('source_invalid', `Another package of this source is called ${name}, too.`, {
      location: folder,
    });
}

function differing({ contract, differences }: ToolPackage, folder: string): Diagnostic[] {
  if (differences.length === 0) return [];
  const message = `The code of ${contract.name} and its contract differ in ${differences.join(', ')}: the contract holds. \`toolcrib lint\` says more.`;
  return [{ code: 'package-differs', severity: 'warning', message, location: folder }];
}

function unusable({ message, location, pointer }: ToolcribError, folder: string): Diagnostic {
  return {
    code: 'package-unusable',
    severity: 'error',
    message: `${message} The package is left out.`,
    location: location ?? folder,
    ...(pointer === undefined ? {} : { pointer }),
  };
}
