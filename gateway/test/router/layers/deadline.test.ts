import { setTimeout as passing } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { type Call, type CallChannel, LOCAL_PRINCIPAL, type Result } from '../../../src/operations/index.ts';
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

test('a call that asks may tell those below a later deadline; one that cannot keeps its own', async () => {
  const plain = callOf(1000);
  await deadlineLayer(plain, async ({ deadline }) => {
    expect(deadline).toBe(plain.deadline);
    return DONE;
  });
  const asking = callOf(1000, { ask: async () => null });
  await deadlineLayer(asking, async ({ deadline }) => {
    expect(deadline).toBeGreaterThan(asking.deadline);
    return DONE;
  });
});
