import { describe, expect, it } from 'vitest';
import { createPublisher } from '../../src/connectors/publisher.ts';
import { manualClock } from './support/manual-clock.ts';

function publishing() {
  const clock = manualClock();
  const reports: unknown[] = [];
  const state = { text: 'a', refreshes: 0, atOnce: 0, most: 0, gate: undefined as Promise<void> | undefined };
  const publisher = createPublisher({
    clock,
    write: async () => state.text,
    async refresh() {
      state.most = Math.max(state.most, ++state.atOnce);
      await state.gate;
      state.atOnce--;
      state.refreshes++;
    },
    report: (error) => void reports.push(error),
  });
  return { clock, reports, state, publisher };
}

describe('what is known', () => {
  it('is compiled only after somebody took it', async () => {
    const { state, publisher } = publishing();
    await publisher.now();
    expect(state.refreshes).toBe(0);
    await publisher.handOut();
    await publisher.now();
    expect(state.refreshes).toBe(0);
    state.text = 'b';
    await publisher.now();
    expect(state.refreshes).toBe(1);
  });

  it('is compiled once for many changes, never twice at a time, and once more for those that came meanwhile', async () => {
    const { clock, state, publisher } = publishing();
    await publisher.handOut();
    const gate = Promise.withResolvers<void>();
    state.gate = gate.promise;
    state.text = 'b';
    for (let n = 0; n < 5; n++) publisher.soon();
    expect(clock.waits).toEqual([50]);
    clock.advance(50);
    await expect.poll(() => state.atOnce).toBe(1);
    state.text = 'c';
    const waiting = [publisher.now(), publisher.now(), publisher.now()];
    gate.resolve();
    await Promise.all(waiting);
    expect(state).toMatchObject({ refreshes: 2, most: 1 });
  });

  it('is tried again where compiling failed, and says so', async () => {
    const { clock, reports, state, publisher } = publishing();
    await publisher.handOut();
    state.text = 'b';
    state.gate = Promise.reject(new Error('no catalog'));
    state.gate.catch(() => undefined);
    await expect(publisher.now()).rejects.toThrow('no catalog');
    publisher.soon();
    clock.advance(50);
    await expect.poll(() => reports).toHaveLength(1);
    state.gate = undefined;
    await publisher.now();
    expect(state.refreshes).toBe(1);
  });

  it('is written in turn: what was known first never ends on disk last', async () => {
    const slow = Promise.withResolvers<void>();
    const known = ['little', 'all'];
    let disk = '';
    const publisher = createPublisher({
      clock: manualClock(),
      async write() {
        const text = known.shift() ?? 'all';
        if (text === 'little') await slow.promise;
        disk = text;
        return text;
      },
      refresh: async () => undefined,
      report: () => undefined,
    });
    const early = publisher.now();
    const taken = publisher.handOut();
    setImmediate(slow.resolve);
    await Promise.all([early, taken]);
    expect(disk).toBe('all');
  });

  it('is left alone after the end', async () => {
    const { clock, state, publisher } = publishing();
    await publisher.handOut();
    state.text = 'b';
    publisher.soon();
    await publisher.close();
    expect(clock.waits).toEqual([]);
    await publisher.now();
    publisher.soon();
    expect(clock.waits).toEqual([]);
    expect(state.refreshes).toBe(0);
  });

  it('is no longer being written when the end has come, whatever is still being compiled', async () => {
    const { state, publisher } = publishing();
    await publisher.handOut();
    const gate = Promise.withResolvers<void>();
    state.gate = gate.promise;
    state.text = 'b';
    const underWay = publisher.now();
    await expect.poll(() => state.atOnce).toBe(1);
    await publisher.close();
    expect(state.refreshes).toBe(0);
    gate.resolve();
    await underWay;
  });
});
