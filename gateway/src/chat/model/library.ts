import { trimEndOf } from '../../operations/text/trim-runs.ts';
import { once } from '../../operations/work/once.ts';

const loaded = once(() => import('@ai-sdk/openai-compatible'));

/** One model of an endpoint: it builds the request and reads the answer, and asks no other address. */
export type ModelLibrary = InstanceType<
  typeof import('@ai-sdk/openai-compatible')['OpenAICompatibleChatLanguageModel']
>;

interface LibraryOptions {
  /** A query is kept: some services want their version there. */
  readonly baseUrl: string;
  readonly model: string;
  readonly apiKey: string | undefined;
  readonly fetch: typeof globalThis.fetch;
}

/** Loads the library with the first conversation. It has no repetitions, no telemetry and no connection of its own. */
export async function openModel({ baseUrl, model, apiKey, fetch }: LibraryOptions): Promise<ModelLibrary> {
  const { OpenAICompatibleChatLanguageModel } = await loaded();
  return new OpenAICompatibleChatLanguageModel(model, {
    provider: 'chat.chat',
    headers: apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` },
    url: ({ path }) => {
      const url = new URL(baseUrl);
      url.pathname = trimEndOf(url.pathname, '/') + path;
      return url.href;
    },
    includeUsage: true,
    fetch,
  });
}
