import { describe, expect, test } from 'vitest';
import type { CallChannel, InputRequest, Json } from '../../../src/operations/index.ts';
import { definition, request, started, textOf } from '../scripted.ts';

const FORM = { mode: 'form', message: 'Who?', requestedSchema: { type: 'object', properties: {} } };

describe('a server of the handshake era asks on the connection', () => {
  const QUESTIONS: ReadonlyArray<{ method: InputRequest['method']; params: object; answer: object }> = [
    { method: 'elicitation/create', params: FORM, answer: { action: 'accept', content: { name: 'Ann' } } },
    {
      method: 'elicitation/create',
      params: { mode: 'url', message: 'Sign in', url: 'http://127.0.0.1/', elicitationId: 'e1' },
      answer: { action: 'decline' },
    },
    {
      method: 'sampling/createMessage',
      params: { messages: [], maxTokens: 10 },
      answer: { model: 'm', role: 'assistant', content: { type: 'text', text: 'four' } },
    },
    { method: 'roots/list', params: {}, answer: { roots: [{ uri: 'file:///work' }] } },
  ];

  test.each(QUESTIONS)(
    '$method ($params.mode) reaches the caller and its answer goes back',
    async ({ method, params, answer }) => {
      const { upstreams } = started(definition());
      const asked: InputRequest[] = [];
      const ask = async (question: InputRequest): Promise<Json> => {
        asked.push(question);
        return answer as Json;
      };
      const reply = await upstreams.call(
        'scripted',
        'ask',
        { method, params: params as never },
        request({ channel: { ask } }),
      );
      expect(JSON.parse(textOf(reply))).toEqual(answer);
      expect(asked).toEqual([{ method, params }]);
    },
  );

  const UNABLE: ReadonlyArray<{ who: string; channel: CallChannel }> = [
    { who: 'cannot be asked', channel: {} },
    {
      who: 'declared none of it',
      channel: { clientCapabilities: {}, ask: async () => ({ action: 'accept' }) },
    },
    { who: 'does not answer', channel: { ask: () => Promise.reject(new Error('gone')) } },
  ];
  test.each(UNABLE)('a caller who $who: cancelled, refused, or empty', async ({ channel }) => {
    const { upstreams } = started(definition());
    const ask = async (method: string, params = {}) =>
      JSON.parse(textOf(await upstreams.call('scripted', 'ask', { method, params }, request({ channel }))));
    expect(await ask('elicitation/create', FORM)).toEqual({ action: 'cancel' });
    expect(await ask('sampling/createMessage', { messages: [], maxTokens: 1 })).toMatchObject({
      error: { code: expect.any(Number), message: expect.any(String) },
    });
    expect(await ask('roots/list')).toEqual({ roots: [] });
  });

  test('a client that has forms only is not sent to a page', async () => {
    const { upstreams } = started(definition());
    const channel: CallChannel = {
      clientCapabilities: { elicitation: {} },
      ask: async () => ({ action: 'accept', content: {} }),
    };
    const args = {
      method: 'elicitation/create',
      params: { mode: 'url', message: 'm', url: 'http://127.0.0.1/' },
    };
    expect(textOf(await upstreams.call('scripted', 'ask', args, request({ channel })))).toBe(
      '{"action":"cancel"}',
    );
  });

  test('of two calls of one person a question is put to the one that waits for no answer', async () => {
    const { upstreams } = started(definition());
    await upstreams.call('scripted', 'echo', {}, request());
    const asked: string[] = [];
    const answers = [Promise.withResolvers<Json>(), Promise.withResolvers<Json>()] as const;
    const call = (of: string, message: string, answer: Promise<Json>, more = {}) => {
      const ask = (question: InputRequest) => {
        asked.push(`${of}: ${question.params?.['message']}`);
        return answer;
      };
      const args = { method: 'elicitation/create', params: { ...FORM, message }, ...more };
      return upstreams.call('scripted', 'ask', args, request({ channel: { ask } }));
    };
    const earlier = call('earlier', 'Of the earlier?', answers[0].promise, { behindNext: true });
    const later = call('later', 'Of the later?', answers[1].promise);
    await expect.poll(() => asked).toEqual(['later: Of the later?', 'earlier: Of the earlier?']);
    answers[0].resolve({ action: 'decline' });
    answers[1].resolve({ action: 'accept', content: {} });
    expect(textOf(await earlier)).toBe('{"action":"decline"}');
    expect(textOf(await later)).toBe('{"action":"accept","content":{}}');
  });

  test('a question never reaches another person, nor does a log message', async () => {
    const { upstreams, events } = started(definition());
    await upstreams.call('scripted', 'echo', {}, request());
    const reached: string[] = [];
    const channelOf = (person: string): CallChannel => ({
      ask: async () => {
        reached.push(person);
        return { action: 'accept', content: {} };
      },
      log: async () => void reached.push(person),
    });
    const controller = new AbortController();
    const open = upstreams.call(
      'scripted',
      'sleep',
      { ms: 20_000 },
      request({ principal: 'bob', channel: channelOf('bob'), signal: controller.signal }),
    );
    const args = { method: 'elicitation/create', params: FORM };
    const mine = request({ principal: 'ann', channel: channelOf('ann') });
    expect(textOf(await upstreams.call('scripted', 'ask', args, mine))).toBe('{"action":"cancel"}');
    await upstreams.call('scripted', 'log', {}, mine);
    expect(reached).toEqual([]);
    // the operator is told, once a minute
    await upstreams.call('scripted', 'ask', args, mine);
    expect(events.filter(({ type }) => type === 'upstream-unasked')).toEqual([
      {
        type: 'upstream-unasked',
        source: 'scripted',
        message: expect.stringMatching(/\(elicitation\/create\).*share: principal/),
      },
    ]);
    controller.abort();
    await expect(open).rejects.toMatchObject({ code: 'cancelled' });
    // the server may still be at it
    expect(textOf(await upstreams.call('scripted', 'ask', args, mine))).toBe('{"action":"cancel"}');
    expect(reached).toEqual([]);
  });

  test('a question reaches the next person once the call of another has ended', async () => {
    const { upstreams } = started(definition());
    const reached: string[] = [];
    const requestOf = (principal: string, more: object = {}) =>
      request({
        principal,
        channel: {
          ask: async () => {
            reached.push(principal);
            return { action: 'accept', content: {} };
          },
        },
        ...more,
      });
    const args = { method: 'elicitation/create', params: FORM };
    await upstreams.call('scripted', 'sleep', { ms: 1 }, requestOf('bob'));
    await upstreams.call('scripted', 'ask', args, requestOf('ann'));
    expect(reached).toEqual(['ann']);
  });

  test('a page that must be opened first (-32042) becomes a question, once', async () => {
    const { upstreams } = started(definition());
    expect(await upstreams.call('scripted', 'page-first', {}, request())).toEqual({
      kind: 'input_required',
      requests: {
        url_1: {
          method: 'elicitation/create',
          params: { mode: 'url', message: 'Sign in', url: 'http://127.0.0.1/sign-in', elicitationId: 'e1' },
        },
      },
    });
    const again = request({ channel: { inputResponses: { url_1: { action: 'accept' } } } });
    await expect(upstreams.call('scripted', 'page-first', {}, again)).rejects.toMatchObject({
      code: 'upstream_failed',
      details: { rpc: -32042 },
    });
  });
});

describe('a server of 2026-07-28 asks by its result', () => {
  test('the questions come back unanswered, and the next round carries answers and state', async () => {
    const { upstreams } = started(definition({ era: 'modern' }));
    const first = await upstreams.call('scripted', 'input', {}, request());
    expect(first).toEqual({
      kind: 'input_required',
      requests: { name: { method: 'elicitation/create', params: FORM } },
      state: 'state-1',
    });
    const inputResponses = { name: { action: 'accept', content: { name: 'Ann' } } };
    const second = await upstreams.call(
      'scripted',
      'input',
      {},
      request({ channel: { inputResponses, requestState: 'state-1' } }),
    );
    expect(JSON.parse(textOf(second))).toEqual({ responses: inputResponses, state: 'state-1' });
  });

  test('each request declares what its own caller can do', async () => {
    const { upstreams } = started(definition({ era: 'modern' }));
    const meta = async (channel: CallChannel) =>
      JSON.parse(textOf(await upstreams.call('scripted', 'meta', {}, request({ channel }))));
    const declared = { sampling: {}, elicitation: { form: {} } };
    expect(await meta({ clientCapabilities: { ...declared, extensions: {} } })).toMatchObject({
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'toolcrib' },
      'io.modelcontextprotocol/clientCapabilities': declared,
    });
    expect(await meta({})).toMatchObject({ 'io.modelcontextprotocol/clientCapabilities': {} });
    expect(await meta({})).not.toHaveProperty('io.modelcontextprotocol/logLevel');
    const log = async () => undefined;
    expect(await meta({ log })).toMatchObject({ 'io.modelcontextprotocol/logLevel': 'debug' });
    expect(await meta({ log, logLevel: 'warning' })).toMatchObject({
      'io.modelcontextprotocol/logLevel': 'warning',
    });
  });
});

describe.each([
  ['javascript:alert(1)', 'scheme "javascript:"'],
  ['vscode://evil.example/run', 'scheme "vscode:"'],
  ['file:///etc/passwd', 'scheme "file:"'],
  ['jav\nascript:alert(1)', 'scheme "javascript:"'],
  ['/sign-in', 'no address'],
  [7, 'no address'],
])('nobody is sent to %j', (url, why) => {
  const params = { mode: 'url', message: 'Sign in', url, elicitationId: 'e1' };
  const asking: CallChannel = { ask: () => Promise.reject(new Error('asked')) };

  test('by a question on the connection: the server is told so', async () => {
    const { upstreams } = started(definition());
    const args = { method: 'elicitation/create', params };
    const reply = await upstreams.call('scripted', 'ask', args, request({ channel: asking }));
    expect(JSON.parse(textOf(reply))).toMatchObject({
      error: { code: -32602, message: expect.stringContaining(why) },
    });
  });

  test('by error -32042, by a result that asks: the caller is told so, and nothing is in doubt', async () => {
    const { upstreams } = started(
      definition({}, { name: 'older' }),
      definition({ era: 'modern' }, { name: 'newer' }),
    );
    const refused = {
      code: 'upstream_failed',
      message: expect.stringContaining(why),
      next: expect.stringContaining('Do not open'),
    };
    const once = request({ repeatable: false });
    const pages = { code: -32042, data: { elicitations: [{ ...params, url: String(url) }] } };
    await expect(upstreams.call('older', 'rpc-error', pages, once)).rejects.toMatchObject(refused);
    const asked = { request: { method: 'elicitation/create', params } };
    await expect(upstreams.call('newer', 'input', asked, once)).rejects.toMatchObject(refused);
  });
});
