import type { Configuration } from '../configuration.ts';
import { parseConfiguration } from '../parse.ts';
import { configurationForDocuments, type DocumentOptions } from './for-documents.ts';

/**
 * `toolcrib serve SPEC --preset NAME`: documents on the command line, each with the settings of a preset. Throws
 * what an unusable preset throws.
 */
export async function configurationForPreset(
  documents: readonly string[],
  preset: string,
  options: DocumentOptions,
): Promise<Configuration> {
  const { env, cwd, overrides = {} } = options;
  const { permissionCheck: _check, features: _features, ...plain } = overrides;
  const base = configurationForDocuments(documents, { env, cwd, overrides: plain });
  const sources = Object.fromEntries(
    Object.entries(base.sources).map(([name, { settings, prefix }]) => [
      name,
      { openapi: settings, prefix, preset },
    ]),
  );
  const parsed = await parseConfiguration({ sources }, { env, baseDirectory: cwd, overrides });
  const { surface } = parsed;
  return {
    ...base,
    sources: parsed.sources,
    egress: parsed.egress,
    ...(surface === undefined ? {} : { surface }),
  };
}
