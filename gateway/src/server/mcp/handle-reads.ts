import type { GetPromptResult, ReadResourceResult } from '@modelcontextprotocol/server';
import type { PromptRead, ResourceRead } from '../../gateway-core.ts';
import { exchange } from './exchange.ts';
import { answering } from './protocol-errors.ts';
import type { Translation } from './translation.ts';

const MAX_COMPLETIONS = 100;

/** Contents of resources. */
export function handleResources(translation: Translation): void {
  const { core, server } = translation;
  server.setRequestHandler('resources/read', ({ params }, context) =>
    exchange(translation, context, params.uri, {
      run: (request) => core.readResource(params.uri, request),
      answer: ({ uri, contents, parts }: ResourceRead) => ({
        contents: [...(parts ?? [{ ...contents, uri }])] satisfies ReadResourceResult['contents'],
      }),
    }),
  );
}

/** Prompts, and completions of their arguments. */
export function handlePrompts(translation: Translation): void {
  const { core, server, session } = translation;
  server.setRequestHandler('prompts/get', ({ params }, context) =>
    exchange(translation, context, params.name, {
      run: (request) => core.getPrompt(params.name, params.arguments ?? {}, request),
      answer: ({ description, messages }: PromptRead) => ({
        ...(description === undefined ? {} : { description }),
        messages: [...messages] as GetPromptResult['messages'],
      }),
    }),
  );
  server.setRequestHandler('completion/complete', ({ params: { ref, argument } }) =>
    answering(async () => {
      const reference = ref.type === 'ref/prompt' ? { prompt: ref.name } : { template: ref.uri };
      const { name, value } = argument;
      const values = await core.complete(reference, name, value, session.principal);
      const hasMore = values.length > MAX_COMPLETIONS;
      return { completion: { values: values.slice(0, MAX_COMPLETIONS), total: values.length, hasMore } };
    }),
  );
}
