import type { JsonObject } from './json/json.ts';

/** At most `requests` within any `windowSeconds`, per connection and across processes. */
export interface RateLimit {
  readonly requests: number;
  readonly windowSeconds: number;
}

/** How a provider is told who acts: a header, a query parameter, or the subject of an own token. */
export type ActingUserPlace =
  | { readonly in: 'header' | 'query'; readonly name: string }
  | { readonly in: 'token' };

/** What a source says of the service behind it, beyond its operations. */
export interface ProviderFacts {
  /** `greenhouse`; the proxy's name for it. */
  readonly provider: string;
  readonly displayName: string;
  /** Access levels are set by it: `ats`, `crm`, `email`, `calendar`, … */
  readonly category: string;
  readonly baseUrl: string;
  readonly apiVersion?: string;
  /** Path prefixes below the base, in whole segments, that nobody reaches. */
  readonly blocklist: readonly string[];
  readonly rateLimit?: RateLimit;
  readonly regions: Readonly<Record<string, { readonly baseUrl: string }>>;
  readonly actingUser?: ActingUserPlace;
  readonly deprecated?: { readonly since?: string; readonly removal?: string; readonly replacement?: string };
  /** Mappings to the generic tools of its category, by record name (`candidate`). Read by the topology. */
  readonly generic?: JsonObject;
}
