import { ToolcribError } from '../errors.ts';
import type { OperationHit } from '../operations/index.ts';
import type { Reranker } from '../retrieval/index.ts';
import { VectorCache } from './vector-cache.ts';

/** Turns texts into vectors; the client of an OpenAI-compatible endpoint in `web/embedder.ts` is one. */
export interface TextEmbedder {
  /** One vector a text, in order. `deadline`: milliseconds since the epoch. */
  embed(
    texts: readonly string[],
    options: { readonly signal: AbortSignal; readonly deadline: number },
  ): Promise<readonly (readonly number[])[]>;
  close?(): Promise<void>;
}

export interface EmbeddingRerankerOptions {
  readonly embedder: TextEmbedder;
  /** Hits of the ranking by words that are looked at. Default 50. */
  readonly depth?: number;
  /** Share of the meaning in the final score, 0 to 1; the rest is the score by words. Default 0.5. */
  readonly share?: number;
  /** Texts in one request, at least 2. Default 64. */
  readonly batch?: number;
  /** Milliseconds for all requests of one search; then the order by words stays. Default 3,000. */
  readonly timeoutMs?: number;
  /** Vectors of operations that are kept, least recently used out first. Default 20,000. */
  readonly cached?: number;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}

/** Characters of an operation's text that are sent. */
const MAX_TEXT = 1000;

/** Orders hits by cosine similarity of embeddings, blended with their scores by words. */
export function createEmbeddingReranker({
  embedder,
  depth = 50,
  share = 0.5,
  batch: wanted = 64,
  timeoutMs = 3000,
  cached = 20_000,
  now = Date.now,
}: EmbeddingRerankerOptions): Reranker {
  const batch = Math.max(2, wanted);
  const cache = new VectorCache(cached);

  async function embed(
    texts: readonly string[],
    signal: AbortSignal,
    deadline: number,
  ): Promise<Float32Array[]> {
    const vectors = await embedder.embed(texts, { signal, deadline });
    if (vectors.length !== texts.length) throw unusable('did not answer with one vector a text');
    return vectors.map(unitVector);
  }

  /** The query's vector first. What arrived stays cached, even where a later request fails. */
  async function vectorsOf(
    query: string,
    texts: readonly string[],
    signal: AbortSignal,
  ): Promise<Float32Array[]> {
    const deadline = now() + timeoutMs;
    const known = new Map<string, Float32Array | undefined>(texts.map((text) => [text, cache.get(text)]));
    const missing = [...known].filter(([, vector]) => vector === undefined).map(([text]) => text);
    const [asked, ...first] = await embed([query, ...missing.slice(0, batch - 1)], signal, deadline);
    const keep = (from: number, vectors: readonly Float32Array[]) =>
      vectors.forEach((vector, at) => {
        known.set(missing[from + at]!, vector);
        cache.set(missing[from + at]!, vector);
      });
    keep(0, first);
    for (let at = batch - 1; at < missing.length; at += batch) {
      keep(at, await embed(missing.slice(at, at + batch), signal, deadline));
    }
    const vectors = [asked!, ...texts.map((text) => known.get(text)!)];
    if (vectors.some(({ length }) => length !== asked!.length)) {
      cache.clear();
      throw unusable('answers with vectors of several sizes');
    }
    return vectors;
  }

  return {
    depth,
    async rerank(query, hits, signal) {
      const limited = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
      const texts = hits.map(({ operation }) => textOf(operation));
      const [asked, ...vectors] = await vectorsOf(query, texts, limited).catch((error: unknown) => {
        throw limited.aborted && !signal.aborted ? tooLate(timeoutMs, error) : error;
      });
      return blended(
        hits,
        vectors.map((vector) => cosine(asked!, vector)),
        share,
      );
    },
    close: async () => embedder.close?.(),
  };
}

function textOf({ name, tool, facts }: OperationHit['operation']): string {
  return [facts.title ?? name, tool.description, facts.purpose ?? '']
    .filter(Boolean)
    .join('\n')
    .slice(0, MAX_TEXT);
}

/** Both scores are brought to 0…1 among these hits, so that neither's scale decides. Equal scores keep their order. */
function blended(
  hits: readonly OperationHit[],
  similarities: readonly number[],
  share: number,
): OperationHit[] {
  const words = normalised(hits.map(({ score }) => score));
  const meaning = normalised(similarities);
  return hits
    .map(({ operation }, at) => ({ operation, score: share * meaning[at]! + (1 - share) * words[at]! }))
    .sort((one, other) => other.score - one.score);
}

function normalised(scores: readonly number[]): readonly number[] {
  const least = Math.min(...scores);
  const range = Math.max(...scores) - least;
  return scores.map((score) => (range === 0 ? 0 : (score - least) / range));
}

function unitVector(vector: readonly number[]): Float32Array {
  const length = Math.hypot(...vector);
  if (!Number.isFinite(length) || length === 0) throw unusable('answered with a vector without a direction');
  return Float32Array.from(vector, (value) => value / length);
}

/** Of unit vectors. */
function cosine(one: Float32Array, other: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < one.length; at++) sum += one[at]! * other[at]!;
  return sum;
}

/** Of its own time, which no `timeout` of a source is about. */
function tooLate(timeoutMs: number, cause: unknown): ToolcribError {
  return new ToolcribError(
    'deadline_exceeded',
    `The embeddings endpoint did not answer within ${timeoutMs} ms; results stay in their order by words.`,
    {
      next: 'Lower `search.embeddings.depth`, or name an endpoint and a model there that answer sooner.',
      details: { provider: 'embeddings', kind: 'timeout' },
      cause,
    },
  );
}

function unusable(what: string): ToolcribError {
  return new ToolcribError(
    'upstream_failed',
    `The embeddings endpoint ${what}; results stay in their order by words.`,
    {
      details: { provider: 'embeddings', kind: 'vectors' },
    },
  );
}
