import { ToolcribError } from '../errors.ts';
import { isObject, type JsonObject, type WebCapability } from '../operations/index.ts';
import type { BraveSettings } from './brave/brave-search-provider.ts';
import type { DirectSettings } from './direct/direct-scraper.ts';
import type { JinaSettings } from './jina/jina-reader-provider.ts';
import type { McpMapping } from './mcp/mcp-provider.ts';
import type { OpenSearchSettings } from './opensearch/opensearch-provider.ts';
import type { PostgresSettings } from './postgres/postgres-text-provider.ts';
import type { PgVectorSettings } from './postgres/vector-settings.ts';
import type { SearxngSettings } from './searxng/searxng-provider.ts';

/** One provider with its settings. */
export type ProviderSettings =
  | ({ readonly provider: 'brave' } & BraveSettings)
  | ({ readonly provider: 'jina' } & JinaSettings)
  | ({ readonly provider: 'searxng' } & SearxngSettings)
  | ({ readonly provider: 'direct' } & DirectSettings)
  | ({ readonly provider: 'opensearch' | 'elasticsearch' } & Omit<OpenSearchSettings, 'variant'>)
  | ({ readonly provider: 'pgvector' } & PgVectorSettings)
  | ({ readonly provider: 'postgres' } & PostgresSettings)
  | ({ readonly provider: 'mcp'; readonly server: string } & McpMapping);

export type ProviderName = ProviderSettings['provider'];

/** A provider's name alone, with its settings, or several of them: the next is asked where one cannot answer. */
export type ProviderChoice = string | ProviderSettings | readonly (string | ProviderSettings)[];

/** What stands in the configuration under `web:`. */
export type WebSettings = Readonly<Partial<Record<WebCapability, ProviderChoice>>>;

/** Which providers can be asked for what. */
const ABLE: Readonly<Record<WebCapability, readonly ProviderName[]>> = {
  search: ['brave', 'searxng', 'jina', 'mcp'],
  scrape: ['direct', 'jina', 'mcp'],
  retrieve: ['opensearch', 'elasticsearch', 'pgvector', 'postgres', 'mcp'],
};

/** The providers of one capability in the order in which they are asked. Throws `configuration_invalid`. */
export function chainOf(settings: unknown, capability: WebCapability): readonly ProviderSettings[] {
  const choice = isObject(settings) ? settings[capability] : undefined;
  const chosen = choice === undefined ? [] : Array.isArray(choice) ? choice : [choice];
  return chosen.map((one) => providerSettings(one, capability));
}

function providerSettings(choice: unknown, capability: WebCapability): ProviderSettings {
  const named: JsonObject =
    typeof choice === 'string' ? { provider: choice } : isObject(choice) ? choice : {};
  const able: readonly string[] = ABLE[capability];
  if (able.includes(String(named['provider']))) return named as unknown as ProviderSettings;
  throw new ToolcribError(
    'configuration_invalid',
    `There is no provider "${String(named['provider']).slice(0, 50)}" for ${capability}; there are: ${able.join(', ')}.`,
    { pointer: `/${capability}` },
  );
}
