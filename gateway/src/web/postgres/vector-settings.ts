import type { EmbeddingSettings } from '../embedder.ts';
import type { PostgresSettings } from './postgres-text-provider.ts';

export type Distance = 'cosine' | 'l2' | 'ip';

export interface PgVectorSettings extends PostgresSettings {
  /** Vector column; default `embedding`. */
  readonly vector?: string;
  /** That of the index; default `cosine`. */
  readonly distance?: Distance;
  /** `hybrid` joins neighbours and full text by their ranks. Default `vector`. */
  readonly mode?: 'vector' | 'hybrid';
  /** Candidates that an HNSW scan keeps, 1 to 1,000; default 100, at least the chunks asked for. */
  readonly efSearch?: number;
  /** Lists that an IVFFlat scan looks into. */
  readonly probes?: number;
  /** How a filtered scan goes on until enough rows are found, from pgvector 0.8. Default `strict_order`. */
  readonly iterativeScan?: 'off' | 'strict_order' | 'relaxed_order';
  readonly embeddings?: EmbeddingSettings;
}
