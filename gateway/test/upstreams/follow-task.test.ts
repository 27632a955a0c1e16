import { describe, expect, it } from 'vitest';
import { ToolcribError } from '../../src/errors.ts';
import type { JsonObject } from '../../src/operations/index.ts';
import type { CallRequests } from '../../src/upstreams/call-requests.ts';
import { ServerError, SessionError } from '../../src/upstreams/session/session-error.ts';
import { followTask, pausedTask, resumeTask } from '../../src/upstreams/tasks/follow-task.ts';
import { type Task, taskOf } from '../../src/upstreams/tasks/task.ts';

type Sent = readonly [method: string, params: JsonObject, own?: unknown];

/** A server that answers with these, one after the other; an error is thrown. */
function server(...answers: ReadonlyArray<JsonObject | Error>) {
  const sent: Sent[] = [];
  const afterwards: Sent[] = [];
  const said: string[] = [];
  const caller = new AbortController();
  const left = [...answers];
  const call: CallRequests = {
    signal: caller.signal,
    deadline: Date.now() + 60_000,
    async send(method, params, own) {
      sent.push(own === undefined ? [method, params] : [method, params, own]);
      const answer = left.shift();
      if (answer === undefined) throw new Error(`Nothing is left to answer to ${method}.`);
      if (answer instanceof Error) throw answer;
      return answer;
    },
    sendAfterwards: (method, params) => void afterwards.push([method, params]),
    tell: (message) => void said.push(message),
    becomesTask: () => undefined,
    told: async () => undefined,
    hold: () => () => undefined,
    close: () => undefined,
  };
  return { call, sent, afterwards, said, caller };
}

const at = (status: Task['status'], more: JsonObject = {}): JsonObject => ({
  taskId: 't1',
  status,
  pollIntervalMs: 1,
  ...more,
});
const DONE = at('completed', { result: { content: [] } });
const QUESTION = { method: 'elicitation/create', params: { mode: 'form', message: 'Which?' } };
const LOST = new SessionError('lost', 'The connection broke.');
const GET: Sent = ['tasks/get', { taskId: 't1' }];

describe('a task of 2026-07-28', () => {
  it('is asked for its result also where it had ended when it was made', async () => {
    const { call, sent } = server(DONE);
    expect(await followTask(taskOf(at('completed')), true, call)).toEqual({
      kind: 'result',
      result: { content: [] },
    });
    expect(sent).toEqual([GET]);
  });

  it.each<[string, JsonObject]>([
    ['ends without a result', at('completed')],
    ['asks for nothing', at('input_required')],
    ['fails without an error', at('failed')],
    ['is cancelled', at('cancelled')],
  ])('that %s has no answer', async (_what, end) => {
    const { call, afterwards } = server(end);
    await expect(followTask(taskOf(at('working')), true, call)).rejects.toMatchObject({ kind: 'malformed' });
    expect(afterwards).toEqual([]);
  });

  it('puts each question once, however often its caller comes back', async () => {
    const asks = (...keys: readonly string[]) =>
      at('input_required', { inputRequests: Object.fromEntries(keys.map((key) => [key, QUESTION])) });
    const first = server(asks('a'));
    const one = await followTask(taskOf(at('working')), true, first.call);
    const pausedOne = { task: 't1', asked: ['a'], answered: [] };
    expect(one).toMatchObject({ state: pausedOne });
    const second = server({}, asks('a', 'b'));
    const two = await resumeTask(
      pausedOne,
      { a: { action: 'accept' }, x: { action: 'accept' } },
      second.call,
    );
    expect(second.sent).toEqual([
      ['tasks/update', { taskId: 't1', inputResponses: { a: { action: 'accept' } } }],
      GET,
    ]);
    const pausedTwo = { task: 't1', asked: ['b'], answered: ['a'] };
    expect(two).toMatchObject({ state: pausedTwo });
    const third = server({}, asks('a', 'b', 'c'));
    const three = await resumeTask(pausedTwo, { b: { action: 'accept' } }, third.call);
    expect(three).toMatchObject({ state: { task: 't1', asked: ['c'], answered: ['a', 'b'] } });
    const fourth = server(asks('a', 'b', 'c'));
    expect(await resumeTask(pausedTwo, {}, fourth.call)).toMatchObject({
      state: { asked: ['b', 'c'], answered: ['a'] },
    });
  });
});

describe('a task of 2025-11-25', () => {
  it('is asked for its result in its own name, and again where the connection failed', async () => {
    const { call, sent } = server(LOST, at('input_required'), { content: [] });
    expect(await followTask(taskOf(at('input_required')), false, call)).toEqual({
      kind: 'result',
      result: { content: [] },
    });
    const result: Sent = ['tasks/result', { taskId: 't1' }, { task: 't1' }];
    expect(sent).toEqual([result, GET, result]);
  });

  it('that its server cancelled has no result to ask for', async () => {
    const { call, sent } = server();
    const end = followTask(taskOf(at('cancelled', { statusMessage: 'Full.' })), false, call);
    await expect(end).rejects.toThrow('the server cancelled its task, saying "Full."');
    expect(sent).toEqual([]);
  });
});

describe('a task whose server cannot be asked', () => {
  it('for a moment goes on', async () => {
    const errors = [
      LOST,
      new SessionError('unsent', 'Nothing was written.'),
      new SessionError('session_lost', 'The server no longer knows the session.'),
      new ToolcribError('upstream_unavailable', 'It does not start.'),
    ];
    const ends = errors.map((error) => followTask(taskOf(at('working')), true, server(error, DONE).call));
    for (const end of ends) expect(await end).toMatchObject({ kind: 'result' });
  });

  it.each([
    [new SessionError('malformed', 'No answer.'), { kind: 'malformed' }],
    [new ToolcribError('authorization_required', 'Sign in.'), { code: 'authorization_required' }],
    [new ServerError(-32602, 'No such task.', undefined), { kind: 'lost' }],
  ])('for another reason ends: %s', async (error, expected) => {
    const { call, sent, afterwards } = server(error, DONE);
    await expect(followTask(taskOf(at('working')), true, call)).rejects.toMatchObject(expected);
    expect(sent).toHaveLength(1);
    expect(afterwards).toEqual([]);
  });

  it('for long was begun all the same: nothing that was not written makes it safe to begin again', async () => {
    const unsent = new SessionError('unsent', 'Nothing was written.');
    const { call, sent } = server(...Array<Error>(7).fill(unsent));
    await expect(followTask(taskOf(at('working')), true, call)).rejects.toMatchObject({ kind: 'lost' });
    expect(sent).toEqual(Array(6).fill(GET));
  });

  it('is cancelled where its caller goes away', async () => {
    const { call, caller, afterwards } = server(at('working'), DONE);
    caller.abort();
    await expect(followTask(taskOf(at('working')), true, call)).rejects.toMatchObject({ kind: 'cancelled' });
    expect(afterwards).toEqual([['tasks/cancel', { taskId: 't1' }]]);
  });

  it('is cancelled where its deadline passes', async () => {
    const { call, afterwards } = server(at('working'), DONE);
    const late = { ...call, deadline: Date.now() };
    await expect(followTask(taskOf(at('working')), true, late)).rejects.toMatchObject({ kind: 'deadline' });
    expect(afterwards).toEqual([['tasks/cancel', { taskId: 't1' }]]);
  });
});

it('the state of a question is a paused task only where it holds one', () => {
  const paused = { task: 't1', asked: ['a'], answered: [] };
  expect(pausedTask(paused)).toEqual(paused);
  for (const change of [{ task: 1 }, { asked: 'a' }, { asked: [1] }, { answered: null }, { answered: [{}] }])
    expect(pausedTask({ ...paused, ...change } as JsonObject)).toBeUndefined();
  for (const state of [undefined, null, 't1', []]) expect(pausedTask(state)).toBeUndefined();
});
