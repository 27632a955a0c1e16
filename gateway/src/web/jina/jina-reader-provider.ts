import type { EgressResponse, Resolve } from '../../egress/index.ts';
import { ToolcribError } from '../../errors.ts';
import { isObject, type JsonObject, type SecretReference } from '../../operations/index.ts';
import { jsonOf, looseJsonOf, otherAnswer, refused, send } from '../ask.ts';
import { scrapedPage, searchResults } from '../citations.ts';
import { publicTarget } from '../direct/target-url.ts';
import { plainText } from '../plain-text.ts';
import type {
  ScrapedPage,
  ScrapeOptions,
  ScrapeProvider,
  SearchOptions,
  SearchProvider,
  SearchResults,
} from '../provider.ts';
import { type ProviderDoor, type ProviderParts, providerDoor, trimmedBase } from '../provider-door.ts';
import { limited, patienceMs } from '../rate-gate.ts';
import { fittingQuery } from '../search-query.ts';
import { stopIfEnded, type TimeLeft, timeLeft } from '../time-left.ts';

export interface JinaSettings {
  /** Absent: pages are read without a key, at a lower rate; searches need one. */
  readonly apiKey?: SecretReference;
  /** Reader; default https://r.jina.ai. */
  readonly baseUrl?: string;
  /** Search; default https://s.jina.ai. */
  readonly searchBaseUrl?: string;
  /** No page from the service's cache. */
  readonly noCache?: boolean;
}

export interface JinaParts extends ProviderParts {
  /** DNS for the check of a page's address, replaceable for tests. */
  readonly resolve?: Resolve;
}

const QUERY_LIMITS = { characters: 1000, words: 150 };
const MAX_WAIT_SECONDS = 60;

/**
 * Jina Reader, which fetches pages itself: an address goes there only after it passed our own rules (http, https, a
 * public name, no literal address). Its search gives five results.
 */
export class JinaReaderProvider implements ScrapeProvider, SearchProvider {
  readonly name = 'jina';
  readonly origin: string;
  readonly #settings: JinaSettings;
  readonly #searchUrl: string;
  readonly #door: ProviderDoor;
  readonly #resolve: Resolve | undefined;

  constructor(settings: JinaSettings = {}, parts: JinaParts = {}) {
    this.#settings = settings;
    this.origin = trimmedBase(settings.baseUrl ?? 'https://r.jina.ai');
    this.#searchUrl = trimmedBase(settings.searchBaseUrl ?? 'https://s.jina.ai');
    this.#door = providerDoor(parts, this.origin);
    this.#resolve = parts.resolve;
  }

  async scrape(url: string, options: ScrapeOptions = {}): Promise<ScrapedPage> {
    const time = timeLeft(options);
    const target = await publicTarget(url, this.#resolve);
    const body = await this.#ask(this.origin, { url: target.href }, time);
    const data = isObject(body['data']) ? body['data'] : {};
    const content = typeof data['content'] === 'string' ? data['content'].trim() : undefined;
    if (content === undefined) {
      throw new ToolcribError('upstream_failed', `jina answered without the content of ${target.href}.`, {
        details: { provider: this.name },
      });
    }
    const finalUrl = httpUrl(data['url']) ?? target.href;
    const title = plainText(data['title']);
    const warning = plainText(data['warning']);
    return scrapedPage(
      { url, finalUrl, title, content, publishedAt: data['publishedTime'] },
      this.name,
      warning === '' ? [] : [`jina: ${warning}`],
    );
  }

  async search(query: string, count: number, options: SearchOptions = {}): Promise<SearchResults> {
    const time = timeLeft(options);
    const { query: q, warnings } = fittingQuery(query, QUERY_LIMITS, this.name);
    const { freshness, country, language } = options;
    const ignored = freshness === undefined ? [] : ['jina does not search by freshness.'];
    const question = {
      q,
      num: Math.min(count, 20),
      ...(country === undefined ? {} : { gl: country.toLowerCase() }),
      ...(language === undefined ? {} : { hl: language.toLowerCase() }),
    };
    const body = await this.#ask(this.#searchUrl, question, time);
    const { data } = body;
    if (!Array.isArray(data)) throw otherAnswer(this.name, 'no results');
    const found = data.filter(isObject).map((result) => ({
      title: result['title'],
      url: result['url'],
      snippet: result['description'] ?? excerpt(result['content']),
      publishedAt: result['date'] ?? result['publishedTime'],
    }));
    return searchResults(query, found, count, this.name, [...warnings, ...ignored]);
  }

  close(): Promise<void> {
    return this.#door.close();
  }

  async #ask(baseUrl: string, question: JsonObject, time: TimeLeft): Promise<JsonObject> {
    stopIfEnded(time, this.name);
    const { apiKey, noCache } = this.#settings;
    const key =
      apiKey === undefined
        ? undefined
        : await this.#door.secrets.read(apiKey, 'the API key of Jina', time.signal);
    const seconds = Math.max(1, Math.min(MAX_WAIT_SECONDS, Math.floor(time.left() / 1000) - 1));
    const request = {
      method: 'POST',
      url: `${baseUrl}/`,
      headers: [
        ['Accept', 'application/json'],
        ['Content-Type', 'application/json'],
        ['X-Timeout', String(seconds)],
        ...(noCache === true ? [['X-No-Cache', 'true'] as const] : []),
        ...(key === undefined ? [] : [['Authorization', `Bearer ${key}`] as const]),
      ] as const,
      body: JSON.stringify(question),
      credentialHeaders: ['authorization'],
    };
    const response = await send(this.#door.egress, { provider: this.name, request }, time);
    if (response.status !== 200) throw refusal(response.status, response, key);
    const body = jsonOf(response, this.name);
    const answer = isObject(body) ? body : {};
    // Some refusals travel in an answer of 200.
    if (typeof answer['code'] === 'number' && answer['code'] >= 400) {
      throw refusal(answer['code'], response, key);
    }
    return answer;
  }
}

/** `{code, name, message, readableMessage}`: 402 no balance, 451 a blocked domain, 429 too often. */
function refusal(status: number, response: EgressResponse, key: string | undefined): ToolcribError {
  const body = looseJsonOf(response);
  const { name, readableMessage, message } = isObject(body) ? body : {};
  if (status === 429) return limited('jina', patienceMs(response));
  const said = [name, readableMessage ?? message].filter((part) => typeof part === 'string').join(': ');
  return refused('jina', status, said, {
    secrets: key === undefined ? [] : [key],
    details: typeof name === 'string' ? { code: name.slice(0, 100) } : {},
  });
}

function httpUrl(value: unknown): string | undefined {
  const url = typeof value === 'string' ? URL.parse(value) : null;
  return url !== null && /^https?:$/.test(url.protocol) ? url.href : undefined;
}

function excerpt(content: unknown): string {
  return typeof content === 'string' ? content.slice(0, 300) : '';
}
