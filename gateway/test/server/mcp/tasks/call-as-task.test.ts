import { setTimeout as passing } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createTasks, type Tasks } from '../../../../src/call-tasks/index.ts';
import { ToolcribError } from '../../../../src/errors.ts';
import type { GatewayCore } from '../../../../src/gateway-core.ts';
import type { InputRequest } from '../../../../src/operations/index.ts';
import {
  content,
  defineTool,
  type FunctionContext,
  type FunctionSource,
} from '../../../../src/sources/function/define.ts';
import { ENVELOPE, mcpEndpoint } from '../mcp-endpoint.ts';

const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';
const EXTENSION = 'io.modelcontextprotocol/tasks';
/** A client that follows tasks and can be asked forms. */
const FOLLOWS = { ...ENVELOPE, [CAPABILITIES]: { elicitation: {}, extensions: { [EXTENSION]: {} } } };
const KEEP_MS = 60_000;

const form = (message: string): InputRequest => ({
  method: 'elicitation/create',
  params: { mode: 'form', message, requestedSchema: { type: 'object', properties: {} } },
});
const text = (value: string) => content({ type: 'text', text: value });

type Handler = (context: FunctionContext, args: Record<string, unknown>) => unknown;

/** One tool, `works`, behind a real port; calls that take longer than `afterMs` become tasks. */
async function served(
  handler: Handler,
  afterMs = 10_000,
  keep?: Tasks,
  delivered: NonNullable<GatewayCore['tasks']>['delivered'] = async () => undefined,
) {
  const tasks =
    keep ??
    createTasks({
      store: undefined,
      keepMs: () => KEEP_MS,
      redact: (said) => said,
      onError: (error) => expect.unreachable(String(error)),
    });
  const source: FunctionSource = {
    tools: [
      defineTool({
        name: 'works',
        description: 'd',
        handler: (args, context) => handler(context, args) as never,
      }),
    ],
  };
  const endpoint = await mcpEndpoint(
    source,
    {},
    {
      policy: () => ({ afterMs }),
      open: async () => tasks,
      delivered,
    },
  );
  onTestFinished(async () => {
    await tasks.close();
    await endpoint[Symbol.asyncDispose]();
  });
  const ask = async (method: string, params: object, headers = {}, envelope: object = FOLLOWS) =>
    (await endpoint.ask(method, params, headers, envelope)).body;
  return {
    endpoint,
    ask,
    tasks,
    call: (more: object = {}, envelope: object = FOLLOWS) =>
      ask('tools/call', { name: 'works', arguments: {}, ...more }, {}, envelope),
    get: async (taskId: string) => (await ask('tasks/get', { taskId })).result,
    /** Until the task has ended or asks. */
    async rest(taskId: string) {
      return vi.waitFor(async () => {
        const { result } = await ask('tasks/get', { taskId });
        expect(result.status).not.toBe('working');
        return result;
      }, 20_000);
    },
  };
}

test('a call that is quick is answered as ever, also by a client that follows tasks', async () => {
  const { call } = await served(() => ({ quick: true }));
  expect((await call()).result).toMatchObject({ resultType: 'complete', structuredContent: { quick: true } });
});

test('a call that takes longer becomes a task, whose result is what the call would have been answered', async () => {
  const gate = Promise.withResolvers<void>();
  const { call, get, rest } = await served(async ({ channel }) => {
    await channel.progress?.(1, 2, 'Halfway there.');
    await gate.promise;
    return { done: true };
  }, 20);
  const { result: created } = await call();
  expect(created).toEqual({
    resultType: 'task',
    taskId: expect.stringMatching(/^[0-9a-f]{32}$/),
    statusMessage: 'Halfway there.',
    status: 'working',
    createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
    lastUpdatedAt: created.createdAt,
    ttlMs: KEEP_MS,
    pollIntervalMs: 500,
    _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'functions', version: '1.2.3' } },
  });
  const working = await get(created.taskId);
  expect(working).toMatchObject({
    resultType: 'complete',
    taskId: created.taskId,
    status: 'working',
    statusMessage: 'Halfway there.',
  });
  expect(working).not.toHaveProperty('result');
  gate.resolve();
  expect(await rest(created.taskId)).toMatchObject({
    status: 'completed',
    result: {
      resultType: 'complete',
      content: [{ type: 'text', text: '{"done":true}' }],
      structuredContent: { done: true },
      _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'functions' } },
    },
  });
});

test('a call that says that it takes long becomes a task at once, through the SDK and past it', async () => {
  const { call, rest } = await served(async ({ channel }, { name }) => {
    expect(await channel.becomeTask?.('Working on it.')).toBe(true);
    expect(await channel.becomeTask?.()).toBe(true);
    return { name };
  });
  for (const name of ['sdk', 'plain', 'plain again']) {
    const { result } = await call({ arguments: { name } });
    expect(result.resultType).toBe('task');
    expect(result).not.toHaveProperty('content');
    expect((await rest(result.taskId)).result.structuredContent).toEqual({ name });
  }
});

test.each([
  ['no extension', ENVELOPE],
  ['another extension', { ...ENVELOPE, [CAPABILITIES]: { extensions: { 'com.example/tasks': {} } } }],
])('for a client with %s it stays a request, however long it takes', async (_which, envelope) => {
  const { call } = await served(async ({ channel }) => {
    const became = (await channel.becomeTask?.()) ?? false;
    await passing(60);
    return { became };
  }, 10);
  const { result } = await call({}, envelope);
  expect(result).toMatchObject({ resultType: 'complete', structuredContent: { became: false } });
});

test('a session of an older revision has no tasks', async () => {
  const { endpoint } = await served(() => ({}));
  const session = { 'mcp-session-id': await endpoint.initialize(), 'mcp-protocol-version': '2025-11-25' };
  for (const method of ['tasks/get', 'tasks/cancel', 'tasks/update']) {
    const asked = { jsonrpc: '2.0', id: 5, method, params: { taskId: 'x', inputResponses: {} } };
    expect((await endpoint.post(asked, session)).body).toMatchObject({ error: { code: -32601 } });
  }
});

test('a client that goes away before takes its call with it, and leaves no task', async () => {
  const ended = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const { endpoint, tasks } = await served(({ signal }) => {
    begun.resolve();
    signal.addEventListener('abort', () => ended.resolve());
    return new Promise(() => undefined);
  }, 400);
  const create = vi.spyOn(tasks, 'create');
  const controller = new AbortController();
  const request = fetch(endpoint.url, {
    method: 'POST',
    signal: controller.signal,
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'works',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'works', arguments: {}, _meta: FOLLOWS },
    }),
  });
  request.catch(() => undefined);
  await begun.promise;
  controller.abort();
  await ended.promise;
  await passing(500);
  expect(create).not.toHaveBeenCalled();
});

test('questions before the task are answers of the request, later ones stand in the task until they are answered', async () => {
  const { call, ask, rest, get } = await served(async ({ channel, signal }) => {
    const before = await channel.ask!(form('Before?'), signal);
    await channel.becomeTask?.();
    const [one, two] = await Promise.all([
      channel.ask!(form('One?'), signal),
      channel.ask!(form('Two?'), signal),
    ]);
    return { answers: [before, one, two] };
  });
  const { result: first } = await call();
  expect(first).toMatchObject({ resultType: 'input_required', inputRequests: { question_1: {} } });
  const accept = (word: string) => ({ action: 'accept', content: { word } });
  const { result: created } = await call({
    requestState: first.requestState,
    inputResponses: { question_1: accept('before') },
  });
  expect(created).toMatchObject({ resultType: 'task', status: 'working' });
  expect(created).not.toHaveProperty('requestState');
  const { taskId } = created;
  const asks = await rest(taskId);
  expect(asks).toMatchObject({
    status: 'input_required',
    inputRequests: { question_2: { params: { message: 'One?' } }, question_3: {} },
  });
  const update = (inputResponses: object) => ask('tasks/update', { taskId, inputResponses });
  const acknowledged = (await update({ question_3: accept('two'), other: accept('nobody'), question_2: 7 }))
    .result;
  expect(acknowledged).toMatchObject({ resultType: 'complete' });
  expect(acknowledged).not.toHaveProperty('taskId');
  const left = await get(taskId);
  expect(Object.keys(left.inputRequests)).toEqual(['question_2']);
  await passing(5);
  await update({ question_3: accept('again') });
  expect(await get(taskId)).toHaveProperty('lastUpdatedAt', left.lastUpdatedAt);
  await update({ question_2: accept('one') });
  const ended = await rest(taskId);
  expect(ended.result.structuredContent.answers).toEqual([accept('before'), accept('one'), accept('two')]);
});

test('a tool that answers with questions is called again with their answers, round by round, under keys that come once', async () => {
  const { call, ask, rest } = await served(async ({ channel, inputRequired }) => {
    await channel.becomeTask?.();
    const { inputResponses, requestState } = channel;
    if (requestState === undefined) return inputRequired({ name: form('First?') }, 'round 1');
    if (requestState === 'round 1')
      return inputRequired({ name: form('Second?') }, { first: inputResponses! });
    return text(JSON.stringify([requestState, inputResponses]));
  });
  const { taskId } = (await call()).result;
  const answer = (key: string, word: string) =>
    ask('tasks/update', { taskId, inputResponses: { [key]: { action: 'accept', content: { word } } } });
  expect(Object.keys((await rest(taskId)).inputRequests)).toEqual(['question_1']);
  await answer('question_1', 'a');
  await vi.waitFor(
    async () => expect(Object.keys((await rest(taskId)).inputRequests)).toEqual(['question_2']),
    20_000,
  );
  await answer('question_2', 'b');
  const said = await vi.waitFor(async () => {
    const { status, result } = await rest(taskId);
    expect(status).toBe('completed');
    return JSON.parse(result.content[0].text);
  }, 20_000);
  const accepted = (word: string) => ({ name: { action: 'accept', content: { word } } });
  expect(said).toEqual([{ first: accepted('a') }, accepted('b')]);
});

test('a task that asks what its client never declared has failed, as the request would have', async () => {
  const { call, rest } = await served(async ({ channel, signal }) => {
    await channel.becomeTask?.();
    return { roots: await channel.ask!({ method: 'roots/list' }, signal) };
  });
  const { taskId } = (await call()).result;
  const ended = await rest(taskId);
  expect(ended).toMatchObject({
    status: 'failed',
    statusMessage: expect.stringContaining('capability_missing'),
    error: { code: -32021, data: { requiredCapabilities: { roots: {} } } },
  });
  expect(ended).not.toHaveProperty('result');
});

test('a client that only follows tasks is asked nothing', async () => {
  const { call } = await served(({ channel }) => ({ asks: channel.ask !== undefined }));
  const only = { ...ENVELOPE, [CAPABILITIES]: { extensions: { [EXTENSION]: {} } } };
  expect((await call({}, only)).result.structuredContent).toEqual({ asks: false });
  expect((await call()).result.structuredContent).toEqual({ asks: true });
});

test('an end that cannot be worded ends the task, too', async () => {
  const noLists = Promise.withResolvers<void>();
  const { call, rest, endpoint } = await served(async ({ channel }) => {
    await channel.becomeTask?.();
    await noLists.promise;
    return {};
  });
  const { taskId } = (await call()).result;
  vi.spyOn(endpoint.gateway, 'view').mockImplementation(() => {
    throw new Error('no lists now');
  });
  noLists.resolve();
  expect(await rest(taskId)).toMatchObject({ status: 'failed', error: { code: -32603 } });
});

test('a tool that cannot do without says so to a client that follows no tasks', async () => {
  const { call } = await served(async ({ channel }) => {
    if (await channel.becomeTask?.()) return {};
    throw new ToolcribError('capability_missing', 'Only as a task.', {
      details: { requiredCapabilities: { extensions: { [EXTENSION]: {} } } },
    });
  });
  expect(await call({}, ENVELOPE)).toMatchObject({
    error: { code: -32021, data: { requiredCapabilities: { extensions: { [EXTENSION]: {} } } } },
  });
});

test('what the tool fails with is a result of a completed task', async () => {
  const { call, rest } = await served(async ({ channel }) => {
    await channel.becomeTask?.();
    throw new Error('the disk is full');
  });
  const { taskId } = (await call()).result;
  expect(await rest(taskId)).toMatchObject({ status: 'completed', result: { isError: true } });
});

test('a cancelled task stops its call and says so; one that ended stays as it is', async () => {
  const aborted = vi.fn();
  const { call, ask, rest, get } = await served(async ({ channel, signal }, { quick }) => {
    await channel.becomeTask?.();
    if (quick) return {};
    signal.addEventListener('abort', aborted);
    await channel.ask!(form('Sure?'), signal);
    return {};
  });
  const { taskId } = (await call()).result;
  await rest(taskId);
  const acknowledged = (await ask('tasks/cancel', { taskId })).result;
  expect(acknowledged).toMatchObject({ resultType: 'complete' });
  expect(acknowledged).not.toHaveProperty('status');
  const ended = await vi.waitFor(async () => {
    const task = await get(taskId);
    expect(task).toMatchObject({ status: 'cancelled', statusMessage: 'Its client cancelled the task.' });
    return task;
  }, 20_000);
  expect(ended).not.toHaveProperty('inputRequests');
  expect(aborted).toHaveBeenCalledOnce();
  const quick = (await call({ arguments: { quick: true } })).result.taskId;
  await rest(quick);
  expect((await ask('tasks/cancel', { taskId: quick })).result).toMatchObject({ resultType: 'complete' });
  expect((await get(quick)).status).toBe('completed');
});

test('a task is another caller’s, or none: both are unknown', async () => {
  const { call, ask } = await served(async ({ channel, signal }) => {
    await channel.becomeTask?.();
    await channel.ask!(form('?'), signal);
    return {};
  });
  const { taskId } = (await call()).result;
  for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel']) {
    const params = { taskId, inputResponses: {} };
    // another key of the same user may allow less
    const others = { 'x-principal': 'bob', 'x-kind': 'local', 'x-key': 'other', 'x-organisation': 'acme' };
    for (const [name, value] of Object.entries(others))
      expect(await ask(method, params, { [name]: value })).toMatchObject({ error: { code: -32602 } });
    expect(await ask(method, { ...params, taskId: 'none' })).toMatchObject({ error: { code: -32602 } });
    expect(await ask(method, {})).toMatchObject({ error: { code: -32602 } });
    expect(await ask(method, params, {}, ENVELOPE)).toMatchObject({
      error: { code: -32021, data: { requiredCapabilities: { extensions: { [EXTENSION]: {} } } } },
    });
    expect(await ask(method, params, { 'mcp-name': 'another' })).toMatchObject({ error: { code: -32020 } });
  }
});

test('methods that the extension does not have are not found, and the server says what it has', async () => {
  const { ask } = await served(() => ({}));
  for (const method of ['tasks/list', 'tasks/result'])
    expect(await ask(method, { taskId: 'x' })).toMatchObject({ error: { code: -32601 } });
  const { capabilities } = (await ask('server/discover', {})).result;
  expect(capabilities.extensions).toEqual({ [EXTENSION]: {} });
  expect(capabilities).not.toHaveProperty('tasks');
});

test('who follows no tasks cannot listen to any; who does is granted no notices and asks instead', async () => {
  const { endpoint } = await served(() => ({}));
  const listen = (envelope: object) =>
    endpoint.ask('subscriptions/listen', { notifications: { taskIds: ['x'] } }, {}, envelope);
  expect(await listen(ENVELOPE)).toMatchObject({
    status: 400,
    body: {
      id: 1,
      error: { code: -32021, data: { requiredCapabilities: { extensions: { [EXTENSION]: {} } } } },
    },
  });
  // the stream ends at once: there is nothing to tell
  expect((await listen(FOLLOWS)).body).toMatchObject({ id: 1, result: { resultType: 'complete' } });
});

test('where no task can be made, the call stays a request', async () => {
  const refusing = { create: async () => undefined, close: async () => undefined } as unknown as Tasks;
  const failing = {
    create: () => Promise.reject(new ToolcribError('store_unavailable', 'away')),
    close: async () => undefined,
  } as unknown as Tasks;
  for (const tasks of [refusing, failing]) {
    const { call } = await served(
      async ({ channel }) => {
        const became = await channel.becomeTask?.();
        await passing(40);
        return { became };
      },
      10,
      tasks,
    );
    expect((await call()).result).toMatchObject({
      resultType: 'complete',
      structuredContent: { became: false },
    });
  }
});

/** Tasks of which each takes a while to be made. */
function slowTasks(): Tasks {
  const kept = createTasks({
    store: undefined,
    keepMs: () => KEEP_MS,
    redact: (said) => said,
    onError: () => undefined,
  });
  return {
    ...kept,
    async create(...made) {
      await passing(50);
      return kept.create(...made);
    },
  };
}

test('a call that ends while its task is made is told by the task', async () => {
  const { call, rest } = await served(
    ({ channel }) => {
      void channel.becomeTask?.();
      return { at: 'once' };
    },
    10_000,
    slowTasks(),
  );
  const { result } = await call();
  expect(result.resultType).toBe('task');
  expect((await rest(result.taskId)).result.structuredContent).toEqual({ at: 'once' });
});

test('what a call asks while its task is made is asked in the task', async () => {
  const { call, ask, rest } = await served(
    async ({ channel, signal }) => {
      void channel.becomeTask?.();
      return { answer: await channel.ask!(form('Sure?'), signal) };
    },
    10_000,
    slowTasks(),
  );
  const { taskId } = (await call()).result;
  expect((await rest(taskId)).inputRequests).toMatchObject({ question_1: { params: { message: 'Sure?' } } });
  await ask('tasks/update', { taskId, inputResponses: { question_1: { action: 'decline' } } });
  expect((await rest(taskId)).result.structuredContent).toEqual({ answer: { action: 'decline' } });
});

test('a question that is taken back before it went out holds up neither the next one nor a task', async () => {
  const { call, rest } = await served(async ({ channel, signal }, { again }) => {
    const withdrawn = new AbortController();
    const asked = channel.ask!(form('Never mind.'), withdrawn.signal).catch(() => 'withdrawn');
    withdrawn.abort();
    await asked;
    await passing(30);
    return again === true ? { asked: await channel.ask!(form('Sure?'), signal) } : { asked: 'nothing' };
  }, 10);
  const { result: created } = await call();
  expect(created).toMatchObject({ resultType: 'task', status: 'working' });
  expect(await rest(created.taskId)).toMatchObject({ result: { structuredContent: { asked: 'nothing' } } });
  const { result: asking } = await call({ arguments: { again: true } }, ENVELOPE);
  expect(asking).toMatchObject({ resultType: 'input_required', inputRequests: { question_2: {} } });
});

test('a question that is taken back stands in the task no longer', async () => {
  const withdrawn = new AbortController();
  const gate = Promise.withResolvers<void>();
  const { call, get, rest } = await served(async ({ channel }) => {
    await channel.becomeTask?.();
    await channel.ask!(form('Never mind.'), withdrawn.signal).catch(() => undefined);
    await gate.promise;
    return {};
  });
  const { taskId } = (await call()).result;
  expect((await rest(taskId)).status).toBe('input_required');
  withdrawn.abort();
  const working = await vi.waitFor(async () => {
    const task = await get(taskId);
    expect(task.status).toBe('working');
    return task;
  }, 20_000);
  expect(working).not.toHaveProperty('inputRequests');
  gate.resolve();
  expect((await rest(taskId)).status).toBe('completed');
});

test('a call that could not become a task becomes one with a later request of its client', async () => {
  const kept = createTasks({
    store: undefined,
    keepMs: () => KEEP_MS,
    redact: (said) => said,
    onError: () => undefined,
  });
  let refused = 0;
  const full: Tasks = {
    ...kept,
    create: async (...made) => (refused++ === 0 ? undefined : kept.create(...made)),
  };
  const { call, rest } = await served(
    async ({ channel, signal }) => {
      const before = await channel.becomeTask?.();
      await channel.ask!(form('Sure?'), signal);
      return { became: [before, await channel.becomeTask?.()] };
    },
    10_000,
    full,
  );
  const { result: asking } = await call();
  const { result } = await call({
    requestState: asking.requestState,
    inputResponses: { question_1: { action: 'accept' } },
  });
  expect(result.resultType).toBe('task');
  expect((await rest(result.taskId)).result.structuredContent).toEqual({ became: [false, true] });
});

test('a task that the gateway cancels because it stops says so', async () => {
  const { call, get, tasks } = await served(async ({ channel, signal }) => {
    await channel.becomeTask?.();
    return passing(60_000, undefined, { signal });
  });
  const { taskId } = (await call()).result;
  await tasks.close();
  expect(await get(taskId)).toMatchObject({ status: 'cancelled', statusMessage: 'The gateway stopped.' });
});

test.each<[string, Handler, string]>([
  ['what was brought', async ({ channel }) => channel.brings?.('wiki'), 'wiki'],
  [
    'a failure of it',
    async ({ channel }) => {
      channel.brings?.('wiki');
      throw new ToolcribError('upstream_failed', 'Said the wiki.');
    },
    'wiki',
  ],
])('who fetches %s late is known as its reader before it is told', async (_which, handler, source) => {
  const told: unknown[] = [];
  const gate = Promise.withResolvers<void>();
  const { ask, call, rest } = await served(
    async (context, args) => {
      await context.channel.becomeTask?.();
      await gate.promise;
      return handler(context, args);
    },
    10_000,
    undefined,
    async (of, { principal, run }) => {
      told.push([of, principal?.id, run]);
      if (run === 'no-store') throw new ToolcribError('store_unavailable', 'The store is away.');
    },
  );
  const { taskId } = (await call()).result;
  const fetched = (run: string) => ask('tasks/get', { taskId }, {}, { ...FOLLOWS, 'toolcrib/run': run });
  expect((await fetched('early')).result.status).toBe('working');
  expect(told).toEqual([]);
  gate.resolve();
  await rest(taskId);
  expect(new Set(told.splice(0).map(String))).toEqual(new Set([`${source},local,`]));
  await fetched('late');
  expect(told.splice(0)).toEqual([[source, 'local', 'late']]);
  expect(await fetched('no-store')).toMatchObject({ error: { data: { code: 'store_unavailable' } } });
});

test('what no stranger wrote is nobody’s to know', async () => {
  const { call, rest } = await served(
    async ({ channel }) => {
      await channel.becomeTask?.();
      return { own: true };
    },
    10_000,
    undefined,
    async () => expect.unreachable(),
  );
  expect((await rest((await call()).result.taskId)).status).toBe('completed');
});
