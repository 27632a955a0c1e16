import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Call, ProgressEvent } from '../../../src/operations/index.ts';
import { withProgressNotes } from '../../../src/router/layers/progress-notes.ts';

afterEach(() => vi.restoreAllMocks());

/** A call whose progress is noted, on a clock that a test moves. */
function noting(principal: object = { id: 'ann' }, more: object = {}) {
  const noted: ProgressEvent[] = [];
  const heard: unknown[] = [];
  const clock = { time: 0 };
  vi.spyOn(performance, 'now').mockImplementation(() => clock.time);
  const channel = { progress: async (...given: unknown[]) => void heard.push(given) };
  const call = { id: 'c', principal, tool: 't', operation: { source: 's' }, channel, ...more };
  const notes = { note: (event: ProgressEvent) => void noted.push(event), redact: (text: string) => text };
  const { progress } = withProgressNotes(call as unknown as Call, notes).channel;
  return { noted, heard, clock, say: progress! };
}

describe('what a call says of its progress', () => {
  it('is no event where it says nothing, and is heard all the same', async () => {
    const { noted, heard, say } = noting();
    await say(1, 3, '');
    await say(2, 3);
    expect(noted).toEqual([]);
    expect(heard).toEqual([
      [1, 3, ''],
      [2, 3, undefined],
    ]);
  });

  it('becomes an event once a second', async () => {
    const { noted, clock, say } = noting();
    for (const time of [0, 999, 1000, 1001, 2000]) {
      clock.time = time;
      await say(time, undefined, `at ${time}`);
    }
    expect(noted.map(({ message }) => message)).toEqual(['at 0', 'at 1000', 'at 2000']);
  });

  it('becomes a hundred events at most', async () => {
    const { noted, heard, clock, say } = noting();
    for (let time = 0; time < 105; time++) {
      clock.time = time * 1000;
      await say(time, undefined, `at ${time}`);
    }
    expect([noted.length, heard.length]).toEqual([100, 105]);
  });

  it('says whose call it is of, and of numbers only what is one', async () => {
    const { noted, say } = noting({ id: 'ann', organisation: 'acme' }, { run: 'r' });
    await say(Number.NaN, Number.POSITIVE_INFINITY, 'works');
    expect(noted).toEqual([
      {
        ...{ type: 'call-progress', call: 'c', run: 'r', principal: 'ann', organisation: 'acme' },
        ...{ tool: 't', source: 's', message: 'works' },
      },
    ]);
  });
});
