import { createGateway, type Reranker } from 'toolcrib';

const shortestFirst: Reranker = {
  depth: 20,
  rerank: async (_query, hits) => hits.toSorted((a, b) => a.operation.name.length - b.operation.name.length),
};

await createGateway({ sources: { shop: { openapi: './shop.yaml' } } }, { reranker: shortestFirst });
