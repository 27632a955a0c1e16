import type { SecretReader } from '../credentials/secret-reference.ts';
import type { Egress, Resolve } from '../egress/index.ts';
import { ToolcribError } from '../errors.ts';
import type { ProxySettings } from '../operations/index.ts';
import type { CallTool, RetrieveProvider, ScrapeProvider, SearchProvider } from './provider.ts';
import type { ProviderSettings } from './settings.ts';

/** What providers are made with. */
export interface ProviderSupplies {
  /** For APIs; pages that a caller names go through a door of their own. */
  readonly egress?: Egress;
  readonly secrets?: SecretReader;
  /** Calls a tool of a configured MCP server. */
  readonly mcp?: (server: string) => CallTool;
  /** DNS for pages that a caller names, replaceable for tests. */
  readonly resolve?: Resolve;
  /** Leads to public pages; a provider is made anew when it changes. */
  readonly proxy?: () => ProxySettings | undefined;
}

/** A provider, able to do at least what it was configured for. */
export type AnyProvider = Pick<SearchProvider, 'name' | 'origin' | 'close'> &
  Partial<SearchProvider & ScrapeProvider & RetrieveProvider>;

/** The provider that settings name; each is loaded when it is first wanted. */
export async function createProvider(
  settings: ProviderSettings,
  supplies: ProviderSupplies,
): Promise<AnyProvider> {
  const { mcp, resolve, proxy, ...parts } = supplies;
  const pages = resolve === undefined ? {} : { resolve };
  switch (settings.provider) {
    case 'brave': {
      const { BraveSearchProvider } = await import('./brave/brave-search-provider.ts');
      return new BraveSearchProvider(settings, parts);
    }
    case 'jina': {
      const { JinaReaderProvider } = await import('./jina/jina-reader-provider.ts');
      return new JinaReaderProvider(settings, { ...parts, ...pages });
    }
    case 'searxng': {
      const { SearxngProvider } = await import('./searxng/searxng-provider.ts');
      return new SearxngProvider(settings, parts);
    }
    case 'direct': {
      const { DirectScraper } = await import('./direct/direct-scraper.ts');
      const through = proxy?.();
      return new DirectScraper(settings, { ...pages, ...(through === undefined ? {} : { proxy: through }) });
    }
    case 'opensearch':
    case 'elasticsearch': {
      const { OpenSearchProvider } = await import('./opensearch/opensearch-provider.ts');
      return new OpenSearchProvider({ ...settings, variant: settings.provider }, parts);
    }
    case 'pgvector': {
      const { PgVectorProvider } = await import('./postgres/pgvector-provider.ts');
      return new PgVectorProvider(settings, parts);
    }
    case 'postgres': {
      const { PostgresTextProvider } = await import('./postgres/postgres-text-provider.ts');
      return new PostgresTextProvider(settings, parts);
    }
    case 'mcp': {
      const { MCPProvider } = await import('./mcp/mcp-provider.ts');
      if (mcp === undefined) {
        throw new ToolcribError(
          'configuration_invalid',
          'A web provider of kind mcp needs MCP servers, and there are none here.',
        );
      }
      return new MCPProvider(settings, mcp(settings.server), pages);
    }
  }
}
