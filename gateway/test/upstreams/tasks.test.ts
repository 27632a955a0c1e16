import { createServer } from 'node:http';
import { join } from 'node:path';
import { setTimeout as setTimeoutPromise } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createSecretReader } from '../../src/credentials/secret-reference.ts';
import { createEgress } from '../../src/egress/index.ts';
import type { CallChannel, Json, JsonObject } from '../../src/operations/index.ts';
import { createUpstreams } from '../../src/upstreams/index.ts';
import { createUpstreamSignIns } from '../../src/upstreams/oauth/upstream-oauth.ts';
import { createOpenTransport } from '../../src/upstreams/transports/open-transport.ts';
import { remote } from './remote.ts';
import { definition, folder, linesOf, request, type Script, started, textOf } from './scripted.ts';

const ERAS = ['legacy', 'modern'] as const;
type Era = (typeof ERAS)[number];

const DONE = { result: { content: [{ type: 'text', text: 'done' }] } };
const WHO = {
  method: 'elicitation/create',
  params: { mode: 'form', message: 'Who?', requestedSchema: { type: 'object', properties: {} } },
};

/** A server that carries the tool `task` out as a task, and in no other way. */
async function taskServer(era: Era, changes: Script = {}, rest: Parameters<typeof definition>[1] = {}) {
  const ledger = join(folder(), 'ledger');
  const made = definition({ era, ledger, tasks: { pollMs: 100 }, ...changes }, rest);
  const { upstreams } = started(made);
  await upstreams.list('scripted', new AbortController().signal);
  const call = (steps: Json, changes: Parameters<typeof request>[0] = {}, args: JsonObject = {}) =>
    upstreams.call('scripted', 'task', { key: 'k', steps, ...args }, request(changes));
  return { upstreams, definition: made, call, ledger: () => linesOf(ledger) };
}

describe.each(ERAS)('a tool that a %s server carries out as a task', (era) => {
  test('is called as any other, and says what it is doing', async () => {
    const { call, ledger } = await taskServer(era);
    const told: [number, string | undefined][] = [];
    const channel: CallChannel = {
      progress: async (progress, _total, message) => void told.push([progress, message]),
    };
    const answer = await call(['gathering', 'writing', 'writing', DONE], { channel });
    expect(textOf(answer)).toBe('done');
    expect(told).toEqual([
      [1, 'gathering'],
      [2, 'writing'],
    ]);
    expect(ledger()).toEqual(['task k']);
  });

  test('tells its progress by the token of its call (2025-11-25), in place of its status; later nobody listens', async () => {
    const { call } = await taskServer(era);
    const told: unknown[][] = [];
    const channel: CallChannel = { progress: async (...said) => void told.push(said) };
    const steps = ['starting', { progress: { progress: 40, total: 100, message: 'half' } }, 'closing', DONE];
    await call(steps, { channel });
    const silent = { progress: { progress: 1, message: 'of another call' } };
    await call([silent, DONE]);
    expect(told).toEqual(
      era === 'legacy'
        ? [
            [1, undefined, 'starting'],
            [40, 100, 'half'],
          ]
        : [
            [1, undefined, 'starting'],
            [2, undefined, 'in progress'],
            [3, undefined, 'closing'],
          ],
    );
  });

  test('that says it failed is an answer, and one that fails is an error with its words', async () => {
    const { call } = await taskServer(era);
    const failed = await call([{ result: { ...DONE.result, isError: true } }]);
    expect(failed).toMatchObject({ kind: 'answer', failed: true });
    await expect(
      call([{ error: { code: -32603, message: 'the rate limit is used up' } }]),
    ).rejects.toMatchObject({
      code: 'upstream_failed',
      message: expect.stringContaining('the rate limit is used up'),
      details: { rpc: -32603 },
    });
  });

  test.each([
    [true, 'upstream_failed'],
    [false, 'outcome_unknown'],
  ])('and that its server cancels (repeatable: %s) ends as %s', async (repeatable, code) => {
    const { call } = await taskServer(era);
    await expect(
      call(['starting', { cancelled: 'an operator stopped it' }], { repeatable }),
    ).rejects.toMatchObject({ code, message: expect.stringContaining('an operator stopped it') });
  });

  test.each([
    ['while it runs', 0],
    ['before the server has said that it is one', 300],
  ])('is cancelled with its caller %s', async (_when, createMs) => {
    const { call, ledger } = await taskServer(era, { tasks: { pollMs: 20_000 } });
    const controller = new AbortController();
    const cancelled = call(['forever', DONE], { signal: controller.signal }, { createMs });
    await expect.poll(ledger).toEqual(['task k']);
    if (createMs === 0) await setTimeoutPromise(200);
    controller.abort();
    await expect(cancelled).rejects.toMatchObject({ code: 'cancelled' });
    await expect.poll(ledger).toEqual(['task k', 'task cancelled']);
  });

  test.each([
    [true, 'deadline_exceeded'],
    [false, 'outcome_unknown'],
  ])('and that takes too long (repeatable: %s) is cancelled and ends as %s', async (repeatable, code) => {
    const { call, ledger } = await taskServer(era, { tasks: { pollMs: 20_000 } });
    await expect(call(['forever', DONE], { repeatable, deadline: Date.now() + 500 })).rejects.toMatchObject({
      code,
    });
    await expect.poll(ledger).toEqual(['task k', 'task cancelled']);
  });

  test.each([
    [true, 'upstream_crashed'],
    [false, 'outcome_unknown'],
  ])(
    'and that is lost with its server (repeatable: %s) ends as %s, and is not begun again',
    async (repeatable, code) => {
      const { call, ledger } = await taskServer(era);
      await expect(call(['starting', { exit: true }], { repeatable })).rejects.toMatchObject({
        code,
        message: expect.stringContaining('Task not found'),
      });
      expect(ledger()).toEqual(['task k']);
    },
  );

  test('keeps its server from being stopped as idle, and from being taken away, until it ends', async () => {
    const { call, upstreams } = await taskServer(era, { tasks: { pollMs: 400 } }, { idleMs: 100 });
    const answer = call(['one', 'two', DONE]);
    setTimeout(() => upstreams.configure([]), 300);
    expect(textOf(await answer)).toBe('done');
  });
});

describe('questions of a task', () => {
  test('are put on the connection by a server of 2025-11-25, and the task goes on', async () => {
    const { call } = await taskServer('legacy');
    const asked: unknown[] = [];
    const channel: CallChannel = {
      ask: async (question) => {
        asked.push(question);
        return { action: 'accept', content: { name: 'Ann' } };
      },
    };
    const answer = await call(['starting', { ask: WHO }, { result: 'answers' }], { channel });
    expect(JSON.parse(textOf(answer))).toEqual({ name: { action: 'accept', content: { name: 'Ann' } } });
    expect(asked).toMatchObject([WHO]);
  });

  test('reach the person whose task it is, while others have theirs at the same server', async () => {
    const { call } = await taskServer('legacy');
    const names = ['ann', 'bob', 'eve'];
    const answers = names.map((principal) =>
      call(['starting', { ask: WHO }, { result: 'answers' }], {
        principal,
        channel: {
          ask: async () => {
            await setTimeoutPromise(200);
            return { action: 'accept', content: { name: principal } };
          },
        },
      }),
    );
    const given = (await Promise.all(answers)).map((answer) => JSON.parse(textOf(answer)).name.content.name);
    expect(given).toEqual(names);
  });

  test('come back to the caller since 2026-07-28; the next call goes on with the task', async () => {
    const { call, ledger } = await taskServer('modern');
    const steps = [
      'starting',
      { ask: WHO, key: 'name', lag: 2 },
      'writing',
      { ask: WHO, key: 'surname' },
      { result: 'answers' },
    ];
    const first = await call(steps);
    if (first.kind !== 'input_required') throw new Error('it asks nothing');
    expect(first.requests).toEqual({ name: WHO });
    const again = async (state: Json | undefined, inputResponses: JsonObject) =>
      call(steps, { channel: { inputResponses, ...(state === undefined ? {} : { requestState: state }) } });
    const name = { action: 'accept', content: { name: 'Ann' } };
    // an answer to nothing that was asked is not passed on
    const second = await again(first.state, { name, other: name });
    if (second.kind !== 'input_required') throw new Error('it asks nothing');
    expect(second.requests).toEqual({ surname: WHO });
    const unanswered = await again(second.state, {});
    expect(unanswered).toMatchObject({ kind: 'input_required', requests: { surname: WHO } });
    const surname = { action: 'decline' };
    expect(JSON.parse(textOf(await again(second.state, { surname })))).toEqual({ name, surname });
    expect(ledger()).toEqual(['task k', 'update name', 'update surname']);
  });

  test('that lead to pages of other schemes than http and https are refused', async () => {
    const { call } = await taskServer('modern');
    const page = {
      method: 'elicitation/create',
      params: { mode: 'url', message: 'Open', url: 'file:///etc' },
    };
    await expect(call(['starting', { ask: page }, DONE])).rejects.toMatchObject({ code: 'upstream_failed' });
  });
});

test('a tool that has become a task since it was listed is listed again and called', async () => {
  const { call, ledger } = await taskServer('legacy', { lateTasks: true });
  expect(textOf(await call([DONE]))).toBe('done');
  expect(ledger()).toEqual(['task k']);
});

test('a server without tasks that refuses a call is not listed again for it', async () => {
  const ledger = join(folder(), 'ledger');
  const { upstreams } = started(definition({ ledger, recordLists: true }));
  await upstreams.list('scripted', new AbortController().signal);
  const refused = upstreams.call('scripted', 'rpc-error', { code: -32601 }, request());
  await expect(refused).rejects.toMatchObject({ code: 'upstream_failed', details: { rpc: -32601 } });
  expect(linesOf(ledger)).toEqual(['list']);
});

test('the extension is declared to the servers that have it, with calls alone', async () => {
  const declared = async (script: Script) => {
    const { upstreams } = started(definition({ era: 'modern', ...script }));
    const answer = await upstreams.call('scripted', 'meta', {}, request());
    return JSON.parse(textOf(answer))['io.modelcontextprotocol/clientCapabilities'].extensions;
  };
  expect(await declared({ tasks: { pollMs: 100 } })).toEqual({ 'io.modelcontextprotocol/tasks': {} });
  expect(await declared({})).toBeUndefined();
});

describe('a task over HTTP', () => {
  /** A server of 2026-07-28 whose connection breaks for as many looks as `broken` says. */
  async function breaking(broken: number, ending: JsonObject) {
    const seen: string[] = [];
    const server = createServer(async (incoming, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of incoming) chunks.push(chunk as Buffer);
      if (chunks.length === 0) return response.writeHead(405).end();
      const { id, method, params } = JSON.parse(Buffer.concat(chunks).toString());
      seen.push(`${method} ${incoming.headers['mcp-name'] ?? ''}`.trim());
      const looks = seen.filter((line) => line.startsWith('tasks/get')).length;
      if (method === 'tasks/get' && looks <= broken) return response.destroy();
      const state = {
        taskId: 't-1',
        createdAt: '2026-11-26T10:00:00Z',
        lastUpdatedAt: '2026-11-26T10:00:00Z',
      };
      const results: Record<string, JsonObject> = {
        'server/discover': {
          resultType: 'complete',
          supportedVersions: ['2026-07-28'],
          capabilities: { tools: {}, extensions: { 'io.modelcontextprotocol/tasks': {} } },
          ttlMs: 0,
          cacheScope: 'private',
        },
        'tools/list': {
          resultType: 'complete',
          tools: [{ name: 'task', inputSchema: { type: 'object' } }],
          ttlMs: 0,
          cacheScope: 'private',
        },
        'tools/call': { resultType: 'task', ...state, status: 'working', ttlMs: null, pollIntervalMs: 100 },
        'tasks/get': { resultType: 'complete', ...state, ttlMs: null, ...ending },
      };
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(
        JSON.stringify({ jsonrpc: '2.0', id, result: results[method] ?? {}, params: params && undefined }),
      );
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    const origin = `http://127.0.0.1:${address.port}`;
    const egress = createEgress({ allow: [origin] });
    const secrets = createSecretReader(process.env, () => {});
    const signIns = createUpstreamSignIns({ egress, secrets, announce: () => {} });
    const upstreams = createUpstreams({
      record: () => {},
      openTransport: createOpenTransport({ egress, secrets, signIns }),
    });
    upstreams.configure([remote(`${origin}/mcp`)]);
    onTestFinished(async () => {
      await upstreams.close();
      await egress.close();
      server.closeAllConnections();
      server.close();
    });
    await upstreams.list('remote', new AbortController().signal);
    return { call: () => upstreams.call('remote', 'task', {}, request({ repeatable: false })), seen };
  }

  test('outlives connections that break, and each request names it', async () => {
    const { call, seen } = await breaking(2, { status: 'completed', ...DONE });
    expect(textOf(await call())).toBe('done');
    expect(seen.filter((line) => line.startsWith('tasks/get'))).toEqual([
      'tasks/get t-1',
      'tasks/get t-1',
      'tasks/get t-1',
    ]);
    expect(seen.filter((line) => line === 'tools/call task')).toHaveLength(1);
  });

  test('that fails in words for a refused request is not begun again', async () => {
    const { call, seen } = await breaking(0, {
      status: 'failed',
      error: { code: -32020, message: 'headers do not match' },
    });
    await expect(call()).rejects.toMatchObject({ code: 'upstream_failed' });
    expect(seen.filter((line) => line === 'tools/call task')).toHaveLength(1);
  });

  test.each([
    ['is completed and has no result', { status: 'completed' }],
    ['is completed with something else than a result', { status: 'completed', result: ['done'] }],
    ['asks, and says nothing of what', { status: 'input_required' }],
    ['was cancelled by its server', { status: 'cancelled' }],
  ])('that %s is no answer, and of unknown outcome', async (_what, ending) => {
    const { call, seen } = await breaking(0, ending);
    await expect(call()).rejects.toMatchObject({ code: 'outcome_unknown' });
    expect(seen.filter((line) => line === 'tools/call task')).toHaveLength(1);
  });

  test('that nobody can ask after is of unknown outcome', async () => {
    const { call } = await breaking(Number.POSITIVE_INFINITY, { status: 'working' });
    await expect(call()).rejects.toMatchObject({ code: 'outcome_unknown' });
  });
});
