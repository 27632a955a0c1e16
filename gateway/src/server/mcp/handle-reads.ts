import type { GetPromptResult, ReadResourceResult } from '@modelcontextprotocol/server';
import type { PromptRead, ResourceRead } from '../../gateway-core.ts';
import { type CompletionQuestion, MAX_COMPLETIONS } from '../../operations/index.ts';
import { belongsTo } from './call-meta.ts';
import { exchange } from './exchange.ts';
import { answering } from './protocol-errors.ts';
import type { Translation } from './translation.ts';

/**
 * Contents of resources.
 * @param ownRun what is read belongs to, unless the client says more
 */
export function handleResources(translation: Translation, ownRun: string | undefined): void {
  const { core, server } = translation;
  server.setRequestHandler('resources/read', ({ params }, context) =>
    exchange(translation, context, params.uri, {
      run: (request) => core.readResource(params.uri, { ...request, ...belongsTo(context, ownRun) }),
      answer: ({ uri, contents, parts, meta }: ResourceRead) => ({
        contents: [...(parts ?? [{ ...contents, uri }])] satisfies ReadResourceResult['contents'],
        ...(meta === undefined ? {} : { _meta: meta }),
      }),
    }),
  );
}

/** Prompts, and completions of their arguments. */
export function handlePrompts(translation: Translation, ownRun: string | undefined): void {
  const { core, server, session } = translation;
  server.setRequestHandler('prompts/get', ({ params }, context) =>
    exchange(translation, context, params.name, {
      arguments: params.arguments,
      run: (request) =>
        core.getPrompt(params.name, params.arguments ?? {}, {
          ...request,
          ...belongsTo(context, ownRun),
        }),
      answer: ({ description, messages, meta }: PromptRead) => ({
        ...(description === undefined ? {} : { description }),
        messages: [...messages] as GetPromptResult['messages'],
        ...(meta === undefined ? {} : { _meta: meta }),
      }),
    }),
  );
  server.setRequestHandler('completion/complete', ({ params: { ref, argument, context } }, { mcpReq }) =>
    answering(async () => {
      const question: CompletionQuestion = {
        reference: ref.type === 'ref/prompt' ? { prompt: ref.name } : { template: ref.uri },
        argument: argument.name,
        value: argument.value,
        ...(context?.arguments === undefined ? {} : { chosen: context.arguments }),
      };
      const { principal } = session;
      const { values, total, hasMore } = await core.complete(question, { principal, signal: mcpReq.signal });
      return {
        completion: {
          values: values.slice(0, MAX_COMPLETIONS),
          ...(total === undefined ? {} : { total }),
          hasMore: hasMore ?? values.length > MAX_COMPLETIONS,
        },
      };
    }),
  );
}
