import { createEgress, type Egress, type EgressResponse, type Resolve } from '../../egress/index.ts';
import { ToolcribError } from '../../errors.ts';
import { parseAllowList } from '../../operations/http/allow-list.ts';
import { percentDecoded } from '../../operations/http/percent-decoded.ts';
import type { ProxySettings } from '../../operations/index.ts';
import { VERSION } from '../../version.ts';
import { refused } from '../ask.ts';
import { scrapedPage } from '../citations.ts';
import { plainText } from '../plain-text.ts';
import type { ScrapedPage, ScrapeOptions, ScrapeProvider } from '../provider.ts';
import { limited, patienceMs } from '../rate-gate.ts';
import { stopIfEnded, type TimeLeft, timeLeft } from '../time-left.ts';
import { type FetchPage, fetchPage, type PageLimits } from './page-door.ts';
import type { ReadablePage } from './page-markdown.ts';
import { createPageReader, type PageReader } from './page-reader.ts';
import { kindOf, textOf } from './page-text.ts';
import { createRobots, type Robots } from './robots.ts';
import { targetUrl } from './target-url.ts';

export interface DirectSettings {
  /** Internal sites whose pages may be read: host, host:port or origin. Nothing else that is not public. */
  readonly allow?: readonly string[];
  /** `ignore` only where the operator may: for sites of one's own. Default `respect`. */
  readonly robots?: 'respect' | 'ignore';
  /** Milliseconds of one fetch with redirects; default 10,000. */
  readonly timeoutMs?: number;
  /** Decoded bytes; default 5,000,000. */
  readonly maxBytes?: number;
  /** Default 3. */
  readonly maxRedirects?: number;
  readonly userAgent?: string;
}

export interface DirectParts {
  /** DNS, replaceable for tests. */
  readonly resolve?: Resolve;
  /** Through which public pages are read. Their names are resolved here, whatever it says: callers choose them. */
  readonly proxy?: ProxySettings;
}

const LIMITS: PageLimits = { timeoutMs: 10_000, maxBytes: 5_000_000, maxRedirects: 3 };
const ACCEPT =
  'text/html, application/xhtml+xml, text/plain;q=0.9, text/markdown;q=0.9, application/json;q=0.5';
const MAX_URL_LENGTH = 2048;
/** The product token that robots.txt files can name. */
const PRODUCT = 'Toolcrib';
const NOT_THERE = 'There is no such page: check its address, or search first.';
const NOT_SHOWN = 'The site does not show this page to everybody: read another one.';
const NEXT_OF_PAGE: Readonly<Record<number, string>> = {
  401: NOT_SHOWN,
  403: NOT_SHOWN,
  404: NOT_THERE,
  410: NOT_THERE,
};

/**
 * Reads pages itself. It has a door of its own: what the configuration allows for APIs (a database, an internal
 * service) cannot be reached through the address of a page.
 */
export class DirectScraper implements ScrapeProvider {
  readonly name = 'direct';
  readonly origin = 'web:';
  readonly #egress: Egress;
  readonly #robots: Robots | undefined;
  readonly #fetch: Omit<FetchPage, 'check' | 'accept'>;
  readonly #reader: PageReader;

  constructor(settings: DirectSettings = {}, parts: DirectParts = {}) {
    const { allow = [], robots = 'respect', userAgent = `${PRODUCT}/${VERSION}` } = settings;
    const allowed = parseAllowList(allow);
    this.#egress = createEgress({
      allow,
      ...(parts.resolve === undefined ? {} : { resolve: parts.resolve }),
      ...(parts.proxy === undefined ? {} : { proxy: { ...parts.proxy, resolve: 'here' } }),
    });
    this.#reader = createPageReader();
    this.#fetch = {
      egress: this.#egress,
      userAgent,
      limits: {
        timeoutMs: settings.timeoutMs ?? LIMITS.timeoutMs,
        maxBytes: settings.maxBytes ?? LIMITS.maxBytes,
        maxRedirects: settings.maxRedirects ?? LIMITS.maxRedirects,
      },
      target: (text) => {
        if (text.length > MAX_URL_LENGTH) throw tooLong(text);
        return targetUrl(text, allowed);
      },
    };
    const product = /^[A-Za-z_-]+/.exec(userAgent)?.[0] ?? PRODUCT;
    this.#robots = robots === 'ignore' ? undefined : createRobots(this.#fetch, product, this.#reader);
  }

  async scrape(url: string, options: ScrapeOptions = {}): Promise<ScrapedPage> {
    const time = timeLeft(options);
    stopIfEnded(time, this.name);
    const target = this.#fetch.target(url);
    const check = async (next: URL) => this.#robots?.check(next, time);
    const response = await fetchPage(target, { ...this.#fetch, accept: ACCEPT, check }, time);
    if (response.status === 429) throw limited(target.host, patienceMs(response));
    if (response.status < 200 || response.status >= 300) {
      throw refused(target.host, response.status, undefined, {
        code: 'upstream_status',
        next: NEXT_OF_PAGE[response.status],
      });
    }
    return this.#page(url, response, await this.#read(response, time));
  }

  async close(): Promise<void> {
    await Promise.all([this.#egress.close(), this.#reader.close()]);
  }

  async #read(response: EgressResponse, time: TimeLeft): Promise<ReadablePage> {
    const kind = kindOf(response);
    const text = textOf(response, kind);
    if (kind === 'html') return this.#reader.read(text, response.url, time.left(), time.signal);
    const title = percentDecoded(new URL(response.url).pathname.split('/').at(-1) ?? '');
    const content = kind === 'json' ? `\`\`\`json\n${text.trim()}\n\`\`\`` : text.trim();
    return { title, content, warnings: [] };
  }

  #page(url: string, { url: finalUrl }: EgressResponse, page: ReadablePage): ScrapedPage {
    const { content, warnings } = page;
    const title = plainText(page.title).slice(0, 500);
    const byline = plainText(page.byline).slice(0, 300);
    return scrapedPage(
      { url, finalUrl, title, content, byline, publishedAt: page.publishedTime },
      this.name,
      warnings,
    );
  }
}

function tooLong(text: string): ToolcribError {
  return new ToolcribError(
    'arguments_invalid',
    `The address has ${text.length} characters; ${MAX_URL_LENGTH} are taken.`,
    {
      pointer: '/url',
    },
  );
}
