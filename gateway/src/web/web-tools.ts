import { ToolcribError } from '../errors.ts';
import { canonicalJson, type WebCapability } from '../operations/index.ts';
import { askChain, type Link, type Unavailable } from './chain.ts';
import { type AnyProvider, createProvider, type ProviderSupplies } from './create-provider.ts';
import type {
  Filters,
  RetrievedChunks,
  RetrieveOptions,
  RetrieveProvider,
  ScrapedPage,
  ScrapeOptions,
  ScrapeProvider,
  SearchOptions,
  SearchProvider,
  SearchResults,
} from './provider.ts';
import { chainOf, type ProviderSettings, type WebSettings } from './settings.ts';

/** Providers that are no longer named are closed once so many are kept. */
const MAX_KEPT = 16;

/** An answer, and those of the chain that could not give it. */
export type Answered<R> = R & { readonly unavailable?: readonly Unavailable[] };

export interface WebTools {
  search(query: string, count?: number, options?: SearchOptions): Promise<Answered<SearchResults>>;
  scrape(url: string, options?: ScrapeOptions): Promise<Answered<ScrapedPage>>;
  retrieve(query: string, filters?: Filters, options?: RetrieveOptions): Promise<Answered<RetrievedChunks>>;
  /** Where the answer of the named provider came from. */
  originOf(provider: string): string | undefined;
  close(): Promise<void>;
}

/** A provider of one's own is taken as it is, and never closed here. */
export type ProviderOrSettings<P> = P | ProviderSettings | string;

export interface OwnProviders {
  readonly search?: ProviderOrSettings<SearchProvider> | readonly ProviderOrSettings<SearchProvider>[];
  readonly scrape?: ProviderOrSettings<ScrapeProvider> | readonly ProviderOrSettings<ScrapeProvider>[];
  readonly retrieve?: ProviderOrSettings<RetrieveProvider> | readonly ProviderOrSettings<RetrieveProvider>[];
}

/**
 * The three tools over whichever providers the settings name at the moment of a call: a function is asked anew each
 * time, so that a provider is exchanged while calls run. One that stays named keeps its connections and rate limits.
 */
export function createWebTools(
  settings: WebSettings | OwnProviders | (() => WebSettings | OwnProviders | undefined),
  supplies: ProviderSupplies = {},
): WebTools {
  const kept = new Map<string, Kept>();
  const origins = new Map<string, string>();

  const made = (one: ProviderSettings): Kept => {
    const key = canonicalJson([one, supplies.proxy?.() ?? null]);
    const known = kept.get(key) ?? { provider: createProvider(one, supplies), calls: 0 };
    known.provider.catch(() => kept.delete(key));
    kept.delete(key);
    kept.set(key, known);
    return known;
  };
  const links = (capability: WebCapability): Link<AnyProvider>[] => {
    const current = (typeof settings === 'function' ? settings() : settings) ?? {};
    const choice = (current as OwnProviders)[capability];
    const chosen: readonly unknown[] = choice === undefined ? [] : Array.isArray(choice) ? choice : [choice];
    if (chosen.length === 0) {
      throw new ToolcribError('configuration_invalid', `No provider is configured for ${capability}.`);
    }
    return chosen.map((one) => {
      if (isProvider(one, capability)) return { name: one.name, use: (work) => work(one) };
      const [own] = chainOf({ [capability]: one }, capability);
      return { name: own!.provider, use: (work) => during(made(own!), work) };
    });
  };
  const forgetUnused = async () => {
    for (const [key, { provider, calls }] of kept) {
      if (kept.size <= MAX_KEPT) return;
      if (calls > 0) continue;
      kept.delete(key);
      await closed(provider);
    }
  };
  const ask = async <R extends { readonly provider: string }>(
    capability: WebCapability,
    options: SearchOptions,
    run: (provider: AnyProvider, options: SearchOptions) => Promise<R>,
  ): Promise<Answered<R>> => {
    const { answer, unavailable } = await askChain(links(capability), options, (provider, own) => {
      origins.set(provider.name, provider.origin);
      return run(provider, own);
    });
    if (kept.size > MAX_KEPT) await forgetUnused();
    return unavailable.length === 0 ? answer : { ...answer, unavailable };
  };

  return {
    search: (query, count = 10, options = {}) =>
      ask('search', options, (provider, own) => provider.search!(query, count, own)),
    scrape: (url, options = {}) => ask('scrape', options, (provider, own) => provider.scrape!(url, own)),
    retrieve: (query, filters = {}, options = {}) =>
      ask('retrieve', options, (provider, own) => provider.retrieve!(query, filters, { ...options, ...own })),
    originOf: (provider) => origins.get(provider),
    async close() {
      const providers = [...kept.values()];
      kept.clear();
      for (const { provider } of providers) await closed(provider);
    },
  };
}

interface Kept {
  readonly provider: Promise<AnyProvider>;
  /** Under way. */
  calls: number;
}

async function during<R>(kept: Kept, work: (provider: AnyProvider) => Promise<R>): Promise<R> {
  kept.calls++;
  try {
    return await work(await kept.provider);
  } finally {
    kept.calls--;
  }
}

async function closed(provider: Promise<AnyProvider>): Promise<void> {
  await (await provider.catch(() => undefined))?.close?.();
}

/** A name alone is none, though every text has a `search`. */
function isProvider(value: unknown, capability: WebCapability): value is AnyProvider {
  return (
    typeof value === 'object' &&
    typeof (value as Partial<Record<WebCapability, unknown>> | null)?.[capability] === 'function'
  );
}
