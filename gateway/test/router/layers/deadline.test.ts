import { setTimeout as passing } from 'node:timers/promises';
import { expect, test } from 'vitest';
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

test.each([
  ['keeps its own where its client cannot be asked', 'mcp', false, false],
  ['may be later where a server asks the client', 'mcp', true, true],
  ['is its own where the operation asks nobody, whatever the client can', 'http', true, false],
] as const)('the deadline of a call %s', async (_what, kind, asks, later) => {
  const call = callOf(1000, asks ? { ask: async () => null } : {});
  const operation = { ...call.operation, invocation: { ...call.operation.invocation, kind } } as Operation;
  await deadlineLayer({ ...call, operation }, async ({ deadline }) => {
    expect(deadline > call.deadline).toBe(later);
    return DONE;
  });
});
