import { describe, expect, test } from 'vitest';
import { DEFAULTS } from '../../../src/config/defaults.ts';
import type { InputRequest, JsonObject, Principal } from '../../../src/operations/index.ts';
import { defineTool, type FunctionSource } from '../../../src/sources/function/define.ts';
import { type HttpEndpoint, httpEndpoint } from './http-endpoint.ts';

const form = (message: string): InputRequest => ({
  method: 'elicitation/create',
  params: {
    mode: 'form',
    message,
    requestedSchema: { type: 'object', properties: { name: { type: 'string' } } },
  },
});

/** Tools that ask in the two ways in which an upstream's do: while they run, and by their answer. */
function asking() {
  const ran: string[] = [];
  const source: FunctionSource = {
    tools: [
      defineTool({
        name: 'order',
        description: 'Asks two things while it runs.',
        access: 'read',
        async handler(_args, { channel, signal }) {
          ran.push('order');
          const { content: first } = (await channel.ask!(form('Who?'), signal)) as { content: JsonObject };
          const second = (await channel.ask!(form(`Sure, ${first['name']}?`), signal)) as JsonObject;
          return { who: first['name']!, sure: second['action']! };
        },
      }),
      defineTool({
        name: 'rounds',
        description: 'Asks by its answer.',
        access: 'read',
        handler(_args, { channel, inputRequired }) {
          ran.push('rounds');
          const { requestState, inputResponses } = channel;
          if (requestState === undefined) return inputRequired({ who: form('Who?') }, { round: 'secret' });
          return { state: requestState, answers: inputResponses ?? null };
        },
      }),
      defineTool({
        name: 'long',
        description: 'Keeps much in its state.',
        access: 'read',
        handler: (_args, { channel, inputRequired }) =>
          channel.requestState === undefined
            ? inputRequired({ who: form('Who?') }, 'x'.repeat(1024 * 1024))
            : String(channel.requestState).length,
      }),
      defineTool({
        name: 'busy',
        description: 'Wants to be called again.',
        access: 'read',
        handler: (_args, { channel, inputRequired }) =>
          channel.requestState === undefined ? inputRequired({}, { at: 1 }) : 'done',
      }),
      defineTool({
        name: 'page',
        description: 'Wants a page opened.',
        access: 'read',
        handler: (_args, { inputRequired }) =>
          inputRequired({
            page: {
              method: 'elicitation/create',
              params: { mode: 'url', url: 'https://a.test/', message: '' },
            },
          }),
      }),
    ],
  };
  return { source, ran };
}

const CAPABLE = { clientCapabilities: { elicitation: { form: {} } } };
const accept = (key: string, content: JsonObject) => ({ [key]: { action: 'accept', content } });

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever came
type Answer = readonly [number, any];
const call = (endpoint: HttpEndpoint, tool: string, body: object) =>
  endpoint.post(`/api/v1/tools/${tool}/call`, body) as Promise<Answer>;

test('a tool that asks while it runs waits for its answers, and runs once', async () => {
  const { source, ran } = asking();
  await using endpoint = await httpEndpoint(source);
  const [status, first] = await call(endpoint, 'order', CAPABLE);
  expect([status, first]).toEqual([
    202,
    { inputRequests: { question_1: form('Who?') }, requestState: expect.any(String) },
  ]);
  const [, second] = await call(endpoint, 'order', {
    ...CAPABLE,
    inputResponses: accept('question_1', { name: 'Ada' }),
    requestState: first.requestState,
  });
  expect(second.inputRequests).toEqual({ question_2: form('Sure, Ada?') });
  expect(
    await call(endpoint, 'order', {
      ...CAPABLE,
      inputResponses: { question_2: { action: 'decline' } },
      requestState: second.requestState,
    }),
  ).toMatchObject([200, { structured: { who: 'Ada', sure: 'decline' } }]);
  expect(ran).toEqual(['order']);
});

test('an answer that does not fit its form is refused by its place, and the call waits for another', async () => {
  const { source, ran } = asking();
  await using endpoint = await httpEndpoint(source);
  const [, { requestState }] = await call(endpoint, 'order', CAPABLE);
  const answer = (content: JsonObject) =>
    call(endpoint, 'order', { ...CAPABLE, requestState, inputResponses: accept('question_1', content) });
  expect(await answer({ name: 7 })).toMatchObject([
    400,
    { error: { code: 'answer_invalid', pointer: '/inputResponses/question_1/content/name' } },
  ]);
  const next = { inputRequests: { question_2: form('Sure, Ada?') } };
  expect(await answer({ name: 'Ada' })).toMatchObject([202, next]);
  expect(ran).toEqual(['order']);
});

test('a tool that asks by its answer is called again with answers and state, which no caller can read', async () => {
  const { source, ran } = asking();
  await using endpoint = await httpEndpoint(source);
  const [, asked] = await call(endpoint, 'rounds', CAPABLE);
  expect(asked.inputRequests).toEqual({ who: form('Who?') });
  const inputResponses = accept('who', { name: 'Ada' });
  expect(
    await call(endpoint, 'rounds', { ...CAPABLE, inputResponses, requestState: asked.requestState }),
  ).toMatchObject([200, { structured: { state: { round: 'secret' }, answers: inputResponses } }]);
  expect(ran).toEqual(['rounds', 'rounds']);
});

describe('a caller that declared less than is asked for', () => {
  test.each([
    ['nothing', 'rounds', {}],
    ['nothing, of a page', 'page', {}],
    ['forms, of a page', 'page', CAPABLE],
    ['sampling, of a form', 'rounds', { clientCapabilities: { sampling: {} } }],
  ])('%s: is told what to declare, and sees no question', async (_said, tool, body) => {
    await using endpoint = await httpEndpoint(asking().source);
    const [status, answer] = await call(endpoint, tool, body);
    expect([status, answer.error.code, Object.keys(answer.error.details.requiredCapabilities)]).toEqual([
      400,
      'capability_missing',
      ['elicitation'],
    ]);
    expect(answer.error.next).toContain('clientCapabilities');
  });
});

test('a state may be as long as that of an MCP server', async () => {
  await using endpoint = await httpEndpoint(asking().source, { maxBodyBytes: DEFAULTS.maxBodyBytes });
  const [, { requestState }] = await call(endpoint, 'long', CAPABLE);
  const answered = { ...CAPABLE, inputResponses: accept('who', { name: 'Ada' }), requestState };
  expect(await call(endpoint, 'long', answered)).toMatchObject([
    200,
    { content: [{ text: String(1024 * 1024) }] },
  ]);
});

test('a tool that asks nothing and wants to be called again is so by who declared anything, and says so to others', async () => {
  await using endpoint = await httpEndpoint(asking().source);
  const [status, { error }] = await call(endpoint, 'busy', {});
  expect([status, error.code]).toEqual([502, 'upstream_failed']);
  expect(error.message).toContain('asked for nothing');
  expect(error.next).toContain('clientCapabilities');
  const [, asked] = await call(endpoint, 'busy', { clientCapabilities: {} });
  expect(asked).toEqual({ inputRequests: {}, requestState: expect.any(String) });
  const again = { clientCapabilities: {}, requestState: asked.requestState };
  expect(await call(endpoint, 'busy', again)).toMatchObject([200, { content: [{ text: 'done' }] }]);
});

describe('a request state', () => {
  test('is refused changed, for another tool, and once its call has ended', async () => {
    await using endpoint = await httpEndpoint(asking().source);
    const [, { requestState }] = await call(endpoint, 'order', CAPABLE);
    const answers = { ...CAPABLE, inputResponses: accept('question_1', { name: 'Ada' }) };
    for (const [tool, state] of [
      ['order', `${requestState}x`],
      ['order', 'made up'],
      ['rounds', requestState],
    ] as const) {
      const [status, { error }] = await call(endpoint, tool, { ...answers, requestState: state });
      expect([status, error.code]).toEqual([400, 'request_state_invalid']);
    }
    // whose answer was lost asks again, and is asked what is open now
    const next = { inputRequests: { question_2: form('Sure, Ada?') } };
    expect(await call(endpoint, 'order', { ...answers, requestState })).toMatchObject([202, next]);
    expect(await call(endpoint, 'order', { ...answers, requestState })).toMatchObject([202, next]);
    const last = { ...CAPABLE, inputResponses: { question_2: { action: 'cancel' } }, requestState };
    expect((await call(endpoint, 'order', last))[0]).toBe(200);
    expect(await call(endpoint, 'order', last)).toMatchObject([409, { error: { code: 'input_expired' } }]);
  });

  test('is good for the caller that it was given to', async () => {
    const authenticate = async (id: string): Promise<Principal> => ({
      kind: 'user',
      id,
      organisation: 'acme',
      maxAccess: 'read',
      roles: [],
    });
    await using endpoint = await httpEndpoint(asking().source, {}, {}, { authenticate });
    const as = async (bearer: string, body: object) => {
      const response = await endpoint.request('/api/v1/tools/order/call', {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${bearer}` },
        body: JSON.stringify(body),
      });
      // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever came
      return [response.status, await response.json()] as readonly [number, any];
    };
    const [status, { requestState }] = await as('ann', CAPABLE);
    expect(status).toBe(202);
    const answers = { ...CAPABLE, requestState, inputResponses: accept('question_1', { name: 'Eve' }) };
    expect(await as('bob', answers)).toMatchObject([400, { error: { code: 'request_state_invalid' } }]);
    expect((await as('ann', answers))[0]).toBe(202);
  });

  test('of another process says so', async () => {
    const { source } = asking();
    await using one = await httpEndpoint(source);
    await using two = await httpEndpoint(source);
    const [, { requestState }] = await call(one, 'order', CAPABLE);
    expect(await call(two, 'order', { ...CAPABLE, requestState })).toMatchObject([
      409,
      { error: { code: 'input_expired', message: expect.stringContaining('Another process') } },
    ]);
  });
});

test('a caller that goes away while its tool thinks stops it; one that is asked may take its time', async () => {
  const thinks = Promise.withResolvers<void>();
  const stopped = Promise.withResolvers<string>();
  const source: FunctionSource = {
    tools: [
      defineTool({
        name: 'slow',
        description: 'Asks, then takes long.',
        access: 'read',
        async handler(_args, { channel, signal }) {
          await channel.ask!(form('Who?'), signal);
          signal.addEventListener('abort', () => stopped.resolve('stopped'));
          thinks.resolve();
          await stopped.promise;
          return 'done';
        },
      }),
    ],
  };
  await using endpoint = await httpEndpoint(source);
  const [, { requestState }] = await call(endpoint, 'slow', CAPABLE);
  const gone = new AbortController();
  const going = endpoint.request('/api/v1/tools/slow/call', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...CAPABLE, requestState, inputResponses: accept('question_1', { name: 'Ada' }) }),
    signal: gone.signal,
  });
  void thinks.promise.then(() => gone.abort());
  await expect(going).rejects.toThrow();
  expect(await stopped.promise).toBe('stopped');
});
