import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createWaitingRoom } from '../../src/upstreams/waiting-room.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const late = () => new Error('late');
const within = (ms: number) => Date.now() + ms;

test('who was let in, was refused, came late or went away waits no longer, and leaves nothing behind', async () => {
  const room = createWaitingRoom<string>();
  const { signal } = new AbortController();
  const removed = vi.spyOn(signal, 'removeEventListener');
  const ends = [room.enter(signal, within(1_000), late)];
  room.admit('in');
  ends.push(room.enter(signal, within(1_000), late));
  room.refuse(() => new Error('refused'));
  expect([room.size, vi.getTimerCount()]).toEqual([0, 0]);
  ends.push(room.enter(signal, within(1_000), late));
  const settled = Promise.allSettled(ends);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await settled).toMatchObject([
    { value: 'in' },
    { reason: { message: 'refused' } },
    { reason: { message: 'late' } },
  ]);
  expect([room.size, vi.getTimerCount(), removed.mock.calls.length]).toEqual([0, 0, 3]);
});

test('a limit is made earlier, never later', async () => {
  const room = createWaitingRoom<string>();
  const { signal } = new AbortController();
  const seen: string[] = [];
  room.enter(signal, within(1_000), late).catch(() => seen.push('first'));
  room.enter(signal, within(9_000), late).catch(() => seen.push('second'));
  room.shorten(within(5_000));
  room.shorten(within(7_000));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(seen).toEqual(['first']);
  await vi.advanceTimersByTimeAsync(3_999);
  expect(seen).toEqual(['first']);
  await vi.advanceTimersByTimeAsync(1);
  expect(seen).toEqual(['first', 'second']);
  expect(vi.getTimerCount()).toBe(0);
});

test.each([
  ['cancelled', new Error('gone')],
  ['deadline_exceeded', new DOMException('over', 'TimeoutError')],
])('who goes away while it waits, or before, hears %s', async (code, reason) => {
  const room = createWaitingRoom<string>();
  const leaving = new AbortController();
  const waiting = room.enter(leaving.signal, within(1_000), late);
  leaving.abort(reason);
  await expect(waiting).rejects.toMatchObject({ code });
  await expect(room.enter(leaving.signal, within(1_000), late)).rejects.toMatchObject({ code });
  expect([room.size, vi.getTimerCount()]).toEqual([0, 0]);
});
