import type { EgressResponse } from '../../egress/index.ts';
import { ToolcribError } from '../../errors.ts';
import { isObject, type SecretReference } from '../../operations/index.ts';
import { jsonOf, looseJsonOf, otherAnswer, refused, send } from '../ask.ts';
import { type Found, searchResults } from '../citations.ts';
import type { SearchOptions, SearchProvider, SearchResults } from '../provider.ts';
import { type ProviderDoor, type ProviderParts, providerDoor, trimmedBase } from '../provider-door.ts';
import { limited, patienceMs } from '../rate-gate.ts';
import { fittingQuery } from '../search-query.ts';
import { stopIfEnded, type TimeLeft, timeLeft } from '../time-left.ts';

export interface SearxngSettings {
  /** Address of the instance; its `search.formats` must hold `json`. */
  readonly baseUrl: string;
  /** Sent as a bearer token, for instances behind a gate. */
  readonly apiKey?: SecretReference;
  /** Default `general`. */
  readonly categories?: readonly string[];
  readonly engines?: readonly string[];
  readonly safesearch?: 0 | 1 | 2;
}

const QUERY_LIMITS = { characters: 2000, words: 300 };
const MAX_PAGES = 5;

/** A SearXNG instance: `GET /search?format=json`. Page sizes are the engines'. */
export class SearxngProvider implements SearchProvider {
  readonly name = 'searxng';
  readonly origin: string;
  readonly #settings: SearxngSettings;
  readonly #door: ProviderDoor;

  constructor(settings: SearxngSettings, parts: ProviderParts = {}) {
    this.#settings = settings;
    this.origin = trimmedBase(settings.baseUrl);
    this.#door = providerDoor(parts, this.origin);
  }

  async search(query: string, count: number, options: SearchOptions = {}): Promise<SearchResults> {
    const time = timeLeft(options);
    const fitting = fittingQuery(query, QUERY_LIMITS, this.name);
    const warnings = new Set(fitting.warnings);
    if (options.country !== undefined) warnings.add('searxng does not search by country.');
    const found: Found[] = [];
    const seen = new Set<unknown>();
    const silent = new Set<string>();
    for (let page = 1; page <= MAX_PAGES && seen.size < count; page++) {
      const answer = await this.#page(fitting.query, page, options, time);
      for (const engine of answer.unresponsive) silent.add(engine);
      const fresh = answer.results.filter(({ url }) => !seen.has(url));
      for (const result of fresh) {
        seen.add(result.url);
        found.push(result);
      }
      if (fresh.length === 0) break;
    }
    if (found.length === 0 && silent.size > 0 && options.isFollowed === true) throw foundNothing(silent);
    for (const engine of silent) warnings.add(`searxng: ${engine}.`);
    if (found.length === 0 && options.freshness !== undefined)
      warnings.add('searxng asks only those engines that search by time; it may have none.');
    return searchResults(query, found, count, this.name, [...warnings]);
  }

  close(): Promise<void> {
    return this.#door.close();
  }

  async #page(query: string, page: number, options: SearchOptions, time: TimeLeft) {
    stopIfEnded(time, this.name);
    const { apiKey } = this.#settings;
    const key =
      apiKey === undefined
        ? undefined
        : await this.#door.secrets.read(apiKey, 'the key of SearXNG', time.signal);
    const response = await send(
      this.#door.egress,
      {
        provider: this.name,
        request: {
          method: 'GET',
          url: `${this.origin}/search?${this.#parameters(query, page, options)}`,
          headers: [
            ['Accept', 'application/json'],
            ...(key === undefined ? [] : [['Authorization', `Bearer ${key}`] as const]),
          ],
          credentialHeaders: ['authorization'],
        },
      },
      time,
    );
    if (response.status === 429) throw limited(this.name, patienceMs(response));
    if (response.status !== 200)
      throw refused(this.name, response.status, hint(response.status, key) ?? wordsOf(response), {
        secrets: key === undefined ? [] : [key],
      });
    return pageOf(jsonOf(response, this.name));
  }

  #parameters(query: string, page: number, { freshness, language }: SearchOptions): URLSearchParams {
    const { categories, engines, safesearch } = this.#settings;
    const parameters = new URLSearchParams({ q: query, format: 'json', pageno: String(page) });
    if (categories !== undefined) parameters.set('categories', categories.join(','));
    if (engines !== undefined) parameters.set('engines', engines.join(','));
    if (safesearch !== undefined) parameters.set('safesearch', String(safesearch));
    if (freshness !== undefined) parameters.set('time_range', freshness);
    if (language !== undefined) parameters.set('language', language);
    return parameters;
  }
}

function pageOf(body: unknown): { results: Found[]; unresponsive: string[] } {
  const { results, unresponsive_engines: unresponsive } = isObject(body) ? body : {};
  if (!Array.isArray(results)) throw otherAnswer('searxng', 'no results');
  return {
    results: results.filter(isObject).map((result) => ({
      title: result['title'],
      url: result['url'],
      snippet: result['content'],
      publishedAt: result['publishedDate'],
    })),
    unresponsive: (Array.isArray(unresponsive) ? unresponsive : [])
      .filter(Array.isArray)
      .map(
        ([engine, reason]) =>
          `${String(engine).slice(0, 50)} did not answer (${String(reason).slice(0, 100)})`,
      ),
  };
}

/** An instance answers 403 where its configuration does not offer JSON, which is its default. */
function hint(status: number, key: string | undefined): string | undefined {
  if (status !== 403) return undefined;
  return key === undefined
    ? 'does the instance offer json in search.formats?'
    : 'it refuses the key, or json';
}

/** Searx 1.1 and SearXNG: `{"error": "Invalid value \"xx\" for parameter language"}`. */
function wordsOf(response: EgressResponse): string | undefined {
  const body = looseJsonOf(response);
  return isObject(body) && typeof body['error'] === 'string' ? body['error'] : undefined;
}

function foundNothing(silent: ReadonlySet<string>): ToolcribError {
  return new ToolcribError('upstream_failed', `searxng found nothing: ${[...silent].join(', ')}.`, {
    details: { provider: 'searxng' },
  });
}
