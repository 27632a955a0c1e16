import type { SecretReference } from '../../operations/index.ts';
import { retrievedChunks } from '../citations.ts';
import { conditionsOf } from '../filters.ts';
import { passageCount } from '../passage-count.ts';
import type { Filters, RetrievedChunks, RetrieveOptions, RetrieveProvider } from '../provider.ts';
import { type ProviderParts, providerDoor } from '../provider-door.ts';
import { timeLeft } from '../time-left.ts';
import { type ChunkColumns, chunkOf, selection } from './chunk-columns.ts';
import { type Connected, connectedBy, connectedTo, type Database } from './database.ts';
import { column, table, textConfiguration } from './identifiers.ts';
import { parameters, whereClause } from './parameters.ts';

export interface PostgresSettings {
  /** A postgres: address; its user should only be able to read. */
  readonly url?: SecretReference;
  /** Table or view, with its schema where that is not on the search path. */
  readonly table: string;
  readonly columns?: ChunkColumns;
  /** Columns, or keys of a jsonb column (`metadata.lang`), that callers may filter by. Default: none. */
  readonly filterFields?: readonly string[];
  /** Always applied, whatever the caller says. */
  readonly fixedFilters?: Filters;
  /** Text search configuration; default `english`. */
  readonly language?: string;
  /** A stored tsvector column; absent: made from the text. */
  readonly tsvector?: string;
  /** Milliseconds of one statement; default 15,000. */
  readonly statementTimeoutMs?: number;
}

export interface PostgresParts extends ProviderParts {
  /** Replaces `url`. */
  readonly database?: Database;
}

/** The connection of a provider: what it was given, or a pool for its address. */
export function connected(settings: PostgresSettings, parts: PostgresParts, provider: string): Connected {
  const { url = { env: 'DATABASE_URL' }, statementTimeoutMs } = settings;
  if (parts.database !== undefined) return connectedTo(parts.database, provider, statementTimeoutMs);
  const { secrets } = providerDoor({ ...parts, egress: parts.egress ?? NO_DOOR }, 'http://localhost');
  return connectedBy(url, secrets, provider, statementTimeoutMs);
}

/** PostgreSQL speaks its own protocol: nothing of it goes through the door for HTTP. */
const NO_DOOR = {} as NonNullable<ProviderParts['egress']>;

/** The tsvector and the query that a question becomes. */
export function textSearch(
  { language = 'english', tsvector, columns = {} }: PostgresSettings,
  place: string,
) {
  const configuration = textConfiguration(language);
  const document =
    tsvector === undefined
      ? `to_tsvector(${configuration}, ${column(columns.text ?? 'text')})`
      : column(tsvector);
  return { document, query: `websearch_to_tsquery(${configuration}, ${place})` };
}

/** PostgreSQL's full text search: quotes, `or` and `-` in a question mean what they mean on the web. */
export class PostgresTextProvider implements RetrieveProvider {
  readonly name = 'postgres';
  readonly origin: string;
  readonly #settings: PostgresSettings;
  readonly #connected: Connected;

  constructor(settings: PostgresSettings, parts: PostgresParts = {}) {
    table(settings.table);
    this.#settings = settings;
    this.origin = `postgres:${settings.table}`;
    this.#connected = connected(settings, parts, this.name);
  }

  async retrieve(
    query: string,
    filters: Filters = {},
    options: RetrieveOptions = {},
  ): Promise<RetrievedChunks> {
    const { columns = {}, filterFields = [], fixedFilters } = this.#settings;
    const conditions = conditionsOf(filters, filterFields, fixedFilters);
    const bound = parameters();
    const search = textSearch(this.#settings, bound.bind(query));
    const statement = `SELECT ${selection(columns)}, ts_rank_cd(${search.document}, ${search.query}) AS score
FROM ${table(this.#settings.table)} AS chunks
WHERE ${search.document} @@ ${search.query} AND ${whereClause(conditions, bound)}
ORDER BY score DESC, chunk_id
LIMIT ${bound.bind(passageCount(options))}`;
    const { rows } = await this.#connected.run(timeLeft(options), (run) => run(statement, bound.values));
    const chunks = rows.map((row) => chunkOf(row, columns, this.#settings.table));
    return retrievedChunks(query, chunks, this.name);
  }

  close(): Promise<void> {
    return this.#connected.close();
  }
}
