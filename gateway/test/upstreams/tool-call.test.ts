import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../src/operations/index.ts';
import type { CallRequests } from '../../src/upstreams/call-requests.ts';
import { ServerError, SessionError } from '../../src/upstreams/session/session-error.ts';
import { callTool, type ToolTerms } from '../../src/upstreams/tasks/tool-call.ts';

const PARAMS = { name: 'act', arguments: { a: 1 } };
const DONE = { content: [{ type: 'text', text: 'done' }] };
const QUESTION = { method: 'roots/list' };

interface Given {
  readonly terms?: Partial<ToolTerms>;
  readonly channel?: { readonly requestState?: Json; readonly inputResponses?: JsonObject };
  readonly renewed?: boolean;
}

/** Calls the tool of a server that answers in turn; an error is thrown. */
async function called(answers: readonly (JsonObject | Error)[], given: Given = {}) {
  const { terms = {}, channel = {}, renewed = false } = given;
  const sent: { readonly method: string; readonly params: JsonObject; readonly own: unknown }[] = [];
  const heldAt: number[] = [];
  const told: (string | undefined)[] = [];
  const asked: number[] = [];
  let held = 0;
  const left = [...answers];
  const call: CallRequests = {
    signal: new AbortController().signal,
    deadline: Date.now() + 10_000,
    async send(method, params, own) {
      sent.push({ method, params, own });
      heldAt.push(held);
      const answer = left.shift();
      if (answer === undefined || answer instanceof Error) throw answer ?? new Error('asked too often');
      return answer;
    },
    sendAfterwards: () => undefined,
    tell: () => undefined,
    becomesTask: (message) => void told.push(message),
    told: async () => undefined,
    hold: () => {
      held += 1;
      return () => {
        held -= 1;
      };
    },
    close: () => undefined,
  };
  const listing = {
    termsOf: () => ({ asTask: false, ...terms }),
    renewed: async (code: number) => {
      asked.push(code);
      return renewed;
    },
  };
  const end = await callTool(PARAMS, listing, channel, call).catch((error: unknown) => error);
  return { end, sent, told, asked, held: [...heldAt, held] };
}

const task = (status: string, more: JsonObject = {}) => ({ taskId: 't1', status, ...more });

test('a tool that answers is called once, with its headers', async () => {
  const { end, sent, told } = await called([DONE], { terms: { headers: { 'mcp-param-a': '1' } } });
  expect(end).toEqual({ kind: 'result', result: DONE });
  expect(sent).toEqual([
    { method: 'tools/call', params: PARAMS, own: { keepsProgress: false, headers: { 'mcp-param-a': '1' } } },
  ]);
  expect(told).toEqual([]);
});

test('one that asks by its answer has asked', async () => {
  const asks = { resultType: 'input_required', inputRequests: { roots: QUESTION }, requestState: 's' };
  expect((await called([asks])).end).toEqual({
    kind: 'input_required',
    requests: { roots: QUESTION },
    state: 's',
  });
});

describe('one that is carried out as a task (2025-11-25)', () => {
  test('is kept longer than its call, followed, and its server kept running meanwhile', async () => {
    const created = { task: task('completed', { statusMessage: 'At work.' }) };
    const { end, sent, told, held } = await called([created, DONE], { terms: { asTask: true } });
    expect(end).toEqual({ kind: 'result', result: DONE });
    expect(sent.map(({ method }) => method)).toEqual(['tools/call', 'tasks/result']);
    const { ttl } = sent[0]!.params['task'] as { ttl: number };
    expect(ttl).toBeGreaterThan(60_000);
    expect(ttl).toBeLessThanOrEqual(70_000);
    expect(sent[0]!.own).toEqual({ keepsProgress: true });
    expect([told, held]).toEqual([['At work.'], [0, 1, 0]]);
  });

  test('is none where nobody asked for a task, whatever its answer holds', async () => {
    const odd = { ...DONE, task: task('working') };
    expect((await called([odd])).end).toEqual({ kind: 'result', result: odd });
  });
});

test('a task that waits for answers is gone on with, and not begun again', async () => {
  const { end, sent, told, held } = await called([{}, task('completed', { result: DONE })], {
    channel: {
      requestState: { task: 't1', asked: ['roots'], answered: [] },
      inputResponses: { roots: { roots: [] } },
    },
  });
  expect(end).toEqual({ kind: 'result', result: DONE });
  expect(sent.map(({ method, params }) => [method, params])).toEqual([
    ['tasks/update', { taskId: 't1', inputResponses: { roots: { roots: [] } } }],
    ['tasks/get', { taskId: 't1' }],
  ]);
  expect([told, held]).toEqual([[undefined], [1, 1, 0]]);
});

describe('one that was refused', () => {
  const stale = new ServerError(-32601, 'as a task only', undefined);

  test('for stale definitions is called once more', async () => {
    const { end, sent, asked } = await called([stale, DONE], { renewed: true });
    expect(end).toEqual({ kind: 'result', result: DONE });
    expect([sent.length, asked]).toEqual([2, [-32601]]);
  });

  test('for another reason is not', async () => {
    const { end, sent } = await called([stale, DONE]);
    expect([end, sent.length]).toEqual([stale, 1]);
  });

  test('by no answer of its server asks for no list', async () => {
    const lost = new SessionError('lost', 'gone');
    const { end, sent, asked } = await called([lost, DONE], { renewed: true });
    expect([end, sent.length, asked]).toEqual([lost, 1, []]);
  });
});
