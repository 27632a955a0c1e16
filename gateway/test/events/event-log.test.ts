import { describe, expect, it } from 'vitest';
import { createEventLog, type EventLog } from '../../src/events/event-log.ts';
import type { Event, EventBody } from '../../src/operations/index.ts';

const failed = (message: string): EventBody => ({ type: 'source-failed', source: 'pets', message });
const messages = (events: readonly Event[]) =>
  events.map((event) => ('message' in event ? event.message : ''));
const sequences = (events: readonly Event[]) => events.map((event) => event.sequence);

describe('append', () => {
  it('numbers from one, dates in UTC and freezes', async () => {
    const log = createEventLog({ now: () => Date.UTC(2026, 0, 2, 3, 4, 5, 6) });
    expect(await log.append(failed('a'))).toEqual({
      type: 'source-failed',
      source: 'pets',
      message: 'a',
      sequence: 1,
      time: '2026-01-02T03:04:05.006Z',
    });
    expect((await log.append(failed('b'))).sequence).toBe(2);
    expect(Object.isFrozen((await log.list())[0])).toBe(true);
  });

  it('tells each subscriber before it resolves, until it unsubscribes', async () => {
    const log = createEventLog();
    const seen: Event[] = [];
    const listener = (event: Event) => void seen.push(event);
    const stopFirst = log.subscribe(listener);
    const stopSecond = log.subscribe(listener);
    await log.append(failed('both'));
    stopFirst();
    stopFirst();
    await log.append(failed('second only'));
    stopSecond();
    await log.append(failed('nobody'));
    expect(messages(seen)).toEqual(['both', 'both', 'second only']);
  });

  it('tells nobody any more whom another subscriber stopped', async () => {
    const log = createEventLog();
    const seen: Event[] = [];
    log.subscribe(() => stop());
    const stop = log.subscribe((event) => void seen.push(event));
    await log.append(failed('a'));
    expect(seen).toEqual([]);
  });

  it('a subscriber that throws or rejects costs nobody else', async () => {
    const errors: unknown[] = [];
    const log = createEventLog({ onListenerError: (error) => errors.push((error as Error).message) });
    const seen: Event[] = [];
    log.subscribe(() => {
      throw new Error('thrown');
    });
    log.subscribe((async () => {
      throw new Error('rejected');
    }) as () => void);
    log.subscribe((event) => void seen.push(event));
    expect((await log.append(failed('a'))).sequence).toBe(1);
    expect(messages(seen)).toEqual(['a']);
    await Promise.resolve();
    expect(errors).toEqual(['thrown', 'rejected']);
  });

  it('shows every subscriber the same order when a subscriber appends', async () => {
    const log = createEventLog();
    const seen: Event[] = [];
    const stop = log.subscribe(() => {
      stop();
      void log.append(failed('from inside'));
    });
    log.subscribe((event) => void seen.push(event));
    await log.append(failed('from outside'));
    expect(messages(seen)).toEqual(['from outside', 'from inside']);
  });
});

describe('list', () => {
  const filled = async () => {
    const log = createEventLog({ capacity: 3 });
    for (const message of ['a', 'b', 'c', 'd', 'e']) await log.append(failed(message));
    return log;
  };

  it.each([
    ['all that are kept', undefined, [3, 4, 5]],
    ['from zero', 0, [3, 4, 5]],
    ['from a forgotten one', 1, [3, 4, 5]],
    ['from a kept one', 4, [5]],
    ['from the newest', 5, []],
    ['from the future', 99, []],
    ['from before the beginning', -7, [3, 4, 5]],
  ])('%s', async (_, after, expected) => {
    expect(sequences(await (await filled()).list(after))).toEqual(expected);
  });

  it('takes the first moment and the last sequence that are asked for, and not the moment at the end', async () => {
    let time = Date.UTC(2026, 0, 1);
    const log = createEventLog({ now: () => time++ });
    for (const message of ['a', 'b', 'c']) await log.append(failed(message));
    const [from, to] = [Date.UTC(2026, 0, 1) + 1, Date.UTC(2026, 0, 1) + 2];
    expect(messages(await log.list(undefined, { from }))).toEqual(['b', 'c']);
    expect(messages(await log.list(undefined, { to }))).toEqual(['a', 'b']);
    expect(messages(await log.list(0, { through: 2 }))).toEqual(['a', 'b']);
    expect(messages(await log.list(undefined, { before: 2 }))).toEqual(['a']);
    // the newest ones between the two
    expect(messages(await log.list(0, { before: 3, limit: 1 }))).toEqual(['b']);
  });

  it('is empty at first', async () => expect(await createEventLog().list()).toEqual([]));

  it.each([
    ['the newest two', undefined, { limit: 2 }, [4, 5]],
    ['the first two after one', 3, { limit: 1 }, [4]],
    ['a type that there is', undefined, { type: 'source-failed' }, [3, 4, 5]],
    ['a type that there is not', undefined, { type: 'call-started' }, []],
    ['an organisation', undefined, { organisation: 'acme' }, []],
  ] as const)('%s', async (_, after, query, expected) => {
    expect(sequences(await (await filled()).list(after, query))).toEqual(expected);
  });

  it.each([0, -1, 1.5, Number.NaN])('refuses a capacity of %s', (capacity) => {
    expect(() => createEventLog({ capacity })).toThrow(RangeError);
  });
});

describe('follow', () => {
  const take = async (log: EventLog, count: number, after?: number) => {
    const taken: Event[] = [];
    for await (const event of log.follow(new AbortController().signal, after)) {
      taken.push(event);
      if (taken.length === count) break;
    }
    return taken;
  };

  it('starts with what comes next', async () => {
    const log = createEventLog();
    await log.append(failed('past'));
    const taken = take(log, 2);
    await log.append(failed('a'));
    await log.append(failed('b'));
    expect(messages(await taken)).toEqual(['a', 'b']);
  });

  it('resumes after a sequence without losing or repeating one', async () => {
    const log = createEventLog();
    for (const message of ['a', 'b', 'c']) await log.append(failed(message));
    const taken = take(log, 3, 1);
    await log.append(failed('d'));
    expect(messages(await taken)).toEqual(['b', 'c', 'd']);
  });

  it('ends without an error when the signal ends, also while it waits', async () => {
    const log = createEventLog();
    const controller = new AbortController();
    const iterator = log.follow(controller.signal);
    const pending = iterator.next();
    controller.abort(new Error('gone'));
    expect(await pending).toEqual({ done: true, value: undefined });
    expect(await log.follow(AbortSignal.abort(), 0).next()).toEqual({ done: true, value: undefined });
  });

  it('skips what a slow reader can no longer get', async () => {
    const log = createEventLog({ capacity: 2 });
    const iterator = log.follow(new AbortController().signal);
    const first = iterator.next();
    await log.append(failed('a'));
    expect(sequences([(await first).value as Event])).toEqual([1]);
    for (const message of ['b', 'c', 'd']) await log.append(failed(message));
    expect(((await iterator.next()).value as Event).sequence).toBe(3);
    await iterator.return();
  });
});
