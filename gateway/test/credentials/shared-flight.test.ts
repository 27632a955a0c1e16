import { beforeEach, describe, expect, it } from 'vitest';
import { type Landed, SharedFlights } from '../../src/credentials/shared-flight.ts';

const { signal } = new AbortController();
const landed = (value: string, usableUntil = Infinity): Landed<string> => ({ value, usableUntil });

let now: number;
let fetched: number;
let flights: SharedFlights<string>;
beforeEach(() => {
  now = 1_000;
  fetched = 0;
  flights = new SharedFlights(() => now, 2);
});
const get = (key: string, usableUntil?: number) =>
  flights.get(key, signal, async () => landed(`${key}${++fetched}`, usableUntil));

describe('values that are costly to get', () => {
  it('are kept until they end', async () => {
    expect(await get('a', 2_000)).toBe('a1');
    now = 1_999;
    expect(await get('a', 2_000)).toBe('a1');
    now = 2_000;
    expect(await get('a')).toBe('a2');
  });

  it('are fetched once for all who wait; a failure is not kept', async () => {
    const failing = flights.get('a', signal, () => Promise.reject(new Error('away')));
    await expect(failing).rejects.toThrow('away');
    expect(await Promise.all([get('a'), get('a'), get('a')])).toEqual(['a1', 'a1', 'a1']);
  });

  it('go, the oldest first, where there are too many', async () => {
    await get('a');
    await get('b');
    await get('c');
    expect([await get('b'), await get('c')]).toEqual(['b2', 'c3']);
    expect(await get('a')).toBe('a4');
  });

  it('that are forgotten are fetched again, the others are not', async () => {
    await get('a');
    await get('b');
    expect(flights.forget((key) => key === 'a')).toBe(true);
    expect(flights.forget((key) => key === 'a')).toBe(false);
    expect([await get('a'), await get('b')]).toEqual(['a3', 'b2']);
  });

  it('that are forgotten on their way come to who waits, and are not kept', async () => {
    const held = Promise.withResolvers<Landed<string>>();
    const waiting = flights.get('a', signal, () => held.promise);
    expect(flights.forget((key) => key === 'a')).toBe(true);
    expect(await get('a')).toBe('a1');
    held.resolve(landed('before'));
    expect(await waiting).toBe('before');
    expect(await get('a')).toBe('a1');
  });

  it('that are forgotten on their way leave the newer fetch alone when nobody waits for them any more', async () => {
    const controller = new AbortController();
    const before = flights.get('a', controller.signal, () => new Promise<never>(() => {}));
    flights.forget((key) => key === 'a');
    const held = Promise.withResolvers<Landed<string>>();
    const newer = flights.get('a', signal, () => held.promise);
    controller.abort();
    await expect(before).rejects.toThrow();
    const joined = get('a');
    held.resolve(landed('newer'));
    expect([await newer, await joined, await get('a')]).toEqual(['newer', 'newer', 'newer']);
  });

  it('are the younger for having been fetched again', async () => {
    await get('a', 2_000);
    await get('b');
    now = 2_000;
    await get('a');
    await get('c');
    expect([await get('a'), await get('c')]).toEqual(['a3', 'c4']);
  });

  it('that proved useless go, unless a newer one is there or on its way', async () => {
    await get('a');
    expect(flights.forgetValue('a', 'another')).toBe(false);
    expect(flights.forgetValue('a', 'a1')).toBe(true);
    expect(flights.forgetValue('a', 'a1')).toBe(false);
    expect(await get('a', now)).toBe('a2');
    const held = Promise.withResolvers<Landed<string>>();
    const waiting = flights.get('a', signal, () => held.promise);
    expect(flights.forgetValue('a', 'a2')).toBe(false);
    held.resolve(landed('newer'));
    expect(await waiting).toBe('newer');
  });
});

describe('who goes away', () => {
  it('is told at once, and leaves the others alone', async () => {
    const leaving = new AbortController();
    const held = Promise.withResolvers<Landed<string>>();
    const fetch = () => held.promise;
    const [one, other] = [flights.get('a', leaving.signal, fetch), flights.get('a', signal, fetch)];
    leaving.abort(new Error('gone'));
    await expect(one).rejects.toThrow('gone');
    held.resolve(landed('value'));
    expect(await other).toBe('value');
    await expect(flights.get('a', leaving.signal, fetch)).rejects.toThrow('gone');
  });

  it('as the last one ends the fetch, and nothing of it is kept', async () => {
    const leaving = new AbortController();
    const held = Promise.withResolvers<Landed<string>>();
    let ended: AbortSignal | undefined;
    const waiting = flights.get('a', leaving.signal, (signalOfFetch) => {
      ended = signalOfFetch;
      return held.promise;
    });
    leaving.abort(new Error('gone'));
    await expect(waiting).rejects.toThrow('gone');
    expect(ended?.aborted).toBe(true);
    held.resolve(landed('late'));
    expect(await get('a')).toBe('a1');
  });
});
