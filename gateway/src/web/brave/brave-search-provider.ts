import type { EgressResponse } from '../../egress/index.ts';
import { isToolcribError, type ToolcribError } from '../../errors.ts';
import { isObject, type SecretReference } from '../../operations/index.ts';
import { jsonOf, looseJsonOf, otherAnswer, refused, send } from '../ask.ts';
import { type Found, searchResults } from '../citations.ts';
import type { Freshness, SearchOptions, SearchProvider, SearchResults } from '../provider.ts';
import { type ProviderDoor, type ProviderParts, providerDoor, trimmedBase } from '../provider-door.ts';
import { createRateGate, limited, patienceMs, type RateGate } from '../rate-gate.ts';
import { fittingQuery } from '../search-query.ts';
import { stopIfEnded, type TimeLeft, timeLeft } from '../time-left.ts';
import { rateFacts } from './rate-headers.ts';

export interface BraveSettings {
  /** Default: `{ env: BRAVE_API_KEY }`. */
  readonly apiKey?: SecretReference;
  readonly baseUrl?: string;
  readonly safesearch?: 'off' | 'moderate' | 'strict';
}

/** What the API takes: 400 characters and 50 words, 20 results a page, ten pages. */
const QUERY_LIMITS = { characters: 400, words: 50 };
const PAGE_SIZE = 20;
const MAX_PAGES = 10;
const FRESHNESS: Readonly<Record<Freshness, string>> = { day: 'pd', week: 'pw', month: 'pm', year: 'py' };
/** A refused request is not billed and was not carried out: it may go again, so often. */
const MAX_ATTEMPTS = 3;

/** The Brave Search API: `GET /res/v1/web/search`. */
export class BraveSearchProvider implements SearchProvider {
  readonly name = 'brave';
  readonly origin: string;
  readonly #settings: BraveSettings;
  readonly #baseUrl: string;
  readonly #door: ProviderDoor;
  readonly #gate: RateGate;

  constructor(settings: BraveSettings = {}, parts: ProviderParts = {}) {
    this.#settings = settings;
    this.#baseUrl = trimmedBase(settings.baseUrl ?? 'https://api.search.brave.com');
    this.origin = this.#baseUrl;
    this.#door = providerDoor(parts, this.#baseUrl);
    this.#gate = createRateGate(this.name);
  }

  async search(query: string, count: number, options: SearchOptions = {}): Promise<SearchResults> {
    const time = timeLeft(options);
    const fitting = fittingQuery(query, QUERY_LIMITS, this.name);
    const warnings = [...fitting.warnings];
    const reference = this.#settings.apiKey ?? { env: 'BRAVE_API_KEY' };
    const key = await this.#door.secrets.read(reference, 'the API key of Brave', time.signal);
    const found: Found[] = [];
    const wanted = Math.max(1, Math.min(count, PAGE_SIZE * MAX_PAGES));
    const pageSize = Math.min(wanted, PAGE_SIZE);
    for (let page = 0; page * PAGE_SIZE < wanted; page++) {
      try {
        const url = this.#address(fitting.query, pageSize, page, options);
        const { results, more } = await this.#page(url, key, time);
        found.push(...results);
        if (!more) break;
      } catch (error) {
        if (page === 0 || !isToolcribError(error)) throw error;
        warnings.push(`Only the first ${found.length} results: ${error.message}`);
        break;
      }
    }
    return searchResults(query, found, wanted, this.name, warnings);
  }

  close(): Promise<void> {
    return this.#door.close();
  }

  #address(query: string, count: number, page: number, options: SearchOptions): string {
    const { freshness, country, language } = options;
    const parameters = new URLSearchParams({
      q: query,
      count: String(count),
      text_decorations: 'false',
      result_filter: 'web',
    });
    if (page > 0) parameters.set('offset', String(page));
    if (freshness !== undefined) parameters.set('freshness', FRESHNESS[freshness]);
    if (country !== undefined) parameters.set('country', country.toUpperCase());
    if (language !== undefined) parameters.set('search_lang', language.toLowerCase());
    if (this.#settings.safesearch !== undefined) parameters.set('safesearch', this.#settings.safesearch);
    return `${this.#baseUrl}/res/v1/web/search?${parameters}`;
  }

  async #page(url: string, key: string, time: TimeLeft): Promise<{ results: Found[]; more: boolean }> {
    const request = {
      method: 'GET',
      url,
      headers: [
        ['Accept', 'application/json'],
        ['X-Subscription-Token', key],
      ] as const,
      credentialHeaders: ['x-subscription-token'],
    };
    for (let attempt = 1; ; attempt++) {
      await this.#gate.enter(time);
      stopIfEnded(time, this.name);
      const response = await send(this.#door.egress, { provider: this.name, request }, time);
      const resetMs = this.#learn(response);
      if (response.status === 200) return pageOf(jsonOf(response, this.name));
      if (response.status !== 429) throw refusal(response, key);
      if (attempt === MAX_ATTEMPTS) throw limited(this.name, resetMs);
    }
  }

  /** Remembers the windows; milliseconds until a request may go again. */
  #learn(response: EgressResponse): number {
    const { shortest, resetMs } = rateFacts(response.headers);
    if (shortest !== undefined) this.#gate.learn(shortest);
    const waitMs = response.status === 429 ? Math.max(resetMs, patienceMs(response, 1000)) : resetMs;
    if (waitMs > 0) this.#gate.blockUntil(Date.now() + waitMs);
    return waitMs;
  }
}

/** `web` is absent when nothing was found, `query` never. */
function pageOf(body: unknown): { results: Found[]; more: boolean } {
  if (!isObject(body) || (!isObject(body['web']) && !isObject(body['query'])))
    throw otherAnswer('brave', 'neither results nor the question');
  const web = isObject(body['web']) ? body['web'] : {};
  const results = Array.isArray(web['results']) ? web['results'].filter(isObject) : [];
  const query = isObject(body['query']) ? body['query'] : {};
  return {
    results: results.map((result) => ({
      title: result['title'],
      url: result['url'],
      snippet: result['description'],
      publishedAt: result['page_age'] ?? result['age'],
    })),
    more: query['more_results_available'] === true && results.length > 0,
  };
}

/** `{error: {code, detail}}`; a bad token is a 422 there. */
function refusal(response: EgressResponse, key: string): ToolcribError {
  const body = looseJsonOf(response);
  const error = isObject(body) && isObject(body['error']) ? body['error'] : {};
  const code = typeof error['code'] === 'string' ? error['code'] : '';
  const detail = typeof error['detail'] === 'string' ? error['detail'] : '';
  const said = [code, detail].filter((part) => part !== '').join(': ');
  return refused('brave', response.status, said, {
    secrets: [key],
    ...(code === 'SUBSCRIPTION_TOKEN_INVALID' ? { code: 'credentials_refused' as const } : {}),
    details: code === '' ? {} : { code: code.slice(0, 100) },
  });
}
