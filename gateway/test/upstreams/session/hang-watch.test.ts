import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { createHangWatch } from '../../../src/upstreams/session/hang-watch.ts';

beforeEach(() => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
});

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

/** A server that was heard now; pings are answered by hand. */
function world(hangMs: number) {
  const state = { open: 1, heardAt: Date.now(), hung: 0 };
  const pings: Array<{ deadline: number; answered(): void; silent(): void }> = [];
  const watch = createHangWatch({
    hangMs,
    open: () => state.open,
    heardAt: () => state.heardAt,
    ping: (deadline) =>
      new Promise((resolve, reject) =>
        pings.push({ deadline, answered: resolve, silent: () => reject(new Error('late')) }),
      ),
    hung: () => {
      state.hung += 1;
    },
  });
  return { state, pings, watch };
}

test('a server that is quiet for half the time that it has is asked, and hung once it does not answer', async () => {
  const { watch, pings, state } = world(4_000);
  watch.arm();
  await pass(1_999);
  expect(pings).toHaveLength(0);
  await pass(1);
  expect(pings.map(({ deadline }) => deadline - Date.now())).toEqual([4_000]);
  pings[0]!.silent();
  await pass(0);
  expect(state.hung).toBe(1);
});

test('one that may be quiet for long is asked after five seconds all the same', async () => {
  const { watch, pings } = world(600_000);
  watch.arm();
  await pass(5_000);
  expect(pings).toHaveLength(1);
});

test('it is asked again and again while something is open, one question at a time, and then no more', async () => {
  const { watch, pings, state } = world(4_000);
  watch.arm();
  for (const round of [1, 2]) {
    await pass(2_000);
    watch.arm();
    await pass(2_000);
    expect(pings).toHaveLength(round);
    pings.at(-1)!.answered();
    await pass(0);
  }
  state.open = 0;
  await pass(60_000);
  expect(pings).toHaveLength(2);
  expect(state.hung).toBe(0);
  state.open = 1;
  watch.arm();
  state.open = 0;
  await pass(60_000);
  expect(pings).toHaveLength(2);
});

test('one that says something is not asked; a clock that was set back makes nobody heard', async () => {
  const { watch, pings, state } = world(4_000);
  watch.arm();
  for (let second = 0; second < 10; second += 1) {
    state.heardAt = Date.now();
    await pass(1_000);
  }
  expect(pings).toHaveLength(0);
  state.heardAt = Date.now() + 3_600_000;
  await pass(2_000);
  expect(pings).toHaveLength(1);
});

test('what comes while a ping is out is a sign of life, whatever becomes of the ping', async () => {
  const { watch, pings, state } = world(4_000);
  watch.arm();
  await pass(2_000);
  state.heardAt = Date.now();
  pings[0]!.silent();
  await pass(2_000);
  expect(state.hung).toBe(0);
  expect(pings).toHaveLength(2);
});

test('who wants to know at once shares the ping that is out, and waits for it', async () => {
  const { watch, pings, state } = world(4_000);
  let known = 0;
  for (const _ of [1, 2]) void watch.check().then(() => (known += 1));
  await pass(0);
  expect([pings.length, known]).toEqual([1, 0]);
  pings[0]!.silent();
  await pass(0);
  expect([known, state.hung]).toEqual([2, 1]);
});

test('after the end nobody is asked, and nothing counts as hung', async () => {
  const { watch, pings } = world(4_000);
  watch.arm();
  watch.stop();
  expect(vi.getTimerCount()).toBe(0);
  watch.arm();
  await watch.check();
  expect(vi.getTimerCount()).toBe(0);
  expect(pings).toHaveLength(0);

  const other = world(4_000);
  other.watch.arm();
  await pass(2_000);
  other.watch.stop();
  other.pings[0]!.silent();
  await pass(60_000);
  expect(other.state.hung).toBe(0);
  expect(other.pings).toHaveLength(1);
});
