import { setTimeout as passing } from 'node:timers/promises';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, test, vi } from 'vitest';
import type { TaskEnd, TaskWork } from '../../../src/call-tasks/index.ts';
import type { CallChannel, InputRequest, JsonObject } from '../../../src/operations/index.ts';
import { takenBack } from '../../../src/operations/work/taken-back.ts';
import { createHeldCalls, type HeldRequest } from '../../../src/server/held/held-calls.ts';
import type { TaskWay } from '../../../src/server/held/open-call.ts';
import { defineTool, type FunctionSource } from '../../../src/sources/function/define.ts';
import { mcpEndpoint } from '../mcp/mcp-endpoint.ts';

const form = (message: string): InputRequest => ({
  method: 'elicitation/create',
  params: {
    mode: 'form',
    message,
    requestedSchema: { type: 'object', properties: { name: { type: 'string' } } },
  },
});

/** A tool that asks while it runs, as an upstream of the handshake era does; counts how often it began. */
function askingSource(questions: readonly (readonly InputRequest[])[]) {
  const runs = { begun: 0, ended: 0, aborted: 0 };
  const source: FunctionSource = {
    tools: [
      defineTool({
        name: 'asks',
        description: 'd',
        handler: async (_args, { channel, signal }) => {
          runs.begun++;
          signal.addEventListener('abort', () => runs.aborted++);
          const answers = [];
          for (const group of questions) {
            answers.push(...(await Promise.all(group.map((request) => channel.ask!(request, signal)))));
            await channel.progress?.(answers.length);
          }
          runs.ended++;
          return { answers };
        },
      }),
    ],
  };
  return { runs, source };
}

interface Asked {
  readonly resultType: string;
  readonly inputRequests: Record<string, { params: { message: string } }>;
  readonly requestState: string;
}

const call = { name: 'asks', arguments: {} };
const accepted = (name: string) => ({ action: 'accept', content: { name } });
const answered = (asked: Asked, answer: (message: string) => object) => ({
  ...call,
  requestState: asked.requestState,
  inputResponses: Object.fromEntries(
    Object.entries(asked.inputRequests).map(([key, { params }]) => [key, answer(params.message)]),
  ),
});

test('a client of 2026-07-28 gets the question as an answer, and its retry goes on with the same call', async () => {
  const { runs, source } = askingSource([[form('First?')], [form('Second?'), form('Third?')]]);
  await using endpoint = await mcpEndpoint(source);
  const first = (await endpoint.ask('tools/call', call)).body.result as Asked;
  expect(first).toMatchObject({
    resultType: 'input_required',
    inputRequests: { question_1: { method: 'elicitation/create' } },
  });
  const second = (await endpoint.ask('tools/call', answered(first, accepted))).body.result as Asked;
  expect(Object.keys(second.inputRequests)).toEqual(['question_2', 'question_3']);
  const { body } = await endpoint.ask('tools/call', answered(second, accepted));
  expect(body.result.structuredContent.answers).toEqual([
    accepted('First?'),
    accepted('Second?'),
    accepted('Third?'),
  ]);
  expect(runs).toEqual({ begun: 1, ended: 1, aborted: 0 });
});

test('what was not answered is asked again, and other keys are passed over', async () => {
  const { runs, source } = askingSource([[form('One?'), form('Two?')]]);
  await using endpoint = await mcpEndpoint(source);
  const asked = (await endpoint.ask('tools/call', call)).body.result as Asked;
  const { question_1: _left, ...rest } = answered(asked, accepted).inputResponses;
  const retry = { ...answered(asked, accepted), inputResponses: { ...rest, other: accepted('x') } };
  const again = (await endpoint.ask('tools/call', retry)).body.result as Asked;
  expect(Object.keys(again.inputRequests)).toEqual(['question_1']);
  const { body } = await endpoint.ask('tools/call', answered(again, accepted));
  expect(body.result.structuredContent.answers).toHaveLength(2);
  expect(runs.begun).toBe(1);
});

test('a state that was used is worth nothing: nothing is carried out a second time', async () => {
  const { runs, source } = askingSource([[form('Sure?')]]);
  await using endpoint = await mcpEndpoint(source);
  const asked = (await endpoint.ask('tools/call', call)).body.result as Asked;
  await endpoint.ask('tools/call', answered(asked, accepted));
  const { body } = await endpoint.ask('tools/call', answered(asked, accepted));
  expect(body.result).toMatchObject({
    isError: true,
    structuredContent: { error: { code: 'input_expired' } },
  });
  expect(runs).toMatchObject({ begun: 1, ended: 1 });
});

test('another process says that it cannot go on; a forged state is refused', async () => {
  const { runs, source } = askingSource([[form('Sure?')]]);
  await using endpoint = await mcpEndpoint(source);
  await using other = await mcpEndpoint(askingSource([[form('Sure?')]]).source);
  const asked = (await endpoint.ask('tools/call', call)).body.result as Asked;
  const retry = answered(asked, accepted);
  expect((await other.ask('tools/call', retry)).body.result).toMatchObject({
    structuredContent: { error: { code: 'input_expired' } },
  });
  const forged = { ...retry, requestState: `${retry.requestState}x` };
  expect((await endpoint.ask('tools/call', forged)).body.error).toMatchObject({ code: -32602 });
  expect((await endpoint.ask('tools/call', retry, { 'x-principal': 'eve' })).body.error).toMatchObject({
    data: { code: 'request_state_invalid' },
  });
  expect(runs).toMatchObject({ begun: 1, ended: 0 });
});

test('the call ends when its endpoint closes', async () => {
  const { runs, source } = askingSource([[form('Sure?')]]);
  const endpoint = await mcpEndpoint(source);
  await endpoint.ask('tools/call', call);
  await endpoint[Symbol.asyncDispose]();
  await expect.poll(() => runs.aborted).toBe(1);
});

test('a client of 2025-11-25 is asked on its connection, by form, sampling and roots', async () => {
  const { runs, source } = askingSource([
    [form('Name?')],
    [
      {
        method: 'sampling/createMessage',
        params: { messages: [{ role: 'user', content: { type: 'text', text: 'Hi' } }], maxTokens: 10 },
      },
      { method: 'roots/list' },
    ],
  ]);
  await using endpoint = await mcpEndpoint(source);
  const client = new Client(
    { name: 'test', version: '1' },
    { capabilities: { elicitation: {}, sampling: {}, roots: {} } },
  );
  client.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: { name: 'Ada' } }));
  client.setRequestHandler('sampling/createMessage', () => ({
    model: 'm',
    role: 'assistant',
    content: { type: 'text', text: 'Hello' },
  }));
  client.setRequestHandler('roots/list', () => ({ roots: [{ uri: 'file:///work' }] }));
  await client.connect(new StreamableHTTPClientTransport(endpoint.url));
  try {
    const { structuredContent } = await client.callTool(call);
    expect(structuredContent).toMatchObject({
      answers: [
        { action: 'accept', content: { name: 'Ada' } },
        { content: { text: 'Hello' } },
        { roots: [{ uri: 'file:///work' }] },
      ],
    });
    expect(runs.begun).toBe(1);
  } finally {
    await client.close();
  }
});

const request = (channel: Partial<CallChannel>, signal = new AbortController().signal) => ({
  principal: { id: 'ada', kind: 'user', maxAccess: 'delete', roles: [] } as const,
  signal,
  channel: { clientCapabilities: { elicitation: {} }, ...channel },
});

test('a question that nobody answers in time ends its call', async () => {
  const held = createHeldCalls({ maxCalls: 1, maxCallsEach: 1, waitMs: 20 });
  const ended = Promise.withResolvers<unknown>();
  const asked = await held.run(request({}), async ({ channel, signal }) => {
    await channel.ask!(form('Sure?'), signal).catch(ended.resolve);
    return { kind: 'completed' };
  });
  expect(asked.kind).toBe('input_required');
  expect(await ended.promise).toMatchObject({ code: 'input_expired' });
  expect(held.size).toBe(0);
});

test('only so many calls wait: the next one is told at once', async () => {
  const held = createHeldCalls({ maxCalls: 10, maxCallsEach: 1, waitMs: 60_000 });
  const begin = async ({ channel, signal }: HeldRequest) => {
    const outcome = await channel.ask!(form('Sure?'), signal).catch((error: { code: string }) => error.code);
    return { kind: 'completed', outcome };
  };
  await held.run(request({}), begin);
  expect(await held.run(request({}), begin)).toMatchObject({ outcome: 'overloaded' });
  const namesake = { ...request({}).principal, organisation: 'other' };
  expect(await held.run({ ...request({}), principal: namesake }, begin)).toMatchObject({
    kind: 'input_required',
  });
  held.close();
});

/** A way for calls to become tasks, and what becomes of the task. */
function taskWay() {
  const made = Promise.withResolvers<TaskWork>();
  const asked = Promise.withResolvers<JsonObject>();
  const ended = Promise.withResolvers<TaskEnd>();
  const tasks: TaskWay = {
    afterMs: 60_000,
    create: vi.fn(async (work: TaskWork) => {
      made.resolve(work);
      const created = { id: 'a', status: 'working', createdAt: 0, updatedAt: 0, expiresAt: 1 } as const;
      return { created, say: () => undefined, ask: asked.resolve, end: ended.resolve };
    }),
    endOf: () => ({ status: 'completed' }),
    failedWith: (error) => ({ status: 'failed', message: String(error) }),
  };
  return { tasks, made: made.promise, asked: asked.promise, ended: ended.promise };
}

test('a task asks however many calls wait: nothing of its client is held for that', async () => {
  const held = createHeldCalls({ maxCalls: 0, maxCallsEach: 0, waitMs: 60_000 });
  const { tasks, made, asked, ended } = taskWay();
  const run = held.run({ ...request({}), tasks }, async ({ channel, signal }) => {
    await channel.becomeTask?.();
    await channel.ask!(form('Sure?'), signal);
    return { kind: 'completed' };
  });
  expect(await run).toMatchObject({ kind: 'task' });
  expect(await asked).toMatchObject({ question_1: { params: { message: 'Sure?' } } });
  (await made).answer({ question_1: { action: 'accept' } });
  expect(await ended).toEqual({ status: 'completed' });
});

test('a task that was done when it was to stop is done', async () => {
  const { tasks, made, ended } = taskWay();
  const gate = Promise.withResolvers<void>();
  await createHeldCalls().run({ ...request({}), tasks }, async ({ channel }) => {
    await channel.becomeTask?.();
    await gate.promise;
    return { kind: 'completed' };
  });
  (await made).cancel(takenBack('No longer needed.'));
  gate.resolve();
  expect(await ended).toEqual({ status: 'completed' });
});

test('a task whose call fails because it was to stop was cancelled', async () => {
  const { tasks, made, ended } = taskWay();
  await createHeldCalls().run({ ...request({}), tasks }, async ({ channel, signal }) => {
    await channel.becomeTask?.();
    return passing(60_000, { kind: 'completed' }, { signal });
  });
  (await made).cancel(takenBack('No longer needed.'));
  expect(await ended).toEqual({ status: 'cancelled', message: 'No longer needed.' });
});

test('a cancelled task asks nothing any more', async () => {
  const { tasks, made, ended } = taskWay();
  await createHeldCalls().run({ ...request({}), tasks }, async ({ channel, signal }) => {
    await channel.becomeTask?.();
    await passing(60_000, undefined, { signal }).catch(() => undefined);
    await channel.ask!(form('Sure?'), signal);
    return { kind: 'completed' };
  });
  (await made).cancel(takenBack('No longer needed.'));
  expect(await ended).toEqual({ status: 'cancelled', message: 'No longer needed.' });
});

describe('a task whose call asks by its answer', () => {
  const asking = (state?: string) => ({
    kind: 'input_required',
    requests: { name: form('Name?') },
    ...(state === undefined ? {} : { state }),
  });

  test('goes on with the answers to these questions, and nothing of those before', async () => {
    const { tasks, made, asked, ended } = taskWay();
    const given: Partial<CallChannel>[] = [];
    const first = request({ requestState: 'of another', inputResponses: { before: {} } });
    await createHeldCalls().run({ ...first, tasks }, async ({ channel }) => {
      given.push(channel);
      if (given.length > 1) return { kind: 'completed' };
      await channel.becomeTask?.();
      return asking();
    });
    await asked;
    (await made).answer({ question_1: { action: 'decline' } });
    expect(await ended).toEqual({ status: 'completed' });
    expect(given[1]?.inputResponses).toEqual({ name: { action: 'decline' } });
    expect(given[1]).not.toHaveProperty('requestState');
  });

  test('ends where nobody answers in time', async () => {
    const { tasks, ended } = taskWay();
    const held = createHeldCalls({ maxCalls: 1, maxCallsEach: 1, waitMs: 20 });
    await held.run({ ...request({}), tasks }, async ({ channel }) => {
      await channel.becomeTask?.();
      return asking();
    });
    expect(await ended).toMatchObject({ status: 'failed', message: expect.stringContaining('no longer') });
  });

  test('is cancelled while it asks', async () => {
    const { tasks, made, asked, ended } = taskWay();
    await createHeldCalls().run({ ...request({}), tasks }, async ({ channel }) => {
      await channel.becomeTask?.();
      return asking();
    });
    await asked;
    (await made).cancel(takenBack('No longer needed.'));
    expect(await ended).toEqual({ status: 'cancelled', message: 'No longer needed.' });
  });
});

test('a client that went away leaves no task, whatever its call says', async () => {
  const { tasks } = taskWay();
  const controller = new AbortController();
  const run = createHeldCalls().run({ ...request({}, controller.signal), tasks }, async ({ channel }) => {
    await passing(0);
    controller.abort();
    return { kind: 'completed', became: await channel.becomeTask?.() };
  });
  expect(await run).toEqual({ kind: 'completed', became: false });
  expect(tasks.create).not.toHaveBeenCalled();
});

test('a call whose client had gone before it was heard of is stopped', async () => {
  const held = createHeldCalls();
  const gone = AbortSignal.abort(new Error('gone'));
  const run = held.run(request({}, gone), ({ signal }) => passing(60_000, { kind: 'completed' }, { signal }));
  await expect(run).rejects.toMatchObject({ cause: gone.reason });
});

test('another key of the same user does not go on with a call: it may allow less', async () => {
  const held = createHeldCalls();
  const by = (key: string, channel: Partial<CallChannel>) => {
    const { principal, ...rest } = request(channel);
    return { ...rest, principal: { ...principal, key } };
  };
  const begin = async ({ channel, signal }: HeldRequest) => {
    await channel.ask!(form('Sure?'), signal);
    return { kind: 'completed' };
  };
  const { state, requests } = (await held.run(by('one', {}), begin)) as unknown as {
    state: JsonObject;
    requests: object;
  };
  const inputResponses = Object.fromEntries(Object.keys(requests).map((key) => [key, { action: 'accept' }]));
  const answers = { requestState: state, inputResponses };
  await expect(held.run(by('other', answers), begin)).rejects.toMatchObject({ code: 'input_expired' });
  expect(await held.run(by('one', answers), begin)).toEqual({ kind: 'completed' });
});

test('while nobody is attached progress goes nowhere; afterwards to the request that waits', async () => {
  const held = createHeldCalls();
  const seen: string[] = [];
  const go = Promise.withResolvers<void>();
  const asked = await held.run(
    request({ progress: async (value) => void seen.push(`first ${value}`) }),
    async ({ channel, signal }) => {
      await channel.progress?.(1);
      const answer = channel.ask!(form('Sure?'), signal);
      await go.promise;
      await channel.progress?.(2);
      await answer;
      await channel.progress?.(3);
      return { kind: 'completed' };
    },
  );
  go.resolve();
  await passing(0);
  const { state, requests } = asked as unknown as { state: JsonObject; requests: object };
  const again = await held.run(
    request({
      progress: async (value) => void seen.push(`second ${value}`),
      requestState: state,
      inputResponses: Object.fromEntries(Object.keys(requests).map((key) => [key, { action: 'decline' }])),
    }),
    () => Promise.reject(new Error('begun twice')),
  );
  expect(again.kind).toBe('completed');
  expect(seen).toEqual(['first 1', 'second 3']);
});
