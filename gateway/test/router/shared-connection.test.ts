import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ToolcribError } from '../../src/errors.ts';
import { type Connection, DEFAULT_LIMITS } from '../../src/operations/index.ts';
import { createConnectionLimits } from '../../src/router/connection-limits.ts';

const connection = (concurrency: number): Connection => ({
  name: 'acme',
  source: 'acme',
  securitySchemes: {},
  limits: { ...DEFAULT_LIMITS, concurrency },
});

/** Calls of several callers over one connection; each ends when told to. */
function calling(concurrency: number) {
  const limits = createConnectionLimits();
  const started: string[] = [];
  const open = new Map<string, () => void>();
  const call = (name: string, caller?: string, signal = new AbortController().signal) => {
    const { promise, resolve } = Promise.withResolvers<string>();
    open.set(name, () => resolve(name));
    const task = () => {
      started.push(name);
      return promise;
    };
    const run = limits.run(connection(concurrency), signal, task, caller);
    const outcome = run.catch((error: ToolcribError) => error.code);
    return outcome;
  };
  return { limits, call, started, finish: (name: string) => open.get(name)!() };
}

describe('one connection of several callers', () => {
  it('keeps a quarter of the places for others, however many calls one caller sends', async () => {
    const { call, started, finish } = calling(4);
    for (const name of ['r1', 'r2', 'r3', 'r4', 'r5']) void call(name, 'rude');
    const honest = call('h1', 'honest');
    await expect.poll(() => started).toEqual(['r1', 'r2', 'r3', 'h1']);
    finish('h1');
    expect(await honest).toBe('h1');
    expect(started).toHaveLength(4);
  });

  it('gives all places to the owner of the process', async () => {
    const { call, started } = calling(4);
    for (const name of ['1', '2', '3', '4', '5']) void call(name);
    await expect.poll(() => started).toEqual(['1', '2', '3', '4']);
  });

  it('lets in who has the fewest calls under way, and among its own who came first', async () => {
    const { call, started, finish } = calling(4);
    for (const name of ['r1', 'r2', 'r3', 'r4', 'r5']) void call(name, 'rude');
    for (const name of ['h1', 'h2', 'h3']) void call(name, 'honest');
    await expect.poll(() => started).toEqual(['r1', 'r2', 'r3', 'h1']);
    finish('r1');
    await expect.poll(() => started.slice(4)).toEqual(['h2']);
    finish('r2');
    await expect.poll(() => started.slice(5)).toEqual(['r4']);
    finish('h1');
    await expect.poll(() => started.slice(6)).toEqual(['h3']);
  });

  it('takes a place in a full queue from the caller with the most, its last one', async () => {
    const { call, finish } = calling(2);
    const rude = ['r1', 'r2', 'r3', 'r4'].map((name) => call(name, 'rude'));
    expect(await call('r5', 'rude')).toBe('overloaded');
    const honest = call('h1', 'honest');
    expect(await rude[3]).toBe('overloaded');
    expect(await call('h2', 'honest')).toBe('overloaded');
    for (const name of ['r1', 'r2', 'r3', 'h1']) finish(name);
    expect(await Promise.all([rude[0], rude[1], rude[2], honest])).toEqual(['r1', 'r2', 'r3', 'h1']);
  });

  it('takes the place of the one with the most among several, wherever it stands in the queue', async () => {
    const { call, finish } = calling(4);
    for (const name of ['r1', 'r2', 'r3']) void call(name, 'rude');
    void call('o1', 'other');
    const waiting = [call('a1', 'a'), call('r4', 'rude'), call('r5', 'rude'), call('b1', 'b')];
    const late = call('c1', 'c');
    expect(await waiting[2]).toBe('overloaded');
    for (const name of ['r1', 'r2', 'r3', 'o1', 'a1', 'r4', 'b1', 'c1']) finish(name);
    expect(await Promise.all([waiting[0], waiting[1], waiting[3], late])).toEqual(['a1', 'r4', 'b1', 'c1']);
  });

  it('takes no place from who would then have fewer than the one that comes', async () => {
    const { call } = calling(3);
    for (const name of ['r1', 'r2', 'r3', 'r4', 'r5']) void call(name, 'rude');
    void call('h1', 'honest');
    expect(await call('h2', 'honest')).toBe('overloaded');
    const one = calling(1);
    void one.call('r1', 'rude');
    void one.call('h1', 'honest');
    expect(await one.call('x1', 'other')).toBe('overloaded');
  });

  it('forgets what has ended: who comes back has the whole share again', async () => {
    const { call, finish, started } = calling(4);
    for (const name of ['1', '2']) {
      const ended = call(name, 'one');
      finish(name);
      expect(await ended).toBe(name);
    }
    for (const name of ['3', '4', '5']) void call(name, 'one');
    await expect.poll(() => started).toEqual(['1', '2', '3', '4', '5']);
  });

  it('lets go who waits no longer', async () => {
    const { call, finish, started } = calling(1);
    void call('r1', 'rude');
    const left = new AbortController();
    const gone = call('h1', 'honest', left.signal);
    left.abort();
    expect(await gone).toBe('cancelled');
    const next = call('h2', 'honest');
    finish('r1');
    finish('h2');
    expect(await next).toBe('h2');
    expect(started).toEqual(['r1', 'h2']);
  });

  describe('whose calls fail', () => {
    const failing = (limits: ReturnType<typeof calling>['limits'], caller: string) => {
      const signal = new AbortController().signal;
      return limits.run(
        connection(4),
        signal,
        async () => {
          throw new ToolcribError('upstream_failed', 'test');
        },
        caller,
      );
    };
    const failFiveTimes = async (limits: ReturnType<typeof calling>['limits'], caller: string) => {
      for (let turn = 0; turn < 5; turn++)
        await expect(failing(limits, caller)).rejects.toMatchObject({ code: 'upstream_failed' });
    };

    it('is suspended for the caller whose they are, and for nobody else', async () => {
      const { limits, call, finish } = calling(4);
      await failFiveTimes(limits, 'rude');
      expect(await call('r1', 'rude')).toBe('connection_suspended');
      const honest = call('h1', 'honest');
      finish('h1');
      expect(await honest).toBe('h1');
    });

    describe('by the clock', () => {
      beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
      afterEach(() => void vi.useRealTimers());
      const other = async ({ call, finish }: ReturnType<typeof calling>) => {
        const outcome = call('o1', 'other');
        finish('o1');
        return outcome;
      };

      it('is suspended for that caller alone, though the trial fails', async () => {
        const bench = calling(4);
        await failFiveTimes(bench.limits, 'rude');
        vi.setSystemTime(Date.now() + 10_001);
        await expect(failing(bench.limits, 'rude')).rejects.toMatchObject({ code: 'upstream_failed' });
        expect(await bench.call('r1', 'rude')).toBe('connection_suspended');
        expect(await other(bench)).toBe('o1');
      });

      it('is suspended for each alone where a pause lies between them', async () => {
        const bench = calling(4);
        await failFiveTimes(bench.limits, 'one');
        vi.setSystemTime(Date.now() + 10_000);
        await failFiveTimes(bench.limits, 'two');
        expect(await bench.call('t1', 'two')).toBe('connection_suspended');
        expect(await other(bench)).toBe('o1');
      });

      it('is open to others again once the clock was set back: they would wait longer than the pause', async () => {
        const bench = calling(4);
        await failFiveTimes(bench.limits, 'one');
        await failFiveTimes(bench.limits, 'two');
        expect(await other(bench)).toBe('connection_suspended');
        vi.setSystemTime(Date.now() - 1);
        expect(await other(bench)).toBe('o1');
      });
    });

    it('is suspended for everybody once a second caller meets the same, and comes back', async () => {
      vi.useFakeTimers({ toFake: ['Date'] });
      try {
        const { limits, call, finish } = calling(4);
        await failFiveTimes(limits, 'one');
        await failFiveTimes(limits, 'two');
        expect(await call('t1', 'three')).toBe('connection_suspended');
        vi.setSystemTime(Date.now() + 10_001);
        await expect(failing(limits, 'one')).rejects.toMatchObject({ code: 'upstream_failed' });
        const three = call('t2', 'three');
        finish('t2');
        expect(await three).toBe('t2');
        await expect(failing(limits, 'two')).rejects.toMatchObject({ code: 'upstream_failed' });
        expect(await call('t3', 'three')).toBe('connection_suspended');
        vi.setSystemTime(Date.now() + 10_001);
        const again = call('t4', 'two');
        finish('t4');
        expect(await again).toBe('t4');
      } finally {
        vi.useRealTimers();
      }
    });
  });
});
