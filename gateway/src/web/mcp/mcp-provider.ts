import type { Resolve } from '../../egress/index.ts';
import { ToolcribError } from '../../errors.ts';
import {
  isObject,
  type Json,
  type JsonObject,
  parsePointer,
  readJson,
  valueAt,
} from '../../operations/index.ts';
import { retrievedChunks, scrapedPage, searchResults } from '../citations.ts';
import { publicTarget } from '../direct/target-url.ts';
import { plainText } from '../plain-text.ts';
import type {
  CallTool,
  Filters,
  McpToolAnswer,
  RetrievedChunks,
  RetrieveOptions,
  RetrieveProvider,
  ScrapedPage,
  ScrapeOptions,
  ScrapeProvider,
  SearchOptions,
  SearchProvider,
  SearchResults,
} from '../provider.ts';
import { stopIfEnded, timeLeft } from '../time-left.ts';

/** Which tool stands behind a capability, and how its arguments and answers are read. */
export interface McpMapping {
  readonly tool: string;
  /** Our names (`query`, `count`, `url`, `filters`, …) to the tool's. Default: `query`, `url` and `count` as they are. */
  readonly arguments?: Readonly<Record<string, string>>;
  /** Sent with every call. */
  readonly fixed?: JsonObject;
  /** JSON Pointer to the list of results, or to the page; default: the first list that is there, or the root. */
  readonly results?: string;
  /** JSON Pointers within one result, by our field (`title`, `url`, `snippet`, `text`, `score`, …). */
  readonly fields?: Readonly<Record<string, string>>;
}

export interface McpProviderSettings extends McpMapping {
  /** Named in answers. */
  readonly server?: string;
}

const ARGUMENTS: Readonly<Record<string, string>> = { query: 'query', url: 'url', count: 'count' };

/** Spellings that tools use, tried in turn where the configuration names none. */
const SPELLINGS: Readonly<Record<string, readonly string[]>> = {
  title: ['/title', '/name'],
  url: ['/url', '/link', '/href'],
  snippet: ['/snippet', '/description', '/content', '/text'],
  publishedAt: ['/publishedAt', '/publishedDate', '/page_age', '/date'],
  content: ['/content', '/markdown', '/text'],
  text: ['/text', '/content', '/snippet'],
  score: ['/score'],
  id: ['/id', '/_id'],
  source: ['/source', '/url'],
  metadata: ['/metadata'],
};

/** Any tool of an MCP server as a web provider. */
export class MCPProvider implements SearchProvider, ScrapeProvider, RetrieveProvider {
  readonly name: string;
  readonly origin: string;
  readonly #settings: McpProviderSettings;
  readonly #callTool: CallTool;
  readonly #resolve: Resolve | undefined;

  /** @param parts.resolve DNS for the check of a page's address, replaceable for tests */
  constructor(settings: McpProviderSettings, callTool: CallTool, parts: { readonly resolve?: Resolve } = {}) {
    this.#resolve = parts.resolve;
    this.#settings = settings;
    this.#callTool = callTool;
    const server = settings.server ?? 'mcp';
    this.name = `${server}/${settings.tool}`;
    this.origin = `mcp:${server}`;
  }

  async search(query: string, count: number, options: SearchOptions = {}): Promise<SearchResults> {
    const { freshness, country, language } = options;
    const wishes = { freshness, country, language };
    const { value } = await this.#ask({ query, count, ...wishes }, options);
    const ignored = Object.entries(wishes).filter(([name, wish]) => wish !== undefined && !this.#takes(name));
    const warnings = ignored.map(([name]) => `${this.name} does not search by ${name}.`);
    const found = this.#list(value).map((item) => ({
      title: this.#field(item, 'title'),
      url: this.#field(item, 'url'),
      snippet: this.#field(item, 'snippet'),
      publishedAt: this.#field(item, 'publishedAt'),
    }));
    return searchResults(query, found, count, this.name, warnings);
  }

  /** The server may fetch the page itself: the address must pass our rules before it hears of it. */
  async scrape(url: string, options: ScrapeOptions = {}): Promise<ScrapedPage> {
    const { href: target } = await publicTarget(url, this.#resolve, 'taken');
    const { value, text } = await this.#ask({ url: target }, options);
    const page = this.#root(value);
    const content = isObject(page) ? this.#field(page, 'content') : (page ?? text);
    if (typeof content !== 'string') throw this.#unreadable('no text');
    const own = isObject(page) ? page : {};
    const title = plainText(this.#field(own, 'title'));
    const named = this.#field(own, 'url');
    const finalUrl = typeof named === 'string' && /^https?:/.test(named) ? named : target;
    const publishedAt = this.#field(own, 'publishedAt');
    return scrapedPage({ url, finalUrl, title, content, publishedAt }, this.name);
  }

  async retrieve(
    query: string,
    filters: Filters = {},
    options: RetrieveOptions = {},
  ): Promise<RetrievedChunks> {
    const count = options.count ?? 10;
    const filtered = Object.keys(filters).length > 0;
    if (filtered && !this.#takes('filters')) {
      throw new ToolcribError('arguments_invalid', `${this.name} takes no filters.`, { pointer: '/filters' });
    }
    const given = filtered ? (filters as JsonObject) : undefined;
    const { value } = await this.#ask({ query, count, filters: given }, options);
    const chunks = this.#list(value).flatMap((item, index) => {
      const text = this.#field(item, 'text');
      if (typeof text !== 'string') return [];
      const [id, source, score, metadata] = ['id', 'source', 'score', 'metadata'].map((name) =>
        this.#field(item, name),
      );
      return [
        {
          id: id === undefined ? String(index) : String(id),
          text,
          score: typeof score === 'number' ? score : 0,
          source: typeof source === 'string' ? source : this.origin,
          metadata: isObject(metadata) ? metadata : {},
        },
      ];
    });
    return retrievedChunks(query, chunks.slice(0, count), this.name);
  }

  async #ask(
    ours: Readonly<Record<string, Json | undefined>>,
    options: ScrapeOptions,
  ): Promise<{ value: Json | undefined; text: string }> {
    const time = timeLeft(options);
    stopIfEnded(time, this.name);
    const { tool, arguments: names = ARGUMENTS, fixed = {} } = this.#settings;
    const mapped = Object.entries(ours).flatMap(([name, value]) => {
      const theirs = names[name];
      return value === undefined || theirs === undefined ? [] : [[theirs, value] as const];
    });
    const answer = await this.#callTool(
      tool,
      { ...Object.fromEntries(mapped), ...fixed },
      {
        signal: time.signal,
        context: options.context,
      },
    );
    const text = textOf(answer);
    if (answer.isError === true) {
      throw new ToolcribError('tool_failed', `${this.name}: ${text.slice(0, 500) || 'the tool failed'}`, {
        details: { provider: this.name },
      });
    }
    return { value: answer.structuredContent ?? readJson(text), text };
  }

  #takes(name: string): boolean {
    return (this.#settings.arguments ?? ARGUMENTS)[name] !== undefined;
  }

  #root(value: Json | undefined): Json | undefined {
    const tokens = parsePointer(this.#settings.results ?? '');
    return tokens === undefined ? undefined : (valueAt(value, tokens) as Json | undefined);
  }

  #list(value: Json | undefined): JsonObject[] {
    const root = this.#root(value);
    const list = Array.isArray(root)
      ? root
      : this.#settings.results === undefined && isObject(root)
        ? Object.values(root).find(Array.isArray)
        : undefined;
    if (Array.isArray(list)) return list.filter(isObject);
    throw this.#unreadable(`no list at ${this.#settings.results ?? 'its root'}`);
  }

  #field(item: JsonObject, name: string): Json | undefined {
    const configured = this.#settings.fields?.[name];
    const pointers = configured === undefined ? (SPELLINGS[name] ?? []) : [configured];
    for (const pointer of pointers) {
      const tokens = parsePointer(pointer);
      const value = tokens === undefined ? undefined : (valueAt(item, tokens) as Json | undefined);
      if (value !== undefined && value !== null) return value;
    }
    return undefined;
  }

  #unreadable(problem: string): ToolcribError {
    return new ToolcribError('upstream_failed', `${this.name} answered with ${problem}.`, {
      details: { provider: this.name, kind: 'shape' },
      next: 'Name the places of its answer in the configuration: `results` and `fields` are JSON Pointers.',
    });
  }
}

function textOf({ content = [] }: McpToolAnswer): string {
  return content
    .filter(({ type }) => type === 'text')
    .map(({ text }) => text ?? '')
    .join('\n');
}
