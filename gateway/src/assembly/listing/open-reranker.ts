import type { EmbeddingsConfiguration } from '../../config/settings/search.ts';
import { createSecretReader } from '../../credentials/secret-reference.ts';
import type { Egress } from '../../egress/egress.ts';
import type { Reranker } from '../../retrieval/index.ts';
import type { Faults } from '../faults.ts';
import { lazily } from '../lazily.ts';

export interface RerankerParts {
  readonly egress: Egress;
  readonly faults: () => Promise<Faults>;
}

/** The reranker that the configuration names; nothing is loaded before the first search. */
export function openReranker(
  { depth, share, ...settings }: EmbeddingsConfiguration,
  { egress, faults }: RerankerParts,
): Reranker {
  const made = lazily(async () => {
    const [{ createEmbeddingReranker }, { OpenAiEmbedder }, { redactor }] = await Promise.all([
      import('../../reranking/index.ts'),
      import('../../web/embedder.ts'),
      faults(),
    ]);
    const secrets = createSecretReader(process.env, (secret) => redactor.add(secret));
    const embedder = new OpenAiEmbedder(settings, { egress, secrets });
    return createEmbeddingReranker({ embedder, ...(share === undefined ? {} : { share }) });
  });
  return {
    ...(depth === undefined ? {} : { depth }),
    rerank: async (...asked) => (await made()).rerank(...asked),
    close: async () => (await made.made?.catch(() => undefined))?.close?.(),
  };
}
