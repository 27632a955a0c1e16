import { describe, expect, test } from 'vitest';
import { EgressFailure } from '../../src/egress/index.ts';
import { startLoopbackService } from '../doubles/loopback-service.ts';
import { chatSetup, closeAfterEach, KEY, only, says, textOf, tool } from './chat-setup.ts';

closeAfterEach();

describe('the endpoint', () => {
  test('may answer at once instead of streaming', async () => {
    const { model, run, calls } = await chatSetup({
      tools: async () => ({ static: [tool('look_up')], dynamic: [] }),
    });
    model.say(
      { whole: true, calls: [{ name: 'look_up', arguments: { q: 'x' } }], usage: { input: 3, output: 4 } },
      { whole: true, text: 'Found.', usage: { input: 5, output: 6 } },
    );
    const events = await run();
    expect(calls).toMatchObject([{ tool: 'look_up', arguments: { q: 'x' } }]);
    expect(textOf(events)).toBe('Found.');
    expect(events.at(-1)).toMatchObject({ type: 'done', usage: { input_tokens: 8, output_tokens: 10 } });
    expect(model.questions).toHaveLength(2);
  });

  test('may keep its version in a query', async () => {
    const { model, run } = await chatSetup({
      configuration: () => ({ baseUrl: `${model.url}/?api-version=7`, model: 'm', maxRounds: 1 }),
    });
    model.say({ text: 'ok' });
    await run();
    expect(model.questions[0]!.path).toBe('/v1/chat/completions?api-version=7');
  });

  test('needs no key where it has none', async () => {
    const { model, run } = await chatSetup({ apiKey: async () => undefined });
    model.say({ text: 'ok' });
    await run();
    expect(model.questions[0]!.headers['authorization']).toBeUndefined();
  });

  test.each([
    ['length', 'length'],
    ['content_filter', 'content_filter'],
    ['odd', 'other'],
  ])('finish reason %s is told as %s', async (said, told) => {
    const { model, run } = await chatSetup();
    model.say({ text: 'x', finish: said });
    expect((await run()).at(-1)).toMatchObject({ type: 'done', finish_reason: told });
  });

  test('calls of one id are told apart', async () => {
    const { model, run } = await chatSetup({
      tools: async () => ({ static: [tool('look_up', { readOnly: true })], dynamic: [] }),
    });
    const same = { name: 'look_up', id: 'same' };
    model.say({ whole: true, calls: [same, same] }, { text: 'ok' });
    await run();
    const [, assistant, ...results] = model.questions[1]!.body.messages.slice(1);
    expect(assistant!.tool_calls!.map(({ id }) => id)).toEqual(['same', 'same-1']);
    expect(results.map(({ tool_call_id }) => tool_call_id)).toEqual(['same', 'same-1']);
  });
});

describe('refusals', () => {
  test('429 and 5xx are asked again, at most twice', async () => {
    const { model, run, pauses } = await chatSetup();
    model.say(
      { status: 429, headers: { 'retry-after': '2' } },
      { status: 503, body: 'busy' },
      { text: 'Here.' },
    );
    const events = await run();
    expect(textOf(events)).toBe('Here.');
    expect(pauses).toEqual([2000, 1000]);
    expect(model.questions).toHaveLength(3);
  });

  test('then they are told with status and message', async () => {
    const { model, run, pauses } = await chatSetup();
    const busy = { status: 503, body: '<html><title>503 Busy</title></html>' };
    model.say(busy, busy, busy, { text: 'never' });
    expect((await run()).at(-1)).toMatchObject({
      type: 'error',
      code: 'model_failed',
      message: "The model's endpoint answered 503: 503 Busy",
      usage: {},
      rounds: 1,
      messages: [],
    });
    expect(pauses).toEqual([500, 1000]);
    expect(model.questions).toHaveLength(3);
  });

  test('whoever asks for a long pause is not waited for', async () => {
    const { model, run, pauses } = await chatSetup();
    model.say({ status: 429, headers: { 'retry-after': '3600' }, body: { error: { message: 'Quota.' } } });
    expect((await run()).at(-1)).toMatchObject({
      code: 'model_failed',
      message: "The model's endpoint answered 429: Quota.",
      next: 'Try again in 3600 seconds.',
    });
    expect(pauses).toEqual([]);
  });

  test.each([400, 401, 404, 422])('%i is told at once', async (status) => {
    const { model, run } = await chatSetup();
    model.say({ status, body: { error: { message: 'No such model.' } } });
    expect((await run()).at(-1)).toMatchObject({
      code: 'model_failed',
      message: `The model's endpoint answered ${status}: No such model.`,
    });
    expect(model.questions).toHaveLength(1);
  });

  test('the key is in no message, and nothing hidden is', async () => {
    const { model, run } = await chatSetup();
    const message = `Incorrect key ${KEY}\u001b[31m\u202e provided: Bearer ${KEY}. ${'x'.repeat(2000)}`;
    model.say({ status: 401, body: { error: { message } } });
    const last = (await run()).at(-1)!;
    expect(JSON.stringify(last)).not.toContain(KEY);
    expect(last).toMatchObject({ message: expect.stringMatching(/^[\x20-\x7e…]{20,600}$/) });
    expect(last).toMatchObject({ message: expect.stringContaining('Incorrect key [key]') });
  });

  test('a redirect is not followed: the key is for one address', async () => {
    const elsewhere = await startLoopbackService('', () => ({ status: 200, body: {} }));
    try {
      const { model, run } = await chatSetup();
      model.say({ status: 307, headers: { location: `${elsewhere.url}/v1/chat/completions` } });
      expect((await run()).at(-1)).toMatchObject({ type: 'error', code: 'model_failed' });
      expect(elsewhere.requests).toEqual([]);
    } finally {
      await elsewhere.close();
    }
  });

  test('an address that the door does not let through is told as such', async () => {
    const { run } = await chatSetup({
      configuration: () => ({ baseUrl: 'http://10.1.2.3/v1', model: 'm', maxRounds: 1 }),
    });
    expect((await run()).at(-1)).toMatchObject({ type: 'error', code: 'egress_blocked' });
  });
});

describe('broken answers', () => {
  test('a connection that is cut in the middle is an error, and what was said stays said', async () => {
    const { model, run, pauses } = await chatSetup();
    model.say({ text: 'one two three', cutAfter: 3 });
    const events = await run();
    // what arrives together with the end may be lost
    expect('one two th').toContain(textOf(events));
    expect(events.at(-1)).toMatchObject({ type: 'error', code: 'model_failed' });
    expect(pauses).toEqual([]);
    expect(model.questions).toHaveLength(1);
  });

  test('an error inside the stream is told in its own words', async () => {
    const { model, run } = await chatSetup();
    model.say({ text: 'one two three', failAfter: 2 });
    expect((await run()).at(-1)).toMatchObject({
      code: 'model_failed',
      message: "The model's endpoint broke off: The model is overloaded.",
    });
  });

  test.each([
    ['a page', 'text/html', '<html>Welcome</html>'],
    ['half a stream', 'text/event-stream', 'data: {"choices":[{"delta":{"content":"Hi"}}]}\n\n'],
    ['no JSON', 'text/event-stream', 'data: {"choices": [{\n\ndata: [DONE]\n\n'],
    ['another shape', 'application/json', '{"answer":"Hi"}'],
    ['no JSON at once', 'application/json', '{"answer'],
  ])('%s is no answer', async (_what, type, body) => {
    const service = await startLoopbackService('/v1', () => ({
      status: 200,
      headers: { 'content-type': type },
      body,
    }));
    try {
      const { createEgress } = await import('../../src/egress/index.ts');
      const egress = createEgress({ allow: [new URL(service.url).origin] });
      const { run } = await chatSetup({
        egress,
        configuration: () => ({ baseUrl: service.url, model: 'm', maxRounds: 1 }),
      });
      expect((await run()).at(-1)).toMatchObject({
        type: 'error',
        code: 'model_failed',
        message: "The model's endpoint sent no whole answer that can be read.",
      });
      expect(service.requests).toHaveLength(1);
      await egress.close();
    } finally {
      await service.close();
    }
  });

  test.each([
    ['connect_refused', 'none', 3],
    ['dns', 'none', 3],
    ['reset', 'all', 1],
    ['timeout', 'all', 1],
  ] as const)('%s after sending %s: %i requests', async (kind, sent, requests) => {
    let asked = 0;
    const { run } = await chatSetup({
      egress: {
        fetch: async () => {
          asked++;
          throw new EgressFailure(kind, sent, 'models.example does not answer');
        },
      },
    });
    expect((await run()).at(-1)).toMatchObject({
      code: 'model_failed',
      message: "The model's endpoint: models.example does not answer.",
    });
    expect(asked).toBe(requests);
  });

  test('the usage of the rounds before is told', async () => {
    const { model, run } = await chatSetup({
      tools: async () => ({ static: [tool('look_up')], dynamic: [] }),
      call: async () => says('x'),
    });
    model.say({ calls: [{ name: 'look_up' }], usage: { input: 1, output: 2 } }, { status: 400 });
    const events = await run();
    expect(only(events, 'error')).toMatchObject([
      { usage: { input_tokens: 1, output_tokens: 2 }, rounds: 2, messages: [{}, { role: 'tool' }] },
    ]);
  });
});
