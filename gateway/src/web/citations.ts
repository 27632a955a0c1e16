import { hashBytes } from '../operations/index.ts';
import { plainText } from './plain-text.ts';
import type {
  Citation,
  RetrievedChunk,
  RetrievedChunks,
  ScrapedPage,
  SearchResult,
  SearchResults,
} from './provider.ts';

/** What a search provider found, before it is made uniform. */
export interface Found {
  readonly title: unknown;
  readonly url: unknown;
  readonly snippet: unknown;
  readonly publishedAt?: unknown;
}

/** What a page provider read, before it is made uniform. */
export interface FoundPage {
  /** As it was asked for. */
  readonly url: string;
  /** Where the content came from. */
  readonly finalUrl: string;
  readonly title: string;
  readonly content: string;
  readonly byline?: string;
  readonly publishedAt?: unknown;
}

/** A uniform page with its citation; what is empty is left out. */
export function scrapedPage(
  { url, finalUrl, title, content, byline = '', publishedAt }: FoundPage,
  provider: string,
  warnings: readonly string[] = [],
): ScrapedPage {
  const date = isoDate(publishedAt);
  const contentHash = hashBytes(content);
  return {
    url,
    finalUrl,
    title,
    content,
    ...(byline === '' ? {} : { byline }),
    ...(date === undefined ? {} : { publishedAt: date }),
    contentHash,
    retrievedAt: new Date().toISOString(),
    citations: [{ sourceUrl: finalUrl, contentHash, title }],
    provider,
    ...(warnings.length === 0 ? {} : { warnings }),
  };
}

/** Uniform results with citations; what has no http(s) address, or stood there before, is left out. */
export function searchResults(
  query: string,
  found: readonly Found[],
  count: number,
  provider: string,
  warnings: readonly string[] = [],
): SearchResults {
  const byUrl = new Map<string, SearchResult>();
  for (const one of found) {
    const result = searchResult(one);
    if (result !== undefined && !byUrl.has(result.url)) byUrl.set(result.url, result);
  }
  const results = [...byUrl.values()].slice(0, count);
  return {
    query,
    results,
    citations: results.map(({ url, contentHash, title }) => ({ sourceUrl: url, contentHash, title })),
    provider,
    ...(warnings.length === 0 ? {} : { warnings }),
  };
}

function searchResult({ title, url, snippet, publishedAt }: Found): SearchResult | undefined {
  const address = typeof url === 'string' ? URL.parse(url) : null;
  if (address === null || !/^https?:$/.test(address.protocol)) return undefined;
  const words = { title: plainText(title) || address.hostname, snippet: plainText(snippet) };
  const date = isoDate(publishedAt);
  return {
    title: words.title,
    url: address.href,
    snippet: words.snippet,
    ...(date === undefined ? {} : { publishedAt: date }),
    source: address.hostname,
    contentHash: hashBytes(`${words.title}\n${words.snippet}`),
  };
}

/** ISO 8601 where the text is a date, the text itself where it is not (`3 days ago`). */
export function isoDate(value: unknown): string | undefined {
  const text = plainText(value).slice(0, 100);
  if (text === '') return undefined;
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return text;
  const zoned = /^\d{4}-\d{2}-\d{2}T[\d:.]+$/.test(text) ? `${text}Z` : text;
  const parsed = /\d{4}/.test(text) ? Date.parse(zoned) : Number.NaN;
  return Number.isNaN(parsed) ? text : new Date(parsed).toISOString();
}

export function retrievedChunks(
  query: string,
  chunks: readonly Omit<RetrievedChunk, 'contentHash'>[],
  provider: string,
  warnings: readonly string[] = [],
): RetrievedChunks {
  const hashed = chunks.map((chunk) => ({ ...chunk, contentHash: hashBytes(chunk.text) }));
  const citations: Citation[] = hashed.map(({ source, contentHash }) => ({ sourceUrl: source, contentHash }));
  return { query, chunks: hashed, citations, provider, ...(warnings.length === 0 ? {} : { warnings }) };
}
