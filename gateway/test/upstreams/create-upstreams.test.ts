import { describe, expect, test } from 'vitest';
import { definition, request, started, textOf } from './scripted.ts';

describe.each([
  ['legacy', 'the handshake of 2025-11-25'],
  ['modern', 'the requests of 2026-07-28'],
] as const)('a stdio server of the %s era', (era, words) => {
  test(`is listed and called by ${words}`, async () => {
    const { upstreams, events } = started(definition({ era }));
    const listing = await upstreams.list('scripted', new AbortController().signal);
    expect(listing.era).toBe(era);
    expect(listing.server).toMatchObject({ name: 'scripted', version: '1.2.3' });
    expect(listing.tools).toHaveLength(23);
    expect(listing.tools[0]).toMatchObject({ name: 'echo', 'x-unknown': 'echo' });
    expect(listing.resources.map(({ uri }) => uri)).toEqual(['memo://one', 'memo://no-name']);
    expect(listing.resourceTemplates).toEqual([]);
    expect(listing.prompts.map(({ name }) => name)).toEqual(['greet']);
    const answer = await upstreams.call('scripted', 'echo', { a: [1, 'é'] }, request());
    expect(textOf(answer)).toBe('{"a":[1,"é"]}');
    expect(events.map(({ type }) => type)).toEqual(['upstream-started']);
    expect(upstreams.states()).toMatchObject([{ name: 'scripted', status: 'running', era, restarts: 0 }]);
  });

  test('is listed with its tools long before its time is over where another list hangs', async () => {
    const hanging = definition({ era, hangLists: ['prompts/list'] }, { startTimeoutMs: 60_000 });
    const { upstreams } = started(hanging);
    const listing = await upstreams.list('scripted', new AbortController().signal);
    expect([listing.tools.length, listing.resources.length]).toEqual([23, 2]);
    expect(listing.missing?.map(({ list }) => list)).toEqual(['prompts']);
  });

  test('reads resources, gets prompts and completes', async () => {
    const { upstreams } = started(definition({ era }));
    expect(await upstreams.read('scripted', 'memo://one', request())).toMatchObject({
      contents: [{ uri: 'memo://one', text: 'first memo' }],
    });
    await expect(upstreams.read('scripted', 'memo://two', request())).rejects.toMatchObject({
      code: 'resource_unknown',
    });
    expect(await upstreams.prompt('scripted', 'greet', { who: 'Ann' }, request())).toMatchObject({
      messages: [{ role: 'user', content: { type: 'text', text: 'Hello Ann' } }],
    });
    const question = { reference: { prompt: 'greet' }, argument: 'who', value: 'An' };
    expect(await upstreams.complete('scripted', question, request())).toEqual({ values: ['Ans'] });
    const dependent = { ...question, chosen: { greeting: 'Hello' } };
    expect(await upstreams.complete('scripted', dependent, request())).toEqual({
      values: ['Hello Ans'],
      total: 300,
      hasMore: true,
    });
    const wrong = upstreams.complete('scripted', { ...question, argument: 'nothing' }, request());
    await expect(wrong).rejects.toMatchObject({
      code: 'arguments_invalid',
      message: expect.stringContaining('There is no argument nothing'),
    });
  });

  test('tells of progress before the answer, and only to a caller who wants it', async () => {
    const { upstreams } = started(definition({ era }));
    const told: unknown[] = [];
    const progress = async (...step: unknown[]) => void told.push(step);
    expect(textOf(await upstreams.call('scripted', 'progress', {}, request({ channel: { progress } })))).toBe(
      'true',
    );
    expect(told).toEqual([
      [1, 3, 'step 1'],
      [2, 3, 'step 2'],
      [3, 3, 'step 3'],
    ]);
    expect(textOf(await upstreams.call('scripted', 'progress', {}, request()))).toBe('false');
  });

  test('hands log messages to the caller', async () => {
    const { upstreams } = started(definition({ era }));
    const logged: unknown[] = [];
    const log = async (...entry: unknown[]) => void logged.push(entry);
    await upstreams.call('scripted', 'log', {}, request({ channel: { log } }));
    expect(logged).toEqual([['warning', { at: 'work' }, 'fixture']]);
  });

  test('gets the trace context', async () => {
    const { upstreams } = started(definition({ era }));
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    const trace = { traceparent, tracestate: 'rojo=1' };
    const meta = JSON.parse(textOf(await upstreams.call('scripted', 'meta', {}, request(trace))));
    expect(meta).toMatchObject(trace);
  });
});

describe('before a call', () => {
  const asking = { principal: 'ann', signal: new AbortController().signal };
  const needing = (share: 'one' | 'principal') => {
    const { transport, ...rest } = definition({}, { share });
    return started({
      ...rest,
      transport: { ...transport, env: { KEY: { env: 'TOOLCRIB_TEST_NOT_SET' } } } as never,
    });
  };

  test.each(['one', 'principal'] as const)(
    'a secret that is missing is told and nothing is started (%s)',
    async (share) => {
      const { upstreams, events } = needing(share);
      await expect(upstreams.ready('scripted', asking)).rejects.toMatchObject({
        code: 'credentials_missing',
      });
      expect(events).toEqual([]);
      expect(upstreams.states()).toMatchObject([{ status: 'idle' }]);
    },
  );

  test('a server that could be started is not started, and one that runs is as it is', async () => {
    const { upstreams, events } = started(definition());
    await upstreams.ready('scripted', asking);
    expect(events).toEqual([]);
    await upstreams.call('scripted', 'echo', {}, request());
    await upstreams.ready('scripted', asking);
    expect(events).toHaveLength(1);
  });
});
