import type { Catalog } from '../catalog/catalog.ts';
import type { Configuration, Environment } from '../config/index.ts';
import { type ChosenScheme, configuredAlternatives } from '../credentials/choose-alternative.ts';
import { isToolcribError } from '../errors.ts';
import type { Finding } from './finding.ts';

/** One secret that is sent as two keys at once, such as a user's name and a token: the document wants one of each. */
export function checkSharedKeys(configuration: Configuration, catalog: Catalog, env: Environment): Finding[] {
  return Object.keys(configuration.sources).flatMap((source): Finding[] => {
    const found = sharedKeys(source, catalog, env);
    if (found === undefined) return [];
    const { place, keys } = found;
    const named = keys.map(({ name, key }) => `${name} (${key})`).join(' and ');
    const own = keys.map(({ name }) => `${name}: { apiKey: … }`).join(', ');
    return [
      {
        check: `credentials of ${source}`,
        status: 'warning',
        message: `${place} is sent as ${keys.length} different keys at once: ${named}.`,
        next: `Give each its own: sources.${source}.credentials: { schemes: { ${own} } }.`,
      },
    ];
  });
}

interface SharedKeys {
  readonly place: string;
  readonly keys: ReadonlyArray<{ readonly name: string; readonly key: string }>;
}

/** Operations of one source that are read: all of a document ask alike. */
const MOST_READ = 200;

/** The first operation that shows it. */
function sharedKeys(source: string, catalog: Catalog, env: Environment): SharedKeys | undefined {
  const connection = catalog.connection(source);
  if (connection === undefined || connection.credentials === 'none') return undefined;
  const keys = Object.values(connection.securitySchemes).filter(({ type }) => type === 'apiKey');
  if (keys.length < 2) return undefined;
  const own = catalog.entries.filter((one) => one.source === source && one.facts.http !== undefined);
  for (const entry of own.slice(0, MOST_READ)) {
    const { invocation } = entry.load();
    if (invocation.kind !== 'http' || invocation.security.length === 0) continue;
    try {
      const found = alikeIn(configuredAlternatives(connection, invocation.security, env)[0]);
      if (found !== undefined) return found;
    } catch (error) {
      if (!isToolcribError(error)) throw error;
    }
  }
  return undefined;
}

/** Keys of one name in two places, a header and the query, are one key. */
function alikeIn(chosen: readonly ChosenScheme[]): SharedKeys | undefined {
  const keys = chosen.flatMap(({ name, scheme, settings: { place } }) =>
    scheme?.type === 'apiKey' ? [{ name, key: scheme.name, place }] : [],
  );
  const shared = [...Map.groupBy(keys, ({ place }) => place)].find(
    ([, alike]) => new Set(alike.map(({ key }) => key.toLowerCase().replace(/^x-|[-_]/g, ''))).size > 1,
  );
  return shared && { place: shared[0], keys: shared[1] };
}
