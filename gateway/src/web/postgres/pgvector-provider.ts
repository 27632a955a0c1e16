import { ToolcribError } from '../../errors.ts';
import { retrievedChunks } from '../citations.ts';
import { type Embedder, OpenAiEmbedder } from '../embedder.ts';
import { conditionsOf } from '../filters.ts';
import { passageCount } from '../passage-count.ts';
import type { Filters, RetrievedChunks, RetrieveOptions, RetrieveProvider } from '../provider.ts';
import { timeLeft } from '../time-left.ts';
import { chunkOf } from './chunk-columns.ts';
import type { Connected, Queryable } from './database.ts';
import { table } from './identifiers.ts';
import { connected, type PostgresParts } from './postgres-text-provider.ts';
import type { PgVectorSettings } from './vector-settings.ts';
import { vectorStatement } from './vector-statement.ts';

export interface PgVectorParts extends PostgresParts {
  /** Replaces `embeddings`. */
  readonly embedder?: Embedder;
}

/** Passages of a table with a pgvector column, nearest first. */
export class PgVectorProvider implements RetrieveProvider {
  readonly name = 'pgvector';
  readonly origin: string;
  readonly #settings: PgVectorSettings;
  readonly #connected: Connected;
  readonly #embedder: Embedder;
  #version: readonly [number, number] | undefined;

  constructor(settings: PgVectorSettings, parts: PgVectorParts = {}) {
    table(settings.table);
    const embedder =
      parts.embedder ??
      (settings.embeddings === undefined ? undefined : new OpenAiEmbedder(settings.embeddings, parts));
    if (embedder === undefined)
      throw new ToolcribError('configuration_invalid', 'pgvector needs embeddings.');
    this.#embedder = embedder;
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
    const count = passageCount(options);
    const [vector = []] = await this.#embedder.embed([query], options);
    const { statement, values } = vectorStatement(this.#settings, { query, vector, conditions, count });
    const rows = await this.#connected.run(timeLeft(options), async (run) => {
      await this.#tune(run, count, conditions.length > 0);
      return (await run(statement, values)).rows;
    });
    const chunks = rows.map((row) => chunkOf(row, columns, this.#settings.table));
    const few = rows.length < count && conditions.length > 0 && !this.#iterates();
    const warnings = few
      ? ['Filters apply after the index is read with this version of pgvector: there may be more passages.']
      : [];
    return retrievedChunks(query, chunks, this.name, warnings);
  }

  async close(): Promise<void> {
    await Promise.all([this.#connected.close(), this.#embedder.close?.()]);
  }

  /** Settings of the scan, for this transaction only. */
  async #tune(run: Queryable['query'], count: number, filtered: boolean): Promise<void> {
    const { efSearch = 100, probes, iterativeScan = 'strict_order' } = this.#settings;
    this.#version ??= await extensionVersion(run);
    const set = (name: string, value: string) => run('SELECT set_config($1, $2, true)', [name, value]);
    await set('hnsw.ef_search', String(Math.min(1000, Math.max(efSearch, count))));
    if (probes !== undefined) await set('ivfflat.probes', String(probes));
    if (!filtered || !this.#iterates()) return;
    await set('hnsw.iterative_scan', iterativeScan);
    // IVFFlat has no strict order.
    await set('ivfflat.iterative_scan', iterativeScan === 'off' ? 'off' : 'relaxed_order');
  }

  #iterates(): boolean {
    const [major, minor] = this.#version ?? [0, 0];
    return (major > 0 || minor >= 8) && this.#settings.iterativeScan !== 'off';
  }
}

async function extensionVersion(run: Queryable['query']): Promise<readonly [number, number]> {
  const { rows } = await run("SELECT extversion FROM pg_extension WHERE extname = 'vector'");
  const version = rows[0]?.['extversion'];
  if (typeof version !== 'string') {
    throw new ToolcribError('upstream_failed', 'pgvector: the database has no extension "vector".', {
      details: { provider: 'pgvector' },
      next: 'Create it there: CREATE EXTENSION vector.',
    });
  }
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return [major, minor];
}
