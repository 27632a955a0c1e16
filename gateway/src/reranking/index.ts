export { createEmbeddingReranker, type EmbeddingRerankerOptions, type TextEmbedder } from './embeddings.ts';
