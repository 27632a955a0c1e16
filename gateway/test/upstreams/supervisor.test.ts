import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { JsonObject } from '../../src/operations/index.ts';
import type { UpstreamChange, UpstreamDefinition } from '../../src/upstreams/index.ts';
import { definition, folder, isAlive, linesOf, request, started, textOf } from './scripted.ts';

interface Fault {
  readonly fault: string;
  readonly tool: string;
  readonly args?: JsonObject;
  /** Code for a call that may be repeated. */
  readonly repeatable: string;
}

const FAULTS: readonly Fault[] = [
  { fault: 'the process exits', tool: 'crash', repeatable: 'upstream_crashed' },
  { fault: 'the process is killed after its work', tool: 'write-and-crash', repeatable: 'upstream_crashed' },
  { fault: 'the process hangs', tool: 'hang', repeatable: 'upstream_crashed' },
  { fault: 'the process closes its output', tool: 'close-output', repeatable: 'upstream_crashed' },
  { fault: 'garbage fills stdout', tool: 'garbage', repeatable: 'upstream_failed' },
  { fault: 'an answer is cut', tool: 'cut', repeatable: 'upstream_failed' },
  { fault: 'a line has no end', tool: 'long-line', repeatable: 'upstream_failed' },
];

describe.each(['legacy', 'modern'] as const)('self-healing of a %s server', (era) => {
  test.each(FAULTS)(
    '$fault: the call ends with a clear code, the next one works within 2 seconds',
    async ({ tool, args = {}, repeatable }) => {
      const ledger = join(folder(), 'ledger');
      // a busy machine takes its time for a long line, which is no hang
      const hangMs = tool === 'hang' ? 800 : 20_000;
      const { upstreams, events } = started(definition({ era, ledger }, { hangMs }));
      await upstreams.call('scripted', 'echo', {}, request());
      for (const [isRepeatable, code] of [
        [true, repeatable],
        [false, 'outcome_unknown'],
      ] as const) {
        const key = `${tool}-${isRepeatable}`;
        const failing = upstreams.call(
          'scripted',
          tool,
          { ...args, key },
          request({ repeatable: isRepeatable }),
        );
        await expect(failing).rejects.toMatchObject({ code });
        const failedAt = Date.now();
        expect(textOf(await upstreams.call('scripted', 'echo', { key }, request()))).toContain(key);
        expect(Date.now() - failedAt).toBeLessThan(2_000);
        expect(linesOf(ledger).filter((line) => line === `write ${key}`).length).toBeLessThanOrEqual(1);
      }
      expect(upstreams.states()).toMatchObject([{ status: 'running', restarts: 2 }]);
      expect(events.map(({ type }) => type)).toEqual([
        'upstream-started',
        'upstream-failed',
        'upstream-started',
        'upstream-failed',
        'upstream-started',
      ]);
    },
  );
});

test('every call in flight ends when the process ends, each by what it may do', async () => {
  const { upstreams } = started(definition());
  await upstreams.call('scripted', 'echo', {}, request());
  const calls = [true, false, true, false].map((repeatable) =>
    upstreams.call('scripted', 'sleep', { ms: 20_000 }, request({ repeatable })),
  );
  const ends = Promise.allSettled(calls);
  await expect(upstreams.call('scripted', 'crash', {}, request())).rejects.toMatchObject({
    code: 'upstream_crashed',
  });
  expect((await ends).map((end) => end.status === 'rejected' && end.reason.code)).toEqual([
    'upstream_crashed',
    'outcome_unknown',
    'upstream_crashed',
    'outcome_unknown',
  ]);
});

test('a write is executed once over 12 kills, and the next call recovers each time', async () => {
  const ledger = join(folder(), 'ledger');
  const { upstreams } = started(definition({ era: 'legacy', ledger }, { era: 'legacy' }));
  upstreams.onChange(() => undefined);
  for (let round = 0; round < 12; round += 1) {
    const write = upstreams.call(
      'scripted',
      'write-and-crash',
      { key: round },
      request({ repeatable: false }),
    );
    await expect(write).rejects.toMatchObject({ code: 'outcome_unknown' });
  }
  await upstreams.call('scripted', 'write', { key: 'last' }, request({ repeatable: false }));
  expect(linesOf(ledger)).toEqual([
    ...Array.from({ length: 12 }, (_, round) => `write ${round}`),
    'write last',
  ]);
});

test('stray lines on stdout are passed over, a stack trace for one', async () => {
  const { upstreams } = started(definition({ banner: 'Server ready\nListening' }));
  const answer = await upstreams.call('scripted', 'garbage', { lines: 40, answer: true }, request());
  expect(textOf(answer)).toBe('after all');
  expect(upstreams.states()).toMatchObject([{ status: 'running', restarts: 0 }]);
});

test('a tool that works for longer than the ping interval is left in peace', async () => {
  const { upstreams } = started(definition({}, { hangMs: 800 }));
  expect(textOf(await upstreams.call('scripted', 'sleep', { ms: 2_000 }, request()))).toBe('slept');
});

test('a server that fails to start is tried again while a call waits for it', async () => {
  const refusals = join(folder(), 'refusals');
  writeFileSync(refusals, '2');
  const { upstreams, events } = started(
    definition({ era: 'legacy', refuseStarts: refusals }, { era: 'legacy' }),
  );
  const changes: UpstreamChange[] = [];
  upstreams.onChange((_, change) => changes.push(change));
  expect(textOf(await upstreams.call('scripted', 'echo', {}, request()))).toBe('{}');
  expect(events).toMatchObject([
    {
      type: 'upstream-failed',
      retryInMs: 100,
      message: expect.stringContaining('the fixture refuses to start'),
    },
    { type: 'upstream-failed', retryInMs: 200 },
    { type: 'upstream-started' },
  ]);
  expect(changes).toEqual(['tools', 'resources', 'prompts']);
});

test('it is started again by itself while somebody listens, and the listeners compare lists again', async () => {
  const { upstreams } = started(definition());
  const changes: unknown[] = [];
  upstreams.onChange((name, change) => changes.push([name, change]));
  await upstreams.call('scripted', 'echo', {}, request());
  const [before] = upstreams.states();
  process.kill(before?.pid ?? 0, 'SIGKILL');
  await expect.poll(() => changes).toHaveLength(3);
  expect(upstreams.states()).toMatchObject([{ status: 'running', restarts: 1 }]);
  expect(upstreams.states()[0]?.pid).not.toBe(before?.pid);
});

test('a program that does not exist is told at once', async () => {
  const missing: UpstreamDefinition = definition();
  const { upstreams } = started({
    ...missing,
    transport: { ...missing.transport, command: '/nowhere/server' } as UpstreamDefinition['transport'],
  });
  const began = Date.now();
  await expect(upstreams.call('scripted', 'echo', {}, request())).rejects.toMatchObject({
    code: 'upstream_unavailable',
    message: expect.stringContaining('/nowhere/server'),
    details: { retryInMs: expect.any(Number) },
  });
  expect(Date.now() - began).toBeLessThan(2_000);
  expect(upstreams.states()).toMatchObject([{ status: 'waiting', lastError: expect.any(String) }]);
});

test('a clock that was set back keeps no server down', async () => {
  const command = join(folder(), 'server');
  const absent: UpstreamDefinition = definition();
  const { upstreams } = started({
    ...absent,
    transport: { ...absent.transport, command } as UpstreamDefinition['transport'],
  });
  await expect(upstreams.call('scripted', 'echo', {}, request())).rejects.toMatchObject({
    code: 'upstream_unavailable',
  });
  symlinkSync(process.execPath, command);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 3_600_000 });
  onTestFinished(() => void vi.useRealTimers());
  expect(textOf(await upstreams.call('scripted', 'echo', {}, request()))).toBe('{}');
});

test('a start that never completes is given up and leaves no process', async () => {
  const starts = join(folder(), 'starts');
  const { upstreams } = started(
    definition(
      { silent: true, starts, ignoreSignals: true, complaint: 'Error: the license server is silent' },
      // long enough for a program to begin and to complain on a machine that is busy
      { startTimeoutMs: 3_000 },
    ),
  );
  await expect(
    upstreams.call('scripted', 'echo', {}, request({ deadline: Date.now() + 3_500 })),
  ).rejects.toMatchObject({
    code: 'upstream_unavailable',
    message: expect.stringMatching(/within 3000 ms .*it last wrote: Error: the license server is silent\.$/),
    next: expect.stringContaining('`startTimeout`'),
  });
  await upstreams.close();
  expect(linesOf(starts).length).toBeGreaterThan(0);
  for (const pid of linesOf(starts)) await expect.poll(() => isAlive(Number(pid))).toBe(false);
});

test('without `restart` a failed server stays down until it is called', async () => {
  const { upstreams } = started(definition({}, { restart: false }));
  upstreams.onChange(() => undefined);
  await expect(upstreams.call('scripted', 'crash', {}, request())).rejects.toMatchObject({
    code: 'upstream_crashed',
  });
  expect(upstreams.states()).toMatchObject([{ status: 'failed' }]);
  expect(textOf(await upstreams.call('scripted', 'echo', {}, request()))).toBe('{}');
});

describe('the era', () => {
  test.each([
    ['legacy', 'legacy', {}],
    ['modern', 'modern', {}],
    ['dual', 'modern', {}],
    ['legacy', 'legacy', { exitAtProbe: true }],
  ] as const)('of a %s server is found to be %s (%j)', async (speaks, era, more) => {
    const { upstreams, events } = started(definition({ era: speaks, ...more }));
    const listing = await upstreams.list('scripted', new AbortController().signal);
    expect(listing.era).toBe(era);
    expect(events.map(({ type }) => type)).toEqual(['upstream-started']);
  });

  test('is remembered: a server that exits at the probe is not probed again', async () => {
    const starts = join(folder(), 'starts');
    const { upstreams } = started(definition({ exitAtProbe: true, starts }));
    await upstreams.call('scripted', 'echo', {}, request());
    expect(linesOf(starts)).toHaveLength(2);
    await expect(upstreams.call('scripted', 'crash', {}, request())).rejects.toThrow();
    await upstreams.call('scripted', 'echo', {}, request());
    expect(linesOf(starts)).toHaveLength(3);
  });
});
