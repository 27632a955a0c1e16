import type { Client } from '@modelcontextprotocol/client';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { JsonObject } from '../../../src/operations/index.ts';
import { createFollowing } from '../../../src/upstreams/session/following.ts';
import type { SessionFacts } from '../../../src/upstreams/session/session-facts.ts';

beforeEach(() => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
});

const ALL = {
  tools: { listChanged: true },
  resources: { listChanged: true, subscribe: true },
  prompts: { listChanged: true },
};

/** A client that notes what it is asked, and whose answers a test chooses. */
function world(era: SessionFacts['era'], capabilities: JsonObject = ALL) {
  const asked: unknown[] = [];
  const state = { refuses: (_: unknown) => false, missed: 0 };
  const streams: Array<(why: 'remote') => void> = [];
  const note = async (what: unknown) => {
    asked.push(what);
    if (state.refuses(what)) throw new Error('No.');
  };
  const client = {
    async listen(filter: unknown) {
      await note(filter);
      const number = streams.length;
      const { promise, resolve } = Promise.withResolvers<'remote' | 'local'>();
      streams.push(resolve);
      const close = async () => {
        asked.push(`close ${number}`);
        resolve('local');
      };
      return { honoredFilter: {}, close, closed: promise };
    },
    subscribeResource: ({ uri }: { uri: string }) => note(`+${uri}`),
    unsubscribeResource: ({ uri }: { uri: string }) => note(`-${uri}`),
  } as unknown as Client;
  const facts = { era, capabilities, server: { name: 's', version: '1' } };
  const following = createFollowing(
    client,
    () => facts,
    () => {
      state.missed += 1;
    },
  );
  const set = async (...uris: string[]) => {
    following.set(new Set(uris));
    await vi.advanceTimersByTimeAsync(0);
  };
  const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
  const heard = () => asked.splice(0);
  /** The server ends the latest stream. */
  const ends = async () => {
    streams.at(-1)!('remote');
    await pass(0);
  };
  return { following, state, set, pass, heard, ends };
}

const LISTS = { toolsListChanged: true, resourcesListChanged: true, promptsListChanged: true };

describe('at a server of 2026-07-28', () => {
  test('the new stream is open before the old one is closed, and the same wishes open none', async () => {
    const { set, pass, heard, state } = world('modern');
    await set();
    expect(heard()).toEqual([LISTS]);
    await set('a');
    expect(heard()).toEqual([{ ...LISTS, resourceSubscriptions: ['a'] }, 'close 0']);
    await set('a');
    await set('b');
    expect(heard()).toEqual([{ ...LISTS, resourceSubscriptions: ['b'] }, 'close 1']);
    // the streams that were closed here are none that ended
    await pass(120_000);
    expect(heard()).toEqual([]);
    expect(state.missed).toBe(0);
  });

  test.each([
    ['tools', { toolsListChanged: true }],
    ['resources', { resourcesListChanged: true }],
    ['prompts', { promptsListChanged: true }],
  ])('only what it offers is asked for: %s', async (kind, filter) => {
    const { set, heard } = world('modern', { [kind]: { listChanged: true, subscribe: false } });
    await set('a');
    expect(heard()).toEqual([filter]);
  });

  test('nothing is asked for where it offers nothing, and a stream without a wish is closed', async () => {
    const silent = world('modern', { tools: {} });
    await silent.set('a');
    expect(silent.heard()).toEqual([]);
    const { set, pass, heard } = world('modern', { resources: { subscribe: true } });
    await set('a');
    heard();
    await set();
    expect(heard()).toEqual(['close 0']);
    await pass(120_000);
    expect(heard()).toEqual([]);
  });

  test('a stream that ended is opened again after a second, and what was missed is told once', async () => {
    const { set, pass, heard, ends, state } = world('modern');
    await set();
    await pass(30_000);
    await ends();
    heard();
    await pass(999);
    expect(heard()).toEqual([]);
    await pass(1);
    expect(heard()).toEqual([LISTS]);
    expect(state.missed).toBe(1);
    await set('a');
    expect(state.missed).toBe(1);
  });

  test('one that is refused is asked for less and less often, and one that ends at once as well', async () => {
    for (const isRefused of [true, false]) {
      const { set, pass, heard, ends, state } = world('modern');
      state.refuses = () => isRefused;
      await set();
      const waits: number[] = [];
      for (let round = 0; round < 8; round += 1) {
        if (!isRefused) await ends();
        heard();
        let waited = 0;
        while (heard().length === 0) {
          await pass(500);
          waited += 500;
        }
        waits.push(waited);
      }
      expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
      expect(state.missed).toBe(isRefused ? 0 : 8);
      if (isRefused) continue;
      await pass(20_000);
      await ends();
      await pass(1_000);
      expect(heard()).toEqual([LISTS]);
    }
  });

  test('new wishes and the end of a stream do not open two: one wait at a time', async () => {
    const { set, pass, heard, state } = world('modern');
    state.refuses = () => true;
    await set();
    await set('a');
    heard();
    await pass(1_000);
    expect(heard()).toHaveLength(1);
    await pass(1_999);
    expect(heard()).toEqual([]);
    await pass(1);
    expect(heard()).toHaveLength(1);
  });

  test('after the end nothing is asked or told any more', async () => {
    const late = world('modern');
    await late.set();
    late.heard();
    late.following.set(new Set(['a']));
    late.following.stop();
    await late.ends();
    expect(vi.getTimerCount()).toBe(0);
    expect(late.heard()).toEqual([]);

    const waiting = world('modern');
    await waiting.set();
    await waiting.ends();
    waiting.heard();
    waiting.following.stop();
    expect(vi.getTimerCount()).toBe(0);
    expect(waiting.heard()).toEqual([]);
    expect(waiting.state.missed).toBe(0);
  });
});

describe('at a server of the handshake era', () => {
  test('each resource is subscribed once, and left when nobody follows it', async () => {
    const { set, heard } = world('legacy');
    await set('a', 'b');
    await set('b', 'c');
    expect(heard()).toEqual(['+a', '+b', '+c', '-a']);
  });

  test('one that it refuses keeps no other from being followed', async () => {
    const { set, heard, pass, state } = world('legacy');
    state.refuses = (what) => what === '+a' || what === '-b';
    await set('a', 'b', 'c');
    await set('a');
    await pass(120_000);
    expect(heard()).toEqual(['+a', '+b', '+c', '-b', '-c']);
    expect(state.missed).toBe(0);
  });

  test('one that offers no subscriptions is not asked', async () => {
    const { set, heard } = world('legacy', { resources: { listChanged: true } });
    await set('a');
    expect(heard()).toEqual([]);
  });
});
