import { setTimeout as passing } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  type Call,
  type CallChannel,
  LOCAL_PRINCIPAL,
  type Operation,
  type Result,
} from '../../../src/operations/index.ts';
import { deadlineLayer } from '../../../src/router/layers/deadline.ts';
import { plainOperation } from '../../catalog/compiled-source.ts';

const DONE: Result = { kind: 'completed', content: [] };
const callOf = (milliseconds: number, channel: CallChannel = {}): Call => ({
  id: 'c',
  principal: LOCAL_PRINCIPAL,
  tool: 't',
  operation: plainOperation('t', 's'),
  arguments: {},
  deadline: Date.now() + milliseconds,
  signal: new AbortController().signal,
  channel,
  dryRun: false,
  depth: 0,
});
const question = { method: 'roots/list' } as const;
const aborted = (signal: AbortSignal) =>
  new Promise<Result>((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));

test('what takes longer ends with a timeout', async () => {
  await expect(deadlineLayer(callOf(20), ({ signal }) => aborted(signal))).rejects.toMatchObject({
    name: 'TimeoutError',
  });
});

test('what comes after its deadline is not begun', async () => {
  let begun = false;
  const late = deadlineLayer(callOf(-1), async () => {
    begun = true;
    return DONE;
  });
  await expect(late).rejects.toMatchObject({ code: 'deadline_exceeded' });
  expect(begun).toBe(false);
});

test('while the client is asked, the clock stands still; afterwards it goes on', async () => {
  const ask = () => passing(600, { roots: [] });
  const asked = deadlineLayer(callOf(400, { ask }), async ({ channel, signal }) => {
    await Promise.all([channel.ask!(question, signal), channel.ask!(question, signal)]);
    expect(signal.aborted).toBe(false);
    return DONE;
  });
  expect(await asked).toBe(DONE);
  const slow = deadlineLayer(callOf(400, { ask }), async ({ channel, signal }) => {
    await channel.ask!(question, signal);
    return aborted(signal);
  });
  await expect(slow).rejects.toMatchObject({ name: 'TimeoutError' });
});

describe('by the clock', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] }));
  afterEach(() => void vi.useRealTimers());
  const wait = (ms: number) => new Promise<null>((resolve) => setTimeout(resolve, ms, null));
  type Turn = readonly ['runs' | 'asks', number];

  test.each<[string, number, readonly Turn[]]>([
    ['what runs', 1000, [['runs', Infinity]]],
    [
      'what ran on after an answer',
      1000 + 5000,
      [
        ['runs', 300],
        ['asks', 5000],
        ['runs', Infinity],
      ],
    ],
    [
      'a question that nobody answers',
      1000 + 600_000,
      [
        ['runs', 300],
        ['asks', Infinity],
      ],
    ],
    [
      'questions that take ten minutes together',
      1000 + 600_000,
      [
        ['asks', 400_000],
        ['runs', 300],
        ['asks', 200_000],
        ['runs', Infinity],
      ],
    ],
    [
      'the last of several questions',
      1000 + 600_000,
      [
        ['asks', 400_000],
        ['runs', 300],
        ['asks', Infinity],
      ],
    ],
    [
      'what runs on after questions that took longer',
      1000 + 600_000,
      [
        ['asks', 600_200],
        ['runs', Infinity],
      ],
    ],
    [
      'what ran on after questions that took longer',
      1000 + 600_000,
      [
        ['asks', 600_200],
        ['runs', 100],
        ['asks', Infinity],
      ],
    ],
  ])('%s ends after %i ms', async (_what, milliseconds, turns) => {
    const over = Promise.withResolvers<null>();
    const until = (ms: number) => Promise.race([over.promise, ...(ms === Infinity ? [] : [wait(ms)])]);
    let took = 0;
    const ask = () => until(took);
    let ended = false;
    const call = deadlineLayer(callOf(1000, { ask }), async ({ channel, signal }) => {
      signal.addEventListener('abort', () => {
        ended = true;
      });
      for (const [what, ms] of turns) {
        took = ms;
        await (what === 'asks' ? channel.ask!(question, signal) : until(ms));
      }
      return DONE;
    });
    await vi.advanceTimersByTimeAsync(milliseconds - 1);
    expect(ended).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(ended).toBe(true);
    over.resolve(null);
    await call;
  });

  test('questions that overlap are one pause, as long as the longest', async () => {
    const answers = [wait(300), wait(5000)];
    const ask = () => answers.shift()!;
    const call = deadlineLayer(callOf(1000, { ask }), async ({ channel, signal }) => {
      await Promise.all([channel.ask!(question, signal), channel.ask!(question, signal)]);
      await wait(999);
      expect(signal.aborted).toBe(false);
      return DONE;
    });
    await vi.advanceTimersByTimeAsync(5999);
    expect(await call).toBe(DONE);
  });

  test('nothing rings once the call is over', async () => {
    // files share a worker: others may have left timers of theirs
    const before = vi.getTimerCount();
    await deadlineLayer(callOf(1000), async () => DONE);
    expect(vi.getTimerCount()).toBe(before);
  });
});

test('what its caller gave up is given up, before and while it runs, for the same reason', async () => {
  const reason = new Error('gone');
  const controller = new AbortController();
  const running = deadlineLayer({ ...callOf(1000), signal: controller.signal }, ({ signal }) =>
    aborted(signal),
  );
  controller.abort(reason);
  await expect(running).rejects.toBe(reason);
  await deadlineLayer({ ...callOf(1000), signal: AbortSignal.abort(reason) }, async ({ signal }) => {
    expect(signal.reason).toBe(reason);
    return DONE;
  });
});

test.each([
  ['keeps its own where its client cannot be asked', 'mcp', false, false],
  ['may be later where a server asks the client', 'mcp', true, true],
  ['is its own where the operation asks nobody, whatever the client can', 'http', true, false],
] as const)('the deadline of a call %s', async (_what, kind, asks, later) => {
  const call = callOf(1000, asks ? { ask: async () => null } : {});
  const operation = { ...call.operation, invocation: { ...call.operation.invocation, kind } } as Operation;
  await deadlineLayer({ ...call, operation }, async ({ deadline, channel }) => {
    expect(channel.ask !== undefined).toBe(asks);
    expect(deadline - call.deadline).toBe(later ? 600_000 : 0);
    return DONE;
  });
});
