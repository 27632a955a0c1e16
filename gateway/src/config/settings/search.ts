import type { z } from 'zod';
import type { SecretReference } from '../../operations/index.ts';
import type { searchShape } from '../schema/search.ts';
import { type SecretContext, withAbsoluteFile } from '../secrets.ts';

/** An endpoint that speaks the OpenAI API's `POST /embeddings`, and how far it counts. */
export interface EmbeddingsConfiguration {
  readonly baseUrl: string;
  readonly model: string;
  readonly apiKey?: SecretReference;
  readonly dimensions?: number;
  /** Hits by words that are looked at. */
  readonly depth?: number;
  /** Of the meaning in the final score, 0 to 1. */
  readonly share?: number;
}

export interface SearchConfiguration {
  readonly embeddings?: EmbeddingsConfiguration;
}

type SearchFile = z.infer<typeof searchShape>;

/** `search`, with secrets that are found from any folder. */
export function searchConfiguration(
  given: SearchFile | undefined,
  context: SecretContext,
): SearchConfiguration | undefined {
  if (given?.embeddings === undefined) return undefined;
  const { apiKey, ...rest } = given.embeddings;
  const stated = JSON.parse(JSON.stringify(rest)) as Omit<EmbeddingsConfiguration, 'apiKey'>;
  const key = apiKey as SecretReference | undefined;
  return {
    embeddings: { ...stated, ...(key === undefined ? {} : { apiKey: withAbsoluteFile(key, context) }) },
  };
}
