import { afterEach, expect, it, vi } from 'vitest';
import { createGroupCommit } from '../../src/events/group-commit.ts';
import type { EventBody } from '../../src/operations/index.ts';
import type { Store } from '../../src/store/store.ts';

const SILENCE_MS = 35_000;
const end = { type: 'call-failed', call: 'c', access: 'write', code: 'timeout' } as unknown as EventBody;

afterEach(() => void vi.useRealTimers());

/** A store that gives a connection up after its silence, again and again. */
function silentStore() {
  const append = vi.fn(async () => {
    await new Promise((given) => setTimeout(given, SILENCE_MS));
    throw new Error('The connection ended: timeout');
  });
  const failed = vi.fn();
  const group = createGroupCommit({
    store: { append } as unknown as Store,
    entryOf: () => ({ event: { time: 0 } }) as never,
    prepare: () => undefined,
    doubted() {},
    committed() {},
    failed,
  });
  return { append, failed, group };
}

it('an end that the store kept waiting is told after one attempt, and goes on being tried', async () => {
  vi.useFakeTimers();
  const { append, failed, group } = silentStore();
  const told = vi.fn();
  void group.add(end).catch(told);
  await vi.advanceTimersByTimeAsync(SILENCE_MS + 10);
  expect([told.mock.calls.length, append.mock.calls.length]).toEqual([1, 1]);
  await vi.advanceTimersByTimeAsync(4 * SILENCE_MS);
  expect(append.mock.calls.length).toBeGreaterThan(3);
  expect(failed).toHaveBeenCalledOnce();
});

const DECIDED = { type: 'approval-decided', approval: 'a' } as unknown as EventBody;
const PROGRESS = { type: 'call-progress', call: 'c', text: 'Reads.' } as unknown as EventBody;
const nobodyListens = Object.assign(new Error('connect'), { syscall: 'connect', code: 'ECONNREFUSED' });

/** A store that takes nothing for some attempts. */
function storeThatComesBack(error: Error, attempts = 2, doubted = (_call: string) => {}) {
  const written: string[] = [];
  let left = attempts;
  const append = vi.fn(async (entries: readonly { readonly event: { readonly type: string } }[]) => {
    if (left-- > 0) throw error;
    written.push(...entries.map(({ event }) => event.type));
    return entries.map((_entry, index) => index + 1);
  });
  const failed = vi.fn();
  const group = createGroupCommit({
    store: { append } as unknown as Store,
    entryOf: ({ type }) => ({ event: { time: 0, type } }) as never,
    prepare: () => undefined,
    doubted,
    committed() {},
    failed,
  });
  return { written, failed, group };
}

it('what is no call’s is told at once where nobody took it, and written when the store is back', async () => {
  vi.useFakeTimers();
  const { written, failed, group } = storeThatComesBack(nobodyListens);
  const added = expect(group.add(DECIDED)).rejects.toThrow('ECONNREFUSED');
  await vi.advanceTimersByTimeAsync(10);
  await added;
  expect(written).toEqual([]);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(written).toEqual(['approval-decided']);
  expect(failed).toHaveBeenCalledOnce();
});

it('is written at the end where the store came back by then', async () => {
  const { written, group } = storeThatComesBack(nobodyListens, 1);
  await expect(group.add(DECIDED)).rejects.toThrow('ECONNREFUSED');
  await group.close();
  expect(written).toEqual(['approval-decided']);
});

it('no more than a thousand facts are kept for a store that is away', async () => {
  vi.useFakeTimers();
  const { written, group } = storeThatComesBack(nobodyListens, 3);
  for (let n = 0; n < 1001; n++) group.add(DECIDED).catch(() => undefined);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(written).toHaveLength(1000);
});

it('the end of a call is told as lost where the log closes before the store is back', async () => {
  const { group } = storeThatComesBack(nobodyListens, 9);
  const added = expect(group.add(end)).rejects.toThrow('ECONNREFUSED');
  await group.close();
  await added;
});

it('a start that may have been written is told of, so that the call is looked for after a crash', async () => {
  vi.useFakeTimers();
  const doubted = vi.fn();
  const { group } = storeThatComesBack(new Error('Connection terminated unexpectedly'), 1, doubted);
  const started = { type: 'call-started', call: 'c', access: 'write' } as unknown as EventBody;
  const added = expect(group.add(started)).rejects.toThrow('terminated');
  await vi.advanceTimersByTimeAsync(10);
  await added;
  expect(doubted).toHaveBeenCalledExactlyOnceWith('c');
});

it.each([
  ['what may have been written', DECIDED, new Error('Connection terminated unexpectedly')],
  ['what was refused', DECIDED, Object.assign(new Error('no'), { severity: 'ERROR', code: '22P05' })],
  ['what a call said it was doing', PROGRESS, nobodyListens],
])('%s is not written again', async (_what, body, error) => {
  vi.useFakeTimers();
  const { written, group } = storeThatComesBack(error);
  group.add(body).catch(() => undefined);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(written).toEqual([]);
});
