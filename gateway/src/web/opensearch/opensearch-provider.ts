import type { EgressResponse } from '../../egress/index.ts';
import { ToolcribError } from '../../errors.ts';
import { isObject, type Json, type JsonObject, type SecretReference } from '../../operations/index.ts';
import { scalarText } from '../../operations/text/scalar-text.ts';
import { jsonOf, looseJsonOf, refused, send } from '../ask.ts';
import { retrievedChunks } from '../citations.ts';
import { type Embedder, type EmbeddingSettings, OpenAiEmbedder } from '../embedder.ts';
import { conditionsOf } from '../filters.ts';
import { passageCount } from '../passage-count.ts';
import type { Filters, RetrievedChunks, RetrieveOptions, RetrieveProvider } from '../provider.ts';
import { type ProviderDoor, type ProviderParts, providerDoor, trimmedBase } from '../provider-door.ts';
import { limited, patienceMs } from '../rate-gate.ts';
import { stopIfEnded, type TimeLeft, timeLeft } from '../time-left.ts';
import { queryBody, type SearchMode } from './query-body.ts';

export interface OpenSearchSettings {
  readonly baseUrl: string;
  /** One index, alias or pattern. */
  readonly index: string;
  /** Default `bm25`; `knn` and `hybrid` need `embeddings`. */
  readonly mode?: SearchMode;
  readonly variant?: 'opensearch' | 'elasticsearch';
  readonly fields?: {
    /** Field whose value is given back; default `text`. */
    readonly text?: string;
    /** Fields that are searched; default the text field. */
    readonly search?: readonly string[];
    /** Field with the address or name of the source; default `source`. */
    readonly source?: string;
    /** Vector field; default `embedding`. */
    readonly vector?: string;
  };
  /** Fields that callers may filter by; absent: any. */
  readonly filterFields?: readonly string[];
  /** Always applied, whatever the caller says. */
  readonly fixedFilters?: Filters;
  /** Pipeline that normalises scores of a hybrid query. */
  readonly searchPipeline?: string;
  readonly basic?: { readonly username: SecretReference; readonly password: SecretReference };
  readonly bearer?: SecretReference;
  /** Elasticsearch API key. */
  readonly apiKey?: SecretReference;
  readonly embeddings?: EmbeddingSettings;
}

export interface OpenSearchParts extends ProviderParts {
  /** Replaces `embeddings`. */
  readonly embedder?: Embedder;
}

/** An index of OpenSearch or Elasticsearch: BM25, nearest neighbours, or both. */
export class OpenSearchProvider implements RetrieveProvider {
  readonly name: string;
  readonly origin: string;
  readonly #settings: OpenSearchSettings;
  readonly #mode: SearchMode;
  readonly #door: ProviderDoor;
  readonly #embedder: Embedder | undefined;

  constructor(settings: OpenSearchSettings, parts: OpenSearchParts = {}) {
    this.#settings = settings;
    this.#mode = settings.mode ?? 'bm25';
    this.name = settings.variant ?? 'opensearch';
    this.origin = trimmedBase(settings.baseUrl);
    this.#door = providerDoor(parts, this.origin);
    this.#embedder =
      parts.embedder ??
      (settings.embeddings === undefined ? undefined : new OpenAiEmbedder(settings.embeddings, parts));
    if (this.#mode === 'bm25' || this.#embedder !== undefined) return;
    throw new ToolcribError('configuration_invalid', `${this.name}: mode ${this.#mode} needs embeddings.`);
  }

  async retrieve(
    query: string,
    filters: Filters = {},
    options: RetrieveOptions = {},
  ): Promise<RetrievedChunks> {
    const time = timeLeft(options);
    const count = passageCount(options);
    const { filterFields, fixedFilters } = this.#settings;
    const conditions = conditionsOf(filters, filterFields, fixedFilters);
    const [vector] = this.#mode === 'bm25' ? [] : await this.#embedder!.embed([query], options);
    const body = queryBody({
      query,
      count,
      conditions,
      fields: { search: this.#searched(), vector: this.#vectorField },
      mode: this.#mode,
      vector,
      variant: this.#settings.variant ?? 'opensearch',
    });
    const { hits, warnings } = answerOf(await this.#search(body, time), this.name);
    const chunks = hits.map((hit) => this.#chunk(hit)).filter((chunk) => chunk !== undefined);
    return retrievedChunks(query, chunks.slice(0, count), this.name, warnings);
  }

  async close(): Promise<void> {
    await Promise.all([this.#door.close(), this.#embedder?.close?.()]);
  }

  get #textField(): string {
    return this.#settings.fields?.text ?? 'text';
  }

  get #vectorField(): string {
    return this.#settings.fields?.vector ?? 'embedding';
  }

  #searched(): readonly string[] {
    return this.#settings.fields?.search ?? [this.#textField];
  }

  async #search(body: JsonObject, time: TimeLeft): Promise<unknown> {
    const { index, searchPipeline } = this.#settings;
    stopIfEnded(time, this.name);
    const pipeline =
      searchPipeline === undefined || this.#mode !== 'hybrid'
        ? ''
        : `?search_pipeline=${encodeURIComponent(searchPipeline)}`;
    const { authorization, secrets } = await this.#authorization(time.signal);
    const request = {
      method: 'POST',
      url: `${this.origin}/${encodeURIComponent(index)}/_search${pipeline}`,
      headers: [
        ['Accept', 'application/json'],
        ['Content-Type', 'application/json'],
        ...(authorization === undefined ? [] : [['Authorization', authorization] as const]),
      ] as const,
      body: JSON.stringify({ ...body, timeout: `${Math.max(1, Math.floor(time.left() * 0.9))}ms` }),
      credentialHeaders: ['authorization'],
    };
    const response = await send(this.#door.egress, { provider: this.name, request }, time);
    if (response.status === 429) throw limited(this.name, patienceMs(response, 1000));
    if (response.status !== 200) throw refused(this.name, response.status, reasonOf(response), { secrets });
    return jsonOf(response, this.name);
  }

  async #authorization(signal: AbortSignal): Promise<{ authorization?: string; secrets: string[] }> {
    const { basic, bearer, apiKey } = this.#settings;
    const read = (reference: SecretReference, what: string, nature?: 'public') =>
      this.#door.secrets.read(reference, `the ${what} of ${this.name}`, signal, nature);
    if (basic !== undefined) {
      const username = await read(basic.username, 'user name', 'public');
      const password = await read(basic.password, 'password');
      const pair = Buffer.from(`${username}:${password}`).toString('base64');
      return { authorization: `Basic ${pair}`, secrets: [password, pair] };
    }
    const token = bearer ?? apiKey;
    if (token === undefined) return { secrets: [] };
    const secret = await read(token, bearer === undefined ? 'API key' : 'token');
    return { authorization: `${bearer === undefined ? 'ApiKey' : 'Bearer'} ${secret}`, secrets: [secret] };
  }

  #chunk(hit: JsonObject) {
    const held = isObject(hit['_source']) ? hit['_source'] : {};
    const text = held[this.#textField];
    if (typeof text !== 'string') return undefined;
    const id = scalarText(hit['_id']) ?? '';
    const sourceField = this.#settings.fields?.source ?? 'source';
    const source = held[sourceField];
    const left = new Set([this.#textField, this.#vectorField, sourceField]);
    return {
      id,
      text,
      score: typeof hit['_score'] === 'number' ? hit['_score'] : 0,
      source:
        typeof source === 'string' && source !== ''
          ? source
          : `${this.origin}/${scalarText(hit['_index']) ?? ''}/_doc/${encodeURIComponent(id)}`,
      metadata: Object.fromEntries(Object.entries(held).filter(([key]) => !left.has(key))) as JsonObject,
    };
  }
}

/** A 200 can hide shards that failed and a search that ran out of time: some hits are given with a warning, none is an error. */
function answerOf(body: unknown, provider: string): { hits: JsonObject[]; warnings: string[] } {
  const answer = isObject(body) ? body : {};
  const found = isObject(answer['hits']) ? answer['hits']['hits'] : undefined;
  if (!Array.isArray(found)) {
    throw new ToolcribError('upstream_failed', `${provider} answered without hits.`, {
      details: { provider },
    });
  }
  const hits = found.filter(isObject);
  const shards = isObject(answer['_shards']) ? answer['_shards'] : {};
  const failed = Number(shards['failed'] ?? 0);
  const warnings: string[] = [];
  if (failed > 0) {
    warnings.push(
      `${failed} of ${String(shards['total'])} shards failed${firstReason(shards['failures'])}: results are incomplete.`,
    );
  }
  if (answer['timed_out'] === true) warnings.push('The search ran out of time: results are incomplete.');
  if (hits.length > 0 || warnings.length === 0) return { hits, warnings };
  throw new ToolcribError('upstream_failed', `${provider}: ${warnings.join(' ')}`, {
    details: { provider, kind: failed > 0 ? 'shards_failed' : 'timed_out' },
  });
}

function firstReason(failures: Json | undefined): string {
  const [first] = Array.isArray(failures) ? failures : [];
  const reason = isObject(first) && isObject(first['reason']) ? first['reason']['reason'] : undefined;
  return typeof reason === 'string' ? ` (${reason.slice(0, 200)})` : '';
}

/** `{error: {type, reason}}`, or `{error: text}`. */
function reasonOf(response: EgressResponse): string | undefined {
  const body = looseJsonOf(response);
  const error = isObject(body) ? body['error'] : undefined;
  if (typeof error === 'string') return error;
  if (!isObject(error)) return undefined;
  const [cause] = Array.isArray(error['root_cause']) ? error['root_cause'].filter(isObject) : [];
  const { type, reason } = cause ?? error;
  return [type, reason].filter((part) => typeof part === 'string').join(': ');
}
