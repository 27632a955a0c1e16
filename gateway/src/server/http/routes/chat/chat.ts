import { ToolcribError } from '../../../../errors.ts';
import type { ChatEvent } from '../../../../operations/chat.ts';
import { route } from '../../route.ts';
import { CHAT_ANSWER, CHAT_BODY } from './chat-schemas.ts';
import { chatStream, shownEvent } from './chat-stream.ts';

export const chat = route({
  method: 'post',
  path: '/api/v1/chat',
  operationId: 'chat',
  summary: 'Ask the configured model, which calls the tools it needs',
  description:
    'Every call passes the same checks as one over MCP. As Server-Sent Events: start, round, message.delta, tool.call, approval.required, tool.result, then done or error. Closing the connection ends it.',
  // never a tool itself: a model that asks a model has no end
  access: 'dangerous',
  tag: 'chat',
  body: CHAT_BODY,
  response: { description: 'The answer, or with stream the events that lead to it.', schema: CHAT_ANSWER },
  handle: async ({ body }, { gateway, principal, signal, closing, depth, streams }) => {
    if (gateway.chat === undefined) {
      throw new ToolcribError('chat_unavailable', 'This gateway has no chat.');
    }
    const { messages, skill_id, model, max_rounds: maxRounds, session, wait } = body;
    const conversation = await gateway.chat();
    const left = new AbortController();
    const events = conversation.run({
      messages,
      principal,
      signal: AbortSignal.any([signal, left.signal]),
      stop: closing,
      depth,
      ...(skill_id === undefined ? {} : { skill_id }),
      ...(model === undefined ? {} : { model }),
      ...(maxRounds === undefined ? {} : { maxRounds }),
      ...(session === undefined ? {} : { session }),
      ...(wait === undefined ? {} : { approvalWaitMs: wait }),
    });
    const release = streams.open(principal);
    if (!body.stream) return wholeAnswer(events).finally(release);
    return chatStream(events, () => {
      left.abort();
      release();
    });
  },
});

/** Throws what an `error` event says. */
async function wholeAnswer(events: AsyncIterable<ChatEvent>): Promise<object> {
  let start: Extract<ChatEvent, { type: 'start' }> | undefined;
  const calls: object[] = [];
  const approvals: object[] = [];
  for await (const event of events) {
    switch (event.type) {
      case 'start':
        start = event;
        break;
      case 'tool.result': {
        const { type: _type, id: _id, message: _message, ...call } = event;
        calls.push(call);
        break;
      }
      case 'approval.required': {
        const { type: _type, ...asked } = event;
        approvals.push(asked);
        break;
      }
      case 'error':
        throw new ToolcribError(event.code, event.message, { next: event.next });
      case 'done': {
        const { type: _type, text, ...end } = shownEvent(event) as typeof event;
        const { session, model, skill } = start!;
        return {
          message: { role: 'assistant', content: text },
          session,
          model,
          skill,
          ...end,
          calls,
          approvals,
        };
      }
    }
  }
  throw new ToolcribError('internal', 'The conversation had no end.');
}
