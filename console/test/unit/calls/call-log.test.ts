import { describe, expect, it } from 'vitest';
import type { Event } from '../../../../gateway/src/operations/index.ts';
import { CallLog, MOST_CALLS } from '../../../src/pages/calls/call-log.ts';
import { approvalsOf, type CallFilters, filtersOf, queryOf } from '../../../src/pages/calls/filters.ts';

const ALL = filtersOf(new URLSearchParams());
const TIME = '2026-11-22T10:00:00.000Z';

function event(type: string, call: string, sequence: number, more: object = {}): Event {
  const what = {
    tool: 'getOrder',
    operation: 'getOrder',
    source: 'orders',
    access: 'read',
    principal: 'local',
  };
  return { type, call, sequence, time: TIME, ...what, ...more } as Event;
}
const started = (call: string, sequence: number, more?: object) =>
  event('call-started', call, sequence, more);
const ended = (call: string, sequence: number, more?: object) =>
  event('call-completed', call, sequence, { durationMs: 5, summary: 'object', ...more });
const failed = (call: string, sequence: number, more?: object) =>
  event('call-failed', call, sequence, {
    durationMs: 5,
    code: 'upstream_status',
    message: 'No such order.',
    ...more,
  });

function logOf(...rounds: (readonly Event[])[]): CallLog {
  const log = new CallLog();
  for (const events of rounds) log.apply(events);
  return log;
}
const ids = (log: CallLog, filters: CallFilters = ALL) => log.rows(filters).map(({ call }) => call);

describe('the calls of a page', () => {
  it('have asked, not failed, where a person must agree first', () => {
    const asked = { code: 'approval_required', message: 'A person must approve.' };
    const log = logOf([started('a', 1), failed('a', 2, asked), failed('b', 3)]);
    expect(log.get('a')).toMatchObject({ state: 'asked', text: 'A person must approve.' });
    expect(ids(log, { ...ALL, state: 'asked' })).toEqual(['a']);
    expect(ids(log, { ...ALL, state: 'failed' })).toEqual(['b']);
    expect(queryOf({ ...ALL, state: 'asked' })).toMatchObject({
      type: 'call-failed',
      code: 'approval_required',
    });
  });

  it('are marked where nothing was sent', () => {
    const log = logOf([started('a', 1, { dryRun: true }), ended('a', 2, { dryRun: true }), ended('b', 3)]);
    expect(log.get('a')).toMatchObject({ state: 'completed', dryRun: true });
    expect(log.get('b')).not.toHaveProperty('dryRun');
  });

  it('are one line each, the newest first', () => {
    const log = logOf([started('a', 1), started('b', 2), ended('a', 3), failed('b', 4)]);
    expect(log.rows(ALL)).toMatchObject([
      { call: 'b', state: 'failed', code: 'upstream_status', text: 'No such order.' },
      { call: 'a', state: 'completed', text: 'object', durationMs: 5 },
    ]);
  });

  it('are the same whatever the order and however often their events come', () => {
    const events = [started('a', 1), started('b', 2), ended('a', 3), failed('b', 4), started('c', 5)];
    const expected = logOf(events).rows(ALL);
    expect(logOf(events, events).rows(ALL)).toEqual(expected);
    expect(logOf([events[2]!, events[4]!], [events[0]!, events[3]!, events[1]!]).rows(ALL)).toEqual(expected);
  });

  it('change nothing when nothing is new, so that nothing is drawn again', () => {
    const log = logOf([started('a', 1), ended('a', 2)]);
    const { version } = log;
    log.apply([ended('a', 2), event('source-failed', '', 3)]);
    expect(log.version).toBe(version);
  });

  it('wait for a person, whose decision names the approval alone', () => {
    const asked = {
      type: 'approval-requested',
      approval: 'p',
      call: 'a',
      sequence: 2,
      time: TIME,
      state: 'pending',
    };
    const log = logOf([started('a', 1), asked as Event]);
    expect([log.get('a')?.state, log.hasRunning]).toEqual(['waiting', false]);
    log.apply([
      { type: 'approval-decided', approval: 'p', sequence: 3, time: TIME, state: 'approved' } as Event,
    ]);
    expect([log.get('a')?.state, log.hasRunning]).toEqual(['running', true]);
    log.apply([ended('a', 4), { ...asked, sequence: 5 } as Event]);
    expect(log.get('a')?.state).toBe('completed');
  });

  it('say what they are doing until they end', () => {
    const log = logOf([started('a', 1), event('call-progress', 'a', 2, { message: 'page 3' })]);
    expect(log.get('a')?.text).toBe('page 3');
    log.apply([ended('a', 3), event('call-progress', 'a', 4, { message: 'late' })]);
    expect(log.get('a')?.text).toBe('object');
  });

  it('are so many at most; the oldest are forgotten, and where to read them again is known', () => {
    const log = new CallLog();
    for (let n = 0; n < MOST_CALLS + 2000; n += 100) {
      log.apply(Array.from({ length: 100 }, (_, index) => started(`c${n + index}`, n + index + 1)));
    }
    expect(log.size).toBeLessThanOrEqual(MOST_CALLS + 500);
    const rows = log.rows(ALL);
    expect(rows[0]?.call).toBe(`c${MOST_CALLS + 1999}`);
    expect(log.forgottenBefore).toBe(rows.at(-1)?.sequence);
  });

  it('are not pushed out by calls that fit no filter', () => {
    const filters = filtersOf(new URLSearchParams('q=such&principal=ann'));
    const log = new CallLog(filters);
    log.apply([started('old', 1, { principal: 'ann' }), failed('old', 2, { principal: 'ann' })]);
    for (let n = 0; n < 2 * MOST_CALLS; n += 1000) {
      const others = Array.from({ length: 1000 }, (_, index) => {
        const [call, sequence] = [`c${n + index}`, 3 + 2 * (n + index)];
        const principal = index % 2 === 0 ? 'ann' : 'ben';
        return [started(call, sequence, { principal }), ended(call, sequence + 1, { principal })];
      });
      log.apply(others.flat());
    }
    log.apply([started('new', 100_000, { principal: 'ann' })]);
    expect(log.size).toBe(2);
    expect(ids(log, filters)).toEqual(['old']);
    log.apply([failed('new', 100_001, { principal: 'ann' })]);
    expect(ids(log, filters)).toEqual(['new', 'old']);
  });

  it('are of the days that were chosen, where the browser is', () => {
    const days = 'from=2026-11-21&to=2026-11-22';
    const filters = filtersOf(new URLSearchParams(days));
    const at = (...moment: [number, number, number, number?]) => new Date(2026, 10, ...moment).toISOString();
    const log = new CallLog(filters);
    log.apply([
      started('before', 1, { time: at(20, 23, 59) }),
      ended('over-midnight', 2, { time: at(21, 0, 0, 1), durationMs: 2_000 }),
      started('first', 3, { time: at(21, 0, 0) }),
      started('last', 4, { time: at(22, 23, 59) }),
      started('after', 5, { time: at(23, 0, 0) }),
      ended('last', 6, { time: at(23, 0, 1) }),
    ]);
    expect(ids(log, filters)).toEqual(['last', 'first']);
    expect(log.get('last')?.state).toBe('completed');
    // the end of a call that began late is found, too
    expect(queryOf(filters)).toMatchObject({ from: at(21, 0, 0), to: at(23, 0, 10) });
    expect(filtersOf(new URLSearchParams('from=yesterday&to='))).toMatchObject({ from: '', to: '' });
  });

  it('are of an hour of these days, where one was chosen', () => {
    const hour = 'from=2026-11-21&fromTime=14:30&to=2026-11-21&toTime=15:00';
    const filters = filtersOf(new URLSearchParams(hour));
    const at = (...moment: [number, number, number?]) => new Date(2026, 10, 21, ...moment).toISOString();
    const log = new CallLog(filters);
    log.apply([
      started('before', 1, { time: at(14, 29, 59) }),
      started('first', 2, { time: at(14, 30) }),
      started('last', 3, { time: at(14, 59, 59) }),
      started('after', 4, { time: at(15, 0) }),
    ]);
    expect(ids(log, filters)).toEqual(['last', 'first']);
    expect(queryOf(filters)).toMatchObject({ from: at(14, 30), to: at(15, 10) });
    expect(queryOf(filters)).not.toHaveProperty('fromTime');
    // a time without its day is of no day
    for (const none of ['fromTime=14:30', 'from=2026-11-21&fromTime=24:00'])
      expect(filtersOf(new URLSearchParams(none))).toMatchObject({ fromTime: '' });
  });

  it('are found by every filter as the gateway finds them', () => {
    const log = logOf([
      started('a', 1),
      failed('a', 2),
      started('b', 3, { tool: 'changeOrder', access: 'write', source: 'shop', principal: 'ann' }),
    ]);
    const find = (query: string) => ids(log, filtersOf(new URLSearchParams(query)));
    expect(find('state=failed')).toEqual(['a']);
    expect(find('state=running&access=write')).toEqual(['b']);
    expect(find('q=SUCH+order')).toEqual(['a']);
    expect(find('code=upstream_status')).toEqual(['a']);
    expect(find('tool=changeOrder&source=shop&principal=ann')).toEqual(['b']);
    expect(find('tool=change')).toEqual([]);
    expect(queryOf(filtersOf(new URLSearchParams('code=x&state=')))).toMatchObject({ type: 'call-failed' });
    expect(queryOf(ALL)['type']).toBe('call-started,call-completed,call-failed');
    // what was asked has no access and no text to be found by
    const asked = approvalsOf(filtersOf(new URLSearchParams('q=x&access=write&tool=changeOrder')));
    expect(asked).toMatchObject({ tool: 'changeOrder', type: expect.stringMatching(/^approval-requested,/) });
    expect(Object.keys(asked).sort()).toEqual(['principal', 'source', 'tool', 'type']);
  });
});
