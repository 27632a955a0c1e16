import { readFile } from 'node:fs/promises';
import type { Configuration, SourceConfiguration } from '../../../config/index.ts';
import type { ProviderFacts } from '../../../operations/index.ts';
import type { SourceAccess } from '../../../policy/index.ts';

/**
 * What the directory needs to know of every configured source. Manifests are read, since they name the regions;
 * nothing else is, and nothing is fetched.
 */
export async function configuredSources(
  configuration: Configuration,
): Promise<Readonly<Record<string, SourceAccess>>> {
  const entries = Object.entries(configuration.sources).map(async ([name, source]) => {
    const provider = source.kind === 'manifest' ? await providerOf(name, source, configuration) : undefined;
    return [name, accessOf(source, provider, configuration.auth.mode)] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

function accessOf(
  source: SourceConfiguration,
  provider: ProviderFacts | undefined,
  mode: Configuration['auth']['mode'],
): SourceAccess {
  const { credentials } = source;
  const integration = credentials === 'none' ? undefined : credentials?.nango?.integration;
  const regions = Object.keys(provider?.regions ?? {});
  return {
    category: source.category ?? provider?.category ?? 'api',
    connections: source.connections ?? (provider !== undefined && mode === 'team' ? 'records' : 'shared'),
    whenUnauthenticated: source.whenUnauthenticated ?? 'hide',
    ...(regions.length === 0 ? {} : { regions }),
    ...(integration === undefined ? {} : { integration }),
  };
}

async function providerOf(
  name: string,
  { kind, settings }: SourceConfiguration,
  { baseDirectory }: Configuration,
): Promise<ProviderFacts | undefined> {
  const { describeSource } = await import('../../../sources/registry.ts');
  const { provider } = await describeSource(kind, settings, {
    name,
    baseDirectory,
    reader: { read: (location) => readFile(location) },
    signal: new AbortController().signal,
  });
  return provider;
}
