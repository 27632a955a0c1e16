import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { definition, folder, isAlive, linesOf, request, started, textOf } from './scripted.ts';

describe('processes', () => {
  test('are one for all, warm from call to call', async () => {
    const starts = join(folder(), 'starts');
    const { upstreams } = started(definition({ starts, era: 'legacy' }));
    await Promise.all(
      ['ann', 'bob', 'eve'].map((principal) =>
        upstreams.call('scripted', 'echo', {}, request({ principal })),
      ),
    );
    await upstreams.call('scripted', 'echo', {}, request());
    expect(linesOf(starts)).toHaveLength(1);
  });

  test('are one for each principal where they are not shared', async () => {
    const starts = join(folder(), 'starts');
    const { upstreams } = started(definition({ starts }, { share: 'principal' }));
    for (const principal of ['ann', 'bob', 'ann', 'bob'])
      await upstreams.call('scripted', 'echo', {}, request({ principal }));
    expect(linesOf(starts)).toHaveLength(2);
    await expect(
      upstreams.call('scripted', 'crash', {}, request({ principal: 'ann' })),
    ).rejects.toMatchObject({ code: 'upstream_crashed' });
    await upstreams.call('scripted', 'echo', {}, request({ principal: 'bob' }));
    expect(linesOf(starts)).toHaveLength(2);
  });

  test('stop when idle and start again with the next call', async () => {
    const { upstreams, events } = started(definition({}, { idleMs: 400 }));
    await upstreams.call('scripted', 'sleep', { ms: 600 }, request());
    const pid = upstreams.states()[0]?.pid ?? 0;
    await expect.poll(() => upstreams.states()[0]?.status).toBe('idle');
    await expect.poll(() => isAlive(pid)).toBe(false);
    expect(textOf(await upstreams.call('scripted', 'echo', {}, request()))).toBe('{}');
    expect(events.map(({ type }) => type)).toEqual([
      'upstream-started',
      'upstream-stopped',
      'upstream-started',
    ]);
  });

  test('all end with `close`, within two seconds, also those that ignore signals', async () => {
    const definitions = ['polite', 'stubborn'].map((name) =>
      definition({ ignoreSignals: name === 'stubborn' }, { name }),
    );
    const { upstreams } = started(...definitions);
    for (const { name } of definitions) await upstreams.call(name, 'echo', {}, request());
    const pids = upstreams.states().map(({ pid }) => pid ?? 0);
    const open = upstreams.call('polite', 'sleep', { ms: 20_000 }, request());
    const ended = expect(open).rejects.toMatchObject({ code: 'upstream_crashed' });
    const began = Date.now();
    await upstreams.close();
    expect(Date.now() - began).toBeLessThan(2_100);
    await ended;
    for (const pid of pids) await expect.poll(() => isAlive(pid)).toBe(false);
    await expect(upstreams.call('polite', 'echo', {}, request())).rejects.toMatchObject({
      code: 'upstream_unavailable',
    });
  });
});

describe('configuration at run time', () => {
  test('what did not change keeps its process; what did finishes its calls, then ends', async () => {
    const { upstreams } = started(definition({}, { name: 'same' }), definition({}, { name: 'other' }));
    for (const name of ['same', 'other']) await upstreams.call(name, 'echo', {}, request());
    const pidsBefore = upstreams.states().map(({ pid }) => pid ?? 0);
    const inFlight = upstreams.call('other', 'sleep', { ms: 500 }, request());
    const changed = definition({}, { name: 'other', env: { CHANGED: 'yes' } });
    upstreams.configure([definition({}, { name: 'same' }), changed, definition({}, { name: 'new' })]);
    for (const name of ['same', 'other', 'new']) await upstreams.call(name, 'echo', {}, request());
    const pidsAfter = upstreams.states().map(({ pid }) => pid ?? 0);
    expect(pidsAfter[0]).toBe(pidsBefore[0]);
    expect(pidsAfter[1]).not.toBe(pidsBefore[1]);
    expect(textOf(await inFlight)).toBe('slept');
    await expect.poll(() => isAlive(pidsBefore[1] ?? 0)).toBe(false);
    const environment = textOf(await upstreams.call('other', 'environment', {}, request()));
    expect(JSON.parse(environment)).toMatchObject({ CHANGED: 'yes' });
  });

  test('a call that waits for a server goes on with its new definition', async () => {
    const { upstreams } = started(definition({ startDelayMs: 5_000 }));
    const waiting = upstreams.call('scripted', 'echo', {}, request());
    upstreams.configure([definition()]);
    const began = Date.now();
    expect(textOf(await waiting)).toBe('{}');
    expect(Date.now() - began).toBeLessThan(4_000);
  });

  test('what is removed is unknown at once, and gone when its calls are done', async () => {
    const { upstreams } = started(definition());
    await upstreams.call('scripted', 'echo', {}, request());
    const pid = upstreams.states()[0]?.pid ?? 0;
    const inFlight = upstreams.call('scripted', 'sleep', { ms: 400 }, request());
    upstreams.configure([]);
    await expect(upstreams.call('scripted', 'echo', {}, request())).rejects.toMatchObject({
      code: 'source_unknown',
    });
    expect(textOf(await inFlight)).toBe('slept');
    await expect.poll(() => isAlive(pid)).toBe(false);
  });
});

describe.each(['legacy', 'modern'] as const)('changes at a %s server', (era) => {
  test('of lists and followed resources are told to listeners, as long as they listen', async () => {
    const { upstreams } = started(definition({ era }));
    const changes: unknown[] = [];
    const stop = upstreams.onChange((name, change) => changes.push([name, change]));
    const unfollow = upstreams.follow('scripted', 'memo://one');
    await upstreams.list('scripted', new AbortController().signal);
    const change = () => upstreams.call('scripted', 'change', {}, request());
    await expect
      .poll(async () => {
        await change();
        return changes;
      })
      .toEqual(
        expect.arrayContaining([
          ['scripted', 'tools'],
          ['scripted', { resource: 'memo://one' }],
        ]),
      );

    unfollow();
    await expect
      .poll(async () => {
        changes.length = 0;
        await change();
        return changes;
      })
      .toEqual([['scripted', 'tools']]);

    stop();
    changes.length = 0;
    await change();
    expect(changes).toEqual([]);
  });

  test('of a session that one principal has for itself are told with its id', async () => {
    const { upstreams } = started(definition({ era }, { share: 'principal' }));
    const changes: unknown[] = [];
    upstreams.onChange((_name, change) => changes.push(change));
    upstreams.follow('scripted', 'memo://one');
    await upstreams.call('scripted', 'echo', {}, request({ principal: 'bob' }));
    await expect
      .poll(async () => {
        await upstreams.call('scripted', 'change', {}, request({ principal: 'ann' }));
        return changes;
      })
      .toContainEqual({ resource: 'memo://one', principal: 'ann' });
    expect(changes).not.toContainEqual({ resource: 'memo://one' });
    expect(changes).not.toContainEqual({ resource: 'memo://one', principal: 'bob' });
  });

  test('are followed again after a restart', async () => {
    const { upstreams } = started(definition({ era }));
    const changes: unknown[] = [];
    upstreams.follow('scripted', 'memo://one');
    upstreams.onChange((_, change) => changes.push(change));
    await expect(upstreams.call('scripted', 'crash', {}, request())).rejects.toThrow();
    await expect
      .poll(async () => {
        await upstreams.call('scripted', 'change', {}, request());
        return changes;
      })
      .toContainEqual({ resource: 'memo://one' });
  });
});
