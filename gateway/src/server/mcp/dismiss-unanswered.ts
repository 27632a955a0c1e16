import type { RequestOptions, Server } from '@modelcontextprotocol/server';
import { ELICITED } from './elicited-answer.ts';

type Question = { readonly method: string };
type Ask = (request: Question, options?: RequestOptions) => Promise<unknown>;

/**
 * A client may say that it can ask its person and then fail to: a bridge passes on what its client declared and no
 * question, a client waits until the time is up. The person chose nothing, and that is what the call is told; it goes on
 * from there, with the approval that others can give. A call that was ended, and a client that went away, stay errors.
 */
export function dismissUnanswered(server: Server): void {
  const ask = server.request.bind(server);
  const asking: Ask = async (request, options) => {
    if (request.method !== 'elicitation/create') return (ask as Ask)(request, options);
    try {
      return await ask(request, ELICITED, options);
    } catch (error) {
      if (options?.signal?.aborted === true || server.transport === undefined) throw error;
      server.onerror?.(error as Error);
      return { action: 'cancel' };
    }
  };
  server.request = asking as Server['request'];
}
