import { z } from 'zod';
import { JSON_POINTER } from '../../operations/json/pointer.ts';
import { printable } from '../../operations/text/printable.ts';
import { closed, destination, httpUrl, secret, text } from './values.ts';

const IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_$]{0,62}$/;
const TABLE = /^[A-Za-z_][A-Za-z0-9_$]{0,62}(\.[A-Za-z_][A-Za-z0-9_$]{0,62})?$/;
/** A column, or a key of a jsonb column. */
const FIELD = /^[A-Za-z_][A-Za-z0-9_$]{0,62}(\.[A-Za-z0-9_$-]{1,63})*$/;

/** `sources: { web: { web: { search, scrape, retrieve } } }`: a provider's name, its settings, or a chain of them. */
export function webShape() {
  const mcp = mcpProvider();
  const jina = jinaProvider();
  return closed({
    search: choice('search', ['brave', 'jina'], [...searchProviders(), jina, mcp]).optional(),
    scrape: choice('scrape', ['direct', 'jina'], [directProvider(), jina, mcp]).optional(),
    retrieve: choice('retrieve', [], [...retrieveProviders(), mcp]).optional(),
  }).refine(
    (settings) => Object.values(settings).some((one) => one !== undefined),
    'Name a provider for search, scrape or retrieve.',
  );
}

type Provider = z.ZodObject<{ readonly provider: z.ZodLiteral<string> }>;

/** A name alone is enough for `names`. */
function choice(what: string, names: readonly string[], providers: readonly Provider[]) {
  const all = providers.map(({ shape }) => shape.provider.value);
  const unknown = (name: unknown) =>
    `There is no provider "${printable(String(name), 64)}" for ${what}; there are: ${all.join(', ')}.`;
  const name = z
    .string()
    .refine((value) => names.includes(value), {
      error: ({ input }) =>
        all.includes(String(input)) ? `${input} needs settings: { provider: ${input}, … }.` : unknown(input),
    })
    .meta(names.length === 0 ? {} : { enum: [...names] });
  const one = z.union([
    name,
    z.discriminatedUnion('provider', providers as never, {
      error: (issue) =>
        issue.code === 'invalid_union'
          ? unknown((issue.input as { provider?: unknown } | undefined)?.provider)
          : undefined,
    }),
  ]);
  // a list first: what is wrong with one of its entries is said at that entry
  return z.union([z.array(one).min(1, 'Name at least one provider.').max(5), one]);
}

function searchProviders() {
  return [
    closed({
      provider: z.literal('brave'),
      apiKey: secret.optional().describe('Default: { env: BRAVE_API_KEY }.'),
      baseUrl: httpUrl.optional(),
      safesearch: z.enum(['off', 'moderate', 'strict']).optional(),
    }),
    closed({
      provider: z.literal('searxng'),
      baseUrl: httpUrl.describe('An instance that offers json in search.formats.'),
      apiKey: secret.optional(),
      categories: z.array(text).optional(),
      engines: z.array(text).optional(),
      safesearch: z.union([z.literal(0), z.literal(1), z.literal(2)]).optional(),
    }),
  ];
}

function jinaProvider() {
  return closed({
    provider: z.literal('jina'),
    apiKey: secret.optional().describe('Pages can be read without one, at a lower rate.'),
    baseUrl: httpUrl.optional(),
    searchBaseUrl: httpUrl.optional(),
    noCache: z.boolean().optional(),
  });
}

function directProvider() {
  return closed({
    provider: z.literal('direct'),
    allow: z
      .array(destination)
      .optional()
      .describe('Internal sites whose pages may be read: host, host:port or an origin.'),
    robots: z.enum(['respect', 'ignore']).optional().describe('Default: respect.'),
    timeoutMs: z.int().min(100).max(120_000).optional().describe('Default: 10,000.'),
    maxBytes: z.int().min(1000).max(50_000_000).optional().describe('Default: 5,000,000.'),
    maxRedirects: z.int().min(0).max(10).optional().describe('Default: 3.'),
    userAgent: z
      .string()
      .regex(/^[A-Za-z_-]+[\x20-\x7e]{0,200}$/, 'Begins with a product name for robots.txt.')
      .optional(),
  });
}

function mcpProvider() {
  const pointer = z.string().regex(JSON_POINTER, 'Must be a JSON Pointer.');
  return closed({
    provider: z.literal('mcp'),
    server: text.describe('Name of a source of kind mcp, or of an entry in mcpServers.'),
    tool: text,
    arguments: z.record(text, text).optional().describe("Our names (query, count, url, …) to the tool's."),
    fixed: z.record(text, z.json()).optional().describe('Sent with every call.'),
    results: pointer.optional().describe('JSON Pointer to the list of results, or to the page.'),
    fields: z.record(text, pointer).optional().describe('JSON Pointers within a result, by our field.'),
  });
}

function retrieveProviders() {
  const value = z.union([z.string(), z.number(), z.boolean()]);
  const filters = z.record(text, z.union([value, z.array(value).min(1)]));
  const shared = {
    filterFields: z
      .array(z.string().regex(FIELD, 'Must be a field: a column, or a key of a jsonb column behind a dot.'))
      .optional()
      .describe('Fields that callers may filter by.'),
    fixedFilters: filters.optional().describe('Always applied, whatever a caller says.'),
  };
  const embeddings = closed({
    baseUrl: httpUrl.describe('Below it lies /embeddings, as in the OpenAI API.'),
    model: text,
    apiKey: secret.optional(),
    dimensions: z.int().min(1).max(16_000).optional(),
  });
  const index = {
    baseUrl: httpUrl,
    index: text,
    mode: z.enum(['bm25', 'knn', 'hybrid']).optional().describe('Default: bm25. The others need embeddings.'),
    fields: closed({
      text: text.optional(),
      search: z.array(text).min(1).optional(),
      source: text.optional(),
      vector: text.optional(),
    }).optional(),
    ...shared,
    searchPipeline: text.optional(),
    basic: closed({ username: secret, password: secret }).optional(),
    bearer: secret.optional(),
    apiKey: secret.optional(),
    embeddings: embeddings.optional(),
  };
  const column = z.string().regex(IDENTIFIER, 'Must be a column name: letters, digits and "_".');
  const table = {
    url: secret.optional().describe('A postgres: address. Default: { env: DATABASE_URL }.'),
    table: z.string().regex(TABLE, 'Must be a table name, with its schema before a dot where needed.'),
    columns: closed({
      id: column.optional(),
      text: column.optional(),
      source: column.optional(),
      metadata: z.array(column).optional(),
    }).optional(),
    ...shared,
    language: z
      .string()
      .regex(/^[a-z_][a-z0-9_]*(\.[a-z_][a-z0-9_]*)?$/, 'Must be a text search configuration.')
      .optional(),
    tsvector: column.optional(),
    statementTimeoutMs: z.int().min(1).max(300_000).optional(),
  };
  return [
    closed({ provider: z.literal('opensearch'), ...index }),
    closed({ provider: z.literal('elasticsearch'), ...index }),
    closed({ provider: z.literal('postgres'), ...table }),
    closed({
      provider: z.literal('pgvector'),
      ...table,
      vector: column.optional(),
      distance: z.enum(['cosine', 'l2', 'ip']).optional(),
      mode: z.enum(['vector', 'hybrid']).optional(),
      efSearch: z.int().min(1).max(1000).optional(),
      probes: z.int().min(1).max(32_768).optional(),
      iterativeScan: z.enum(['off', 'strict_order', 'relaxed_order']).optional(),
      embeddings,
    }),
  ];
}
