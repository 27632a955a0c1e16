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
