import type { RequestOptions, Server } from '@modelcontextprotocol/server';
import { askClient, isElicitation, type Question, type Send } from './elicited-answer.ts';

/**
 * A client may say that it can ask its person and then fail to: a bridge passes on what its client declared and no
 * question, a client waits until the time is up. The person chose nothing, and that is what the call is told; it goes on
 * from there, with the approval that others can give. A call that was ended, and a client that went away, stay errors.
 */
export function dismissUnanswered(server: Server): void {
  const send = server.request.bind(server) as Send;
  const asking = async (request: Question, options?: RequestOptions) => {
    if (!isElicitation(request)) return send(request, options);
    try {
      return await askClient(send, request, options);
    } catch (error) {
      if (options?.signal?.aborted === true || server.transport === undefined) throw error;
      server.onerror?.(error as Error);
      return { action: 'cancel' };
    }
  };
  server.request = asking as Server['request'];
}
