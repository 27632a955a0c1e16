import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { definition, folder, linesOf, request, started, textOf } from './scripted.ts';

test('a failed tool, an error answer and a malformed answer are told apart', async () => {
  const { upstreams } = started(definition());
  expect(await upstreams.call('scripted', 'fail', {}, request())).toMatchObject({
    kind: 'answer',
    failed: true,
  });
  const call = (tool: string, args = {}, repeatable = true) =>
    upstreams.call('scripted', tool, args, request({ repeatable }));
  await expect(call('rpc-error', { code: -32603 }, false)).rejects.toMatchObject({
    code: 'upstream_failed',
    message: expect.not.stringContaining('\u001b'),
    details: { rpc: -32603 },
  });
  const long = `${'E1123 memcache.go:265] unhandled error\n'.repeat(50)}The connection was refused`;
  await expect(call('rpc-error', { code: -32603, message: long })).rejects.toMatchObject({
    message: expect.stringContaining('The connection was refused'),
    next: expect.stringContaining('what the server says'),
  });
  await expect(
    call('rpc-error', { code: -32021, data: { requiredCapabilities: { sampling: {} } } }),
  ).rejects.toMatchObject({
    code: 'capability_missing',
    details: { data: { requiredCapabilities: { sampling: {} } } },
  });
  await expect(call('malformed')).rejects.toMatchObject({ code: 'upstream_failed' });
  await expect(call('malformed', {}, false)).rejects.toMatchObject({ code: 'outcome_unknown' });
  await expect(call('no-such-tool')).rejects.toMatchObject({
    code: 'upstream_failed',
    details: { rpc: -32602 },
  });
  expect(upstreams.states()).toMatchObject([{ status: 'running', restarts: 0 }]);
});

describe('cancellation and deadline', () => {
  test.each(['legacy', 'modern'] as const)('a cancelled call is cancelled at the %s server', async (era) => {
    const ledger = join(folder(), 'ledger');
    const { upstreams } = started(definition({ era, ledger }));
    await upstreams.call('scripted', 'echo', {}, request());
    const controller = new AbortController();
    const call = upstreams.call('scripted', 'sleep', { ms: 20_000 }, request({ signal: controller.signal }));
    controller.abort();
    await expect(call).rejects.toMatchObject({ code: 'cancelled' });
    await expect.poll(() => linesOf(ledger)).toEqual(['cancelled']);
    expect(upstreams.states()).toMatchObject([{ status: 'running' }]);
  });

  test('a write that was cancelled may have happened, and nothing says to call again', async () => {
    const { upstreams } = started(definition());
    await upstreams.call('scripted', 'echo', {}, request());
    const controller = new AbortController();
    const { signal } = controller;
    const call = upstreams.call('scripted', 'sleep', { ms: 20_000 }, request({ signal, repeatable: false }));
    setImmediate(() => controller.abort());
    await expect(call).rejects.toMatchObject({
      code: 'cancelled',
      message: expect.stringContaining('Whether it was carried out is not known'),
      next: expect.stringContaining('Check its effect before you try again'),
    });
  });

  test.each([
    [true, 'deadline_exceeded'],
    [false, 'outcome_unknown'],
  ])('past its deadline a call (repeatable: %s) ends as %s', async (repeatable, code) => {
    const ledger = join(folder(), 'ledger');
    const { upstreams } = started(definition({ ledger }));
    await upstreams.call('scripted', 'echo', {}, request());
    const call = upstreams.call(
      'scripted',
      'sleep',
      { ms: 20_000 },
      request({ repeatable, deadline: Date.now() + 400 }),
    );
    await expect(call).rejects.toMatchObject({ code });
    await expect.poll(() => linesOf(ledger)).toEqual(['cancelled']);
  });

  test.each([
    ['-1', 'Meanwhile the server sent a line on stdout that is no message: "-1".'],
    [
      '{"jsonrpc":"2.0","id":"its-ID","result":{"content":[]}}',
      /Meanwhile the server sent an answer to no request of ours \(id "its-\d+"\)\./,
    ],
    [
      '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}',
      '(id null, with the error "Parse error")',
    ],
  ])('past its deadline a call says what came instead of its answer: %s', async (line, told) => {
    const { upstreams } = started(definition());
    await upstreams.call('scripted', 'echo', {}, request());
    const call = upstreams.call('scripted', 'astray', { line }, request({ deadline: Date.now() + 400 }));
    await expect(call).rejects.toMatchObject({
      code: 'deadline_exceeded',
      message: typeof told === 'string' ? expect.stringContaining(told) : expect.stringMatching(told),
    });
    const later = upstreams.call(
      'scripted',
      'sleep',
      { ms: 20_000 },
      request({ deadline: Date.now() + 100 }),
    );
    await expect(later).rejects.toMatchObject({ message: expect.not.stringContaining('Meanwhile') });
  });

  test('what came instead of an answer is told without the secrets of the server', async () => {
    const { upstreams } = started(definition({}, { env: { KEY: 'open-sesame-1' } }));
    const line = 'refused: open-sesame-1';
    await upstreams.call('scripted', 'echo', {}, request());
    const call = upstreams.call('scripted', 'astray', { line }, request({ deadline: Date.now() + 400 }));
    await expect(call).rejects.toMatchObject({ message: expect.stringContaining('refused: [redacted]') });
  });

  test('progress does not carry a call past its deadline, and a timeout signal means the deadline', async () => {
    const { upstreams } = started(definition());
    await upstreams.call('scripted', 'echo', {}, request());
    const signal = AbortSignal.timeout(400);
    await expect(
      upstreams.call('scripted', 'sleep', { ms: 20_000 }, request({ signal })),
    ).rejects.toMatchObject({ code: 'deadline_exceeded' });
  });

  test.each([false, true])(
    'a call that ended before it was sent is not sent (server is warm: %s)',
    async (isWarm) => {
      const ledger = join(folder(), 'ledger');
      const { upstreams } = started(definition({ ledger }));
      if (isWarm) await upstreams.call('scripted', 'echo', {}, request());
      const write = (signal: AbortSignal) =>
        upstreams.call('scripted', 'write', { key: 1 }, request({ signal, repeatable: false }));
      await expect(write(AbortSignal.abort())).rejects.toMatchObject({ code: 'cancelled' });
      const late = AbortSignal.abort(new DOMException('late', 'TimeoutError'));
      await expect(write(late)).rejects.toMatchObject({ code: 'deadline_exceeded' });
      await upstreams.call('scripted', 'echo', {}, request());
      expect(linesOf(ledger)).toEqual([]);
    },
  );
});

test('big answers arrive whole', async () => {
  const { upstreams } = started(definition());
  const characters = 3_000_000;
  const text = textOf(await upstreams.call('scripted', 'big', { characters }, request()));
  expect(text).toHaveLength(characters);
  expect(text).toBe('é'.repeat(characters));
});

test('many calls at once keep their answers apart', async () => {
  const { upstreams } = started(definition());
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, index) => upstreams.call('scripted', 'echo', { index }, request())),
  );
  expect(answers.map(textOf)).toEqual(answers.map((_, index) => JSON.stringify({ index })));
});

test('a list whose pages go in a circle is refused', async () => {
  const { upstreams } = started(definition({ circle: true }));
  await expect(upstreams.list('scripted', new AbortController().signal)).rejects.toMatchObject({
    code: 'upstream_failed',
    message: expect.stringContaining('circle'),
  });
});

test('a schema nested beyond measure is left open', async () => {
  const { upstreams } = started(definition({ deep: 2_000 }));
  const { tools } = await upstreams.list('scripted', new AbortController().signal);
  expect(tools.length).toBeGreaterThan(1);
  expect(tools[0]).toMatchObject({ name: expect.any(String), inputSchema: { type: 'object' } });
  expect(tools[0]?.inputSchema).not.toHaveProperty('default');
});

test('a list that the server cannot give costs no tools, unless it is that of the tools', async () => {
  const lists = ['resources/list', 'prompts/list'];
  const { upstreams } = started(definition({ refuseLists: lists }));
  const listing = await upstreams.list('scripted', new AbortController().signal);
  expect(listing.tools).not.toEqual([]);
  expect(listing).toMatchObject({ resources: [], prompts: [] });
  expect(new Map(listing.missing?.map(({ list, why }) => [list, why]))).toEqual(
    new Map(
      lists.map((method) => [
        method.replace('/list', ''),
        `The server answers ${method} with error -32603: "connect ECONNREFUSED 127.0.0.1:5432"`,
      ]),
    ),
  );
  const without = started(definition({ refuseLists: ['tools/list'] }));
  await expect(without.upstreams.list('scripted', new AbortController().signal)).rejects.toMatchObject({
    code: 'upstream_failed',
    message: expect.stringContaining('ECONNREFUSED'),
  });
});

describe('the environment of a process', () => {
  test('holds what programs need, what is inherited and what is set; nothing else', async () => {
    process.env['UPSTREAM_TEST_SECRET'] = 'not-for-servers';
    process.env['UPSTREAM_TEST_SHARED'] = 'for-servers';
    const base = definition({}, { env: { SET: 'yes' } });
    const { upstreams } = started({
      ...base,
      transport: { ...base.transport, inherit: ['UPSTREAM_TEST_SHARED'] } as typeof base.transport,
    });
    const environment = JSON.parse(textOf(await upstreams.call('scripted', 'environment', {}, request())));
    expect(environment).toMatchObject({
      PATH: process.env['PATH'],
      SET: 'yes',
      UPSTREAM_TEST_SHARED: 'for-servers',
    });
    expect(environment).not.toHaveProperty('UPSTREAM_TEST_SECRET');
    expect(environment).not.toHaveProperty('VITEST');
  });

  test('a variable that a reference names and that is not set is told before anything starts', async () => {
    const base = definition();
    const { upstreams, events } = started({
      ...base,
      transport: { ...base.transport, env: { KEY: { env: 'NO_SUCH_VARIABLE' } } } as typeof base.transport,
    });
    await expect(upstreams.call('scripted', 'echo', {}, request())).rejects.toMatchObject({
      code: 'credentials_missing',
      message: expect.stringContaining('NO_SUCH_VARIABLE'),
    });
    expect(events).toMatchObject([{ type: 'upstream-failed' }]);
  });
});
