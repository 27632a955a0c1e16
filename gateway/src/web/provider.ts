import type { Json, JsonObject } from '../operations/index.ts';

/** How long and how patiently a provider may be asked. */
export interface WebCallOptions {
  readonly signal?: AbortSignal;
  /** Milliseconds since the epoch. Default: 30 seconds from now. */
  readonly deadline?: number;
  /** Most milliseconds to wait for a rate limit before `rate_limited`. Default 10,000. */
  readonly patienceMs?: number;
  /** Others are asked when this one fails: finding nothing because something failed is a failure, too. */
  readonly isFollowed?: boolean;
  /** Handed on to tools of MCP servers: for whom they are called. */
  readonly context?: unknown;
}

/** What an answer rests on: where it was found, and the hash of the text that was given. */
export interface Citation {
  readonly sourceUrl: string;
  /** `sha256:` and 64 hex digits over the UTF-8 text. */
  readonly contentHash: string;
  readonly title?: string;
}

export type Freshness = 'day' | 'week' | 'month' | 'year';

export interface SearchOptions extends WebCallOptions {
  /** Only pages seen or changed within this time. */
  readonly freshness?: Freshness;
  /** ISO 3166-1 alpha-2. */
  readonly country?: string;
  /** ISO 639-1. */
  readonly language?: string;
}

export interface SearchResult {
  readonly title: string;
  readonly url: string;
  readonly snippet: string;
  /** As the provider writes it; ISO 8601 where it can be read as a date. */
  readonly publishedAt?: string;
  /** Host that the page is on. */
  readonly source: string;
  /** Over title and snippet, a line each. */
  readonly contentHash: string;
}

export interface SearchResults {
  readonly query: string;
  readonly results: readonly SearchResult[];
  readonly citations: readonly Citation[];
  readonly provider: string;
  readonly warnings?: readonly string[];
}

export interface ScrapeOptions extends WebCallOptions {}

export interface ScrapedPage {
  /** As it was asked for. */
  readonly url: string;
  /** Where the page came from, after redirects. */
  readonly finalUrl: string;
  readonly title: string;
  /** Markdown. */
  readonly content: string;
  readonly byline?: string;
  readonly publishedAt?: string;
  /** Over the content. */
  readonly contentHash: string;
  /** ISO 8601. */
  readonly retrievedAt: string;
  readonly citations: readonly Citation[];
  readonly provider: string;
  readonly warnings?: readonly string[];
}

/** Equal to a value, one of several, or within bounds. */
export type FilterValue = string | number | boolean;
export type Filter =
  | FilterValue
  | readonly FilterValue[]
  | {
      readonly gt?: string | number;
      readonly gte?: string | number;
      readonly lt?: string | number;
      readonly lte?: string | number;
    };
export type Filters = Readonly<Record<string, Filter>>;

export interface RetrieveOptions extends WebCallOptions {
  /** Chunks at most; default 10. */
  readonly count?: number;
}

export interface RetrievedChunk {
  readonly id: string;
  readonly text: string;
  /** Higher is closer; comparable within one answer only. */
  readonly score: number;
  /** Where the text is from: an address, or the place in the index. */
  readonly source: string;
  readonly contentHash: string;
  readonly metadata: JsonObject;
}

export interface RetrievedChunks {
  readonly query: string;
  readonly chunks: readonly RetrievedChunk[];
  readonly citations: readonly Citation[];
  readonly provider: string;
  readonly warnings?: readonly string[];
}

interface Named {
  /** Named in answers and errors. */
  readonly name: string;
  /** Where answers come from, as an address without secrets. */
  readonly origin: string;
  close?(): Promise<void>;
}

/** Searches the web. Throws ToolcribError. */
export interface SearchProvider extends Named {
  search(query: string, count: number, options?: SearchOptions): Promise<SearchResults>;
}

/** Reads one page. Throws ToolcribError. */
export interface ScrapeProvider extends Named {
  scrape(url: string, options?: ScrapeOptions): Promise<ScrapedPage>;
}

/** Finds passages in an index of one's own. Throws ToolcribError. */
export interface RetrieveProvider extends Named {
  retrieve(query: string, filters?: Filters, options?: RetrieveOptions): Promise<RetrievedChunks>;
}

/** What a tool of an MCP server answered (MCP CallToolResult). */
export interface McpToolAnswer {
  readonly content?: readonly { readonly type: string; readonly text?: string }[];
  readonly structuredContent?: Json;
  readonly isError?: boolean;
}

/** Calls a tool of one MCP server. */
export type CallTool = (
  name: string,
  args: JsonObject,
  options: { readonly signal: AbortSignal; readonly context?: unknown },
) => Promise<McpToolAnswer>;
