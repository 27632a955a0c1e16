import { setTimeout as passing } from 'node:timers/promises';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, test } from 'vitest';
import type { CallChannel, InputRequest, JsonObject } from '../../../src/operations/index.ts';
import { createHeldCalls, type HeldRequest } from '../../../src/server/mcp/held-calls.ts';
import { defineTool, type FunctionSource } from '../../../src/sources/function/define.ts';
import { mcpEndpoint } from './mcp-endpoint.ts';

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
  held.close();
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
