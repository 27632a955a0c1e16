import { describe, expect, it } from 'vitest';
import { entryOf, eventOf } from '../../src/events/event-rows.ts';
import type { CallStep, EventBody } from '../../src/operations/index.ts';
import { callEnded } from '../store/support/records.ts';

const STEPS: readonly CallStep[] = [
  { name: 'authorise', depth: 0, startMs: 0.01, durationMs: 5.68, ownMs: 0, outcome: 'passed' },
  { name: 'execute', depth: 1, startMs: 0.02, durationMs: 5.6, outcome: 'answered' },
  { name: 'rate', depth: 2, startMs: 0.02, durationMs: 1, outcome: 'passed', detail: { waited: 1 } },
  {
    name: 'attempt',
    depth: 2,
    startMs: 1.1,
    durationMs: 4,
    ownMs: 3.9,
    outcome: 'failed',
    detail: { attempt: 1, status: 503 },
  },
];
const TIME = Date.UTC(2026, 0, 2, 3, 4, 5, 6);
const ended = callEnded('c1', { steps: STEPS, stepsLeftOut: 2 });

describe('an event as a row', () => {
  it('comes back as it was, with the steps of its call', () => {
    const { event } = entryOf(ended, TIME, 'p');
    expect(eventOf({ sequence: 7, time: TIME, body: event.body })).toEqual({
      ...ended,
      sequence: 7,
      time: '2026-01-02T03:04:05.006Z',
    });
  });

  it('takes less than half the room for steps that their objects would', () => {
    const { steps: _steps, ...rest } = ended;
    const bytes = (body: EventBody) => entryOf(body, TIME, 'p').event.body.length;
    expect(bytes(ended) - bytes(rest)).toBeLessThan(JSON.stringify(STEPS).length / 2);
  });

  it('is understood as earlier versions wrote it', () => {
    expect(eventOf({ sequence: 7, time: TIME, body: JSON.stringify(ended) })).toMatchObject({ steps: STEPS });
  });

  it('without steps has none', () => {
    const { steps: _steps, stepsLeftOut: _leftOut, ...rest } = ended;
    const { event } = entryOf(rest, TIME, 'p');
    expect(eventOf({ sequence: 7, time: TIME, body: event.body })).not.toHaveProperty('steps');
  });
});

describe('the usage row of a call', () => {
  it('names the tool, the operation and whose call it was, and nothing of what was said', () => {
    const failed = callEnded('c1', { type: 'call-failed', code: 'rate_limited', message: 'ann@example.org' });
    expect(entryOf(failed, TIME, 'p').usage).toEqual({
      time: TIME,
      day: '2026-01-02',
      slug: 'greenhouse_list_candidates',
      organisation_id: 'acme',
      user_id: 'ann',
      source: 'greenhouse',
      operation: 'list_candidates',
      duration_ms: 12.5,
      error_code: 'rate_limited',
    });
  });

  it.each([
    ['call-completed', undefined, null],
    ['call-failed', 'rate_limited', 'rate_limited'],
    ['call-failed', undefined, 'internal'],
  ] as const)('of a %s with the code %s has the error %s', (type, code, expected) => {
    const end = callEnded('c1', { type, ...(code === undefined ? {} : { code }) });
    expect(entryOf(end, TIME, 'p').usage?.error_code).toBe(expected);
  });

  it('counts the day in UTC, also when the next call is of another one', () => {
    const day = (time: number) => entryOf(ended, time, 'p').usage?.day;
    const midnight = Date.UTC(2026, 0, 3);
    expect([day(midnight - 1), day(midnight), day(midnight - 1)]).toEqual([
      '2026-01-02',
      '2026-01-03',
      '2026-01-02',
    ]);
  });
});
