export { createEmbeddingReranker, type EmbeddingRerankerOptions } from './embeddings.ts';
