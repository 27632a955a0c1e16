import { getEventListeners } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { followEvents } from '../../src/events/follow.ts';
import type { Event } from '../../src/operations/index.ts';

/** A log that is written elsewhere and read by pages of two, and what its reader asks of it. */
function readLog() {
  const events: Event[] = [];
  const wakes = new Set<() => void>();
  const log = {
    away: false,
    reads: 0,
    starts: 0,
    readers: () => wakes.size,
    append(count = 1) {
      for (let n = 0; n < count; n++) {
        const [sequence, time] = [events.length + 1, new Date(0).toISOString()];
        events.push({ type: 'source-failed', source: 's', message: 'm', sequence, time });
      }
      for (const wake of wakes) wake();
    },
    follow: (signal: AbortSignal) =>
      followEvents(
        {
          async read(after) {
            log.reads++;
            if (log.away) throw new Error('away');
            return events.filter(({ sequence }) => sequence > after).slice(0, 2);
          },
          onNews(wake) {
            wakes.add(wake);
            return () => wakes.delete(wake);
          },
        },
        signal,
        async () => {
          log.starts++;
          return 0;
        },
      ),
  };
  return log;
}
const sequenceOf = async (next: Promise<IteratorResult<Event, void>>) => (await next).value?.sequence;
/** Whatever could be done without news was done. */
const idle = async () => {
  for (let turn = 0; turn < 5; turn++) await setImmediate();
};

describe('who follows a log', () => {
  it('leaves nothing behind, whichever side ends it', async () => {
    const log = readLog();
    log.append();
    const controller = new AbortController();
    const { signal } = controller;
    const [returning, ending] = [log.follow(signal), log.follow(signal)];
    expect([await sequenceOf(returning.next()), await sequenceOf(ending.next())]).toEqual([1, 1]);
    expect([log.readers(), getEventListeners(signal, 'abort').length]).toEqual([2, 2]);
    await returning.return();
    expect([log.readers(), getEventListeners(signal, 'abort').length]).toEqual([1, 1]);
    const waiting = ending.next();
    await idle();
    controller.abort();
    expect(await waiting).toEqual({ done: true, value: undefined });
    expect([log.readers(), getEventListeners(signal, 'abort').length]).toEqual([0, 0]);
  });

  it('asks once for each news, and where to begin once', async () => {
    const log = readLog();
    const events = log.follow(new AbortController().signal);
    for (const sequence of [1, 2]) {
      const next = events.next();
      await idle();
      const { reads } = log;
      await idle();
      expect(log.reads).toBe(reads);
      log.append();
      expect(await sequenceOf(next)).toBe(sequence);
    }
    expect(log.starts).toBe(1);
    await events.return();
  });

  it('gets page after page of what is there without waiting for news', async () => {
    const log = readLog();
    log.append(5);
    const events = log.follow(new AbortController().signal);
    for (const sequence of [1, 2, 3, 4, 5]) expect(await sequenceOf(events.next())).toBe(sequence);
    await events.return();
  });

  it('gets nothing of a page any more once it is gone', async () => {
    const log = readLog();
    log.append(2);
    const controller = new AbortController();
    const events = log.follow(controller.signal);
    expect(await sequenceOf(events.next())).toBe(1);
    controller.abort();
    expect(await events.next()).toEqual({ done: true, value: undefined });
  });

  it('leaves a log alone that cannot be read, until there is news', async () => {
    // no pause ends by itself
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const log = readLog();
    log.away = true;
    const events = log.follow(new AbortController().signal);
    const next = events.next();
    await idle();
    expect(log.reads).toBe(1);
    log.away = false;
    log.append();
    expect(await sequenceOf(next)).toBe(1);
    await events.return();
  });
});
