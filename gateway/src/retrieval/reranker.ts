import type { OperationHit } from '../operations/index.ts';

/** Brings the best hits into a better order, e.g. by meaning instead of words. */
export interface Reranker {
  /** Hits to look at; they are the best of the ranking by words. Default 50. */
  readonly depth?: number;
  /** The same hits, best first; scores may be its own. Throws where it cannot: the order given to it then stays. */
  rerank(query: string, hits: readonly OperationHit[], signal: AbortSignal): Promise<readonly OperationHit[]>;
  close?(): Promise<void>;
}

/** Hits that are given to a reranker which does not say how many it wants. */
export const DEFAULT_DEPTH = 50;

/**
 * The hits in the reranker's order; in their own where it fails, which `onError` learns. What it leaves out follows
 * in the old order, what it adds is dropped: it can neither hide nor reveal an operation. Throws when `signal` ends it.
 */
export async function rerankedHits(
  reranker: Reranker,
  query: string,
  hits: readonly OperationHit[],
  signal: AbortSignal,
  onError?: (error: unknown) => void,
): Promise<readonly OperationHit[]> {
  if (hits.length < 2) return hits;
  try {
    const ranked = await reranker.rerank(query, hits, signal);
    const left = new Map(hits.map((hit) => [hit.operation, hit]));
    const kept = ranked.filter(({ operation }) => left.delete(operation));
    return [...kept.map(({ operation, score }) => ({ operation, score })), ...left.values()];
  } catch (error) {
    signal.throwIfAborted();
    onError?.(error);
    return hits;
  }
}
