import { describe, expect, test } from 'vitest';
import { createChat } from '../../../src/chat/index.ts';
import type { ChatCall, ChatOptions } from '../../../src/chat/options.ts';
import type { ServerConfiguration } from '../../../src/config/configuration.ts';
import { createEgress } from '../../../src/egress/index.ts';
import { type ModelDouble, startModel } from '../../doubles/model/model.ts';
import { type HttpEndpoint, httpEndpoint } from './http-endpoint.ts';

interface ChatEndpoint extends HttpEndpoint {
  readonly model: ModelDouble;
  readonly calls: readonly ChatCall[];
}

async function chatEndpoint(
  options: Partial<ChatOptions> = {},
  settings: Partial<ServerConfiguration> = {},
): Promise<ChatEndpoint> {
  const model = await startModel();
  const egress = createEgress({ allow: [new URL(model.url).origin] });
  const calls: ChatCall[] = [];
  const chat = createChat({
    configuration: () => ({ baseUrl: model.url, model: 'scripted', maxRounds: 3 }),
    egress,
    apiKey: async () => undefined,
    effectiveSkill: (requested) =>
      requested === undefined
        ? { reason: 'none' }
        : { skill: requested, body: 'Be kind.', reason: 'asked for' },
    tools: async () => ({
      static: [{ name: 'look_up', description: '', inputSchema: { type: 'object' }, readOnly: true }],
      dynamic: [],
    }),
    pause: async () => undefined,
    call: async (call) => {
      calls.push(call);
      return { kind: 'completed', content: [{ type: 'text', text: 'Ada' }] };
    },
    ...options,
  });
  const endpoint = await httpEndpoint({ tools: [] }, settings, { chat: async () => chat });
  return {
    ...endpoint,
    model,
    calls,
    async [Symbol.asyncDispose]() {
      await endpoint[Symbol.asyncDispose]();
      await model.close();
      await egress.close();
    },
  };
}

const ASK = { messages: [{ role: 'user', content: 'Who?' }] };

interface Frame {
  readonly event: string;
  readonly data: Record<string, unknown>;
}

function framesOf(text: string): Frame[] {
  return text.split('\n\n').flatMap((frame) => {
    const [, event, data] = /^event: (.*)\ndata: (.*)$/.exec(frame) ?? [];
    return event === undefined ? [] : [{ event, data: JSON.parse(data!) }];
  });
}

const send = (endpoint: HttpEndpoint, body: unknown, init: RequestInit = {}) =>
  endpoint.request('/api/v1/chat', {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
    ...init,
  });

describe('POST /api/v1/chat', () => {
  test('streams the events', async () => {
    await using endpoint = await chatEndpoint();
    endpoint.model.say({ calls: [{ name: 'look_up' }] }, { text: 'It is Ada.' });
    const response = await send(endpoint, { ...ASK, skill_id: 'people', session: 's:1' });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    const frames = framesOf(await response.text());
    expect(frames.map(({ event }) => event).filter((event) => event !== 'message.delta')).toEqual([
      'start',
      'round',
      'tool.call',
      'tool.result',
      'round',
      'done',
    ]);
    for (const { event, data } of frames) expect(data['type']).toBe(event);
    expect(frames[0]!.data).toMatchObject({ session: 's:1', skill: 'people', reason: 'asked for' });
    expect(frames.at(-1)!.data).toMatchObject({ text: 'It is Ada.', rounds: 2, finish_reason: 'stop' });
    expect(frames.at(-1)!.data).not.toHaveProperty('messages');
    expect(endpoint.calls).toMatchObject([
      { tool: 'look_up', skill: 'people', run: 's:1', principal: { id: 'local' } },
    ]);
  });

  test('or answers once', async () => {
    await using endpoint = await chatEndpoint();
    endpoint.model.say(
      { calls: [{ name: 'look_up' }, { name: 'gone' }], usage: { input: 1, output: 2 } },
      { text: 'It is Ada.', usage: { input: 3, output: 4 } },
    );
    expect(await endpoint.post('/api/v1/chat', { ...ASK, stream: false, model: 'big' })).toEqual([
      200,
      {
        message: { role: 'assistant', content: 'It is Ada.' },
        session: expect.stringMatching(/^[0-9a-f]{32}$/),
        model: 'big',
        usage: { input_tokens: 4, output_tokens: 6 },
        rounds: 2,
        finish_reason: 'stop',
        calls: [
          { name: 'look_up', dynamic: false, status: 'ok', latency_ms: expect.any(Number) },
          {
            name: 'gone',
            dynamic: false,
            status: 'failed',
            latency_ms: expect.any(Number),
            error_code: 'tool_unknown',
          },
        ],
        approvals: [],
      },
    ]);
  });

  test('a failing endpoint has a status of its own, or an event once it streams', async () => {
    await using endpoint = await chatEndpoint();
    const refusal = { status: 404, body: { error: { message: 'No such model.' } } };
    endpoint.model.say(refusal, refusal);
    expect(await endpoint.post('/api/v1/chat', { ...ASK, stream: false })).toMatchObject([
      502,
      { error: { code: 'model_failed', message: "The model's endpoint answered 404: No such model." } },
    ]);
    const frames = framesOf(await (await send(endpoint, ASK)).text());
    expect(frames.at(-1)).toMatchObject({ event: 'error', data: { code: 'model_failed', rounds: 1 } });
  });

  test('what keeps it from beginning is an answer, not a stream', async () => {
    await using endpoint = await chatEndpoint({ configuration: () => undefined });
    expect(await endpoint.post('/api/v1/chat', ASK)).toMatchObject([
      503,
      { error: { code: 'chat_unavailable' } },
    ]);
    await using without = await httpEndpoint({ tools: [] });
    expect(await without.post('/api/v1/chat', ASK)).toMatchObject([
      503,
      { error: { code: 'chat_unavailable' } },
    ]);
  });

  test.each([
    ['no messages', { messages: [] }],
    ['a role that only we give', { messages: [{ role: 'tool', content: 'x' }] }],
    ['calls from outside', { messages: [{ role: 'assistant', content: 'x', calls: [] }] }],
    ['another member', { ...ASK, tools: [] }],
    ['a session with a line break', { ...ASK, session: 'a\nb' }],
    ['too many rounds', { ...ASK, max_rounds: 101 }],
  ])('%s is refused', async (_what, body) => {
    await using endpoint = await chatEndpoint();
    expect(await endpoint.post('/api/v1/chat', body)).toMatchObject([
      400,
      { error: { code: 'request_invalid' } },
    ]);
    expect(endpoint.model.questions).toEqual([]);
  });

  test('a body beyond the limit is refused', async () => {
    await using endpoint = await chatEndpoint();
    const content = 'x'.repeat(20_000);
    expect(await endpoint.post('/api/v1/chat', { messages: [{ role: 'user', content }] })).toMatchObject([
      413,
      { error: { code: 'body_too_large' } },
    ]);
  });

  test('ends when the client goes away', async () => {
    await using endpoint = await chatEndpoint();
    const leave = new AbortController();
    endpoint.model.say({ text: 'one two three four', holdAfter: 3, hold: new Promise(() => undefined) });
    const response = await send(endpoint, ASK, { signal: leave.signal });
    const reader = response.body!.getReader();
    await reader.read();
    leave.abort();
    await expect.poll(() => endpoint.model.questions.length).toBe(1);
    expect(await endpoint.model.questions[0]!.left).toBe(true);
  });

  test('ends when the server closes, and says so', async () => {
    const endpoint = await chatEndpoint();
    endpoint.model.say({ text: 'one two three four', holdAfter: 3, hold: new Promise(() => undefined) });
    const response = await send(endpoint, ASK);
    const text = response.text();
    await expect.poll(() => endpoint.model.questions.length).toBe(1);
    const closed = endpoint.server.close();
    expect(framesOf(await text).at(-1)).toMatchObject({
      event: 'error',
      data: { code: 'cancelled', message: 'The gateway is shutting down.' },
    });
    await closed;
    await endpoint[Symbol.asyncDispose]();
  });

  test('is never called by a tool', async () => {
    await using endpoint = await chatEndpoint();
    const request = new Request('http://127.0.0.1/api/v1/chat', {
      method: 'POST',
      body: JSON.stringify(ASK),
      headers: { 'content-type': 'application/json' },
    });
    const owner = {
      principal: { id: 'local', kind: 'local', maxAccess: 'delete', roles: [] },
      depth: 1,
    } as const;
    const response = await endpoint.server.fetchAs(request, owner);
    expect([response.status, await response.json()]).toMatchObject([
      403,
      { error: { code: 'tool_forbidden' } },
    ]);
  });
});
