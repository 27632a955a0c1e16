import { describe, expect, it, test } from 'vitest';
import { type ErrorCode, ToolcribError } from '../../../src/errors.ts';
import type { FailedAttempt } from '../../../src/executors/skill/index.ts';
import {
  countsAgainstTool,
  isRepeatable,
  isUnknown,
  pauseBefore,
} from '../../../src/executors/skill/retry-plan.ts';
import { SCRIPT, toolOf, WRITES, WRITES_THE_SAME } from './tool-under-test.ts';

const failure = (rest: Partial<FailedAttempt> = {}, code: ErrorCode = 'script_failed'): FailedAttempt => ({
  kind: 'failed',
  error: new ToolcribError(code, 'no'),
  ran: 'yes',
  latencyMs: 1,
  ...rest,
});

const ask = (rest: Partial<Parameters<typeof pauseBefore>[0]> = {}) =>
  pauseBefore({
    failed: failure(),
    attempt: 1,
    retry: { maxAttempts: 6, backoffMs: 300 },
    repeatable: true,
    now: 0,
    deadline: 100_000,
    ...rest,
  });

describe('the pause before the next attempt', () => {
  it('doubles from the base, is capped at five seconds, and has no jitter', () => {
    const retry = { maxAttempts: 6, backoffMs: 1000 };
    expect([1, 2, 3, 4, 5, 6].map((attempt) => ask({ attempt, retry }))).toEqual([
      1000,
      2000,
      4000,
      5000,
      5000,
      undefined,
    ]);
    expect([1, 2, 3].map((attempt) => ask({ attempt }))).toEqual([300, 600, 1200]);
    expect(ask({ retry: { maxAttempts: 2, backoffMs: 0 } })).toBe(0);
  });

  it('is as long as the service asks for, where that is longer', () => {
    expect(ask({ failed: failure({ retryAfterMs: 7000 }) })).toBe(7000);
    expect(ask({ failed: failure({ retryAfterMs: 100 }) })).toBe(300);
  });

  it('is not made where it would end at the deadline or after it', () => {
    expect(ask({ deadline: 301 })).toBe(300);
    expect(ask({ deadline: 300 })).toBeUndefined();
    expect(ask({ failed: failure({ retryAfterMs: 3_600_000 }) })).toBeUndefined();
  });
});

describe('what is done again', () => {
  it.each([
    ['no', true, true],
    ['no', false, true],
    ['yes', true, true],
    ['yes', false, false],
    ['maybe', true, true],
    ['maybe', false, false],
  ] as const)('ran %s, repeatable %s: %s', (ran, repeatable, again) => {
    expect(ask({ failed: failure({ ran }), repeatable }) !== undefined).toBe(again);
  });

  it.each([
    'arguments_invalid',
    'template_value_missing',
    'skill_forbidden',
    'sandbox_unavailable',
    'credentials_missing',
    'egress_blocked',
    'cancelled',
    'internal',
  ] as const)('never what ends as %s', (code) => {
    expect(ask({ failed: failure({ ran: 'no' }, code) })).toBeUndefined();
  });

  it('never what would end the same way', () => {
    expect(ask({ failed: failure({ ran: 'no', final: true }) })).toBeUndefined();
  });

  test('is what reads or was declared idempotent; a program alone is neither', () => {
    expect(isRepeatable(toolOf(SCRIPT))).toBe(true);
    expect(isRepeatable(toolOf(SCRIPT, WRITES))).toBe(false);
    expect(isRepeatable(toolOf(SCRIPT, WRITES_THE_SAME))).toBe(true);
    expect(isRepeatable(toolOf(SCRIPT, { limits: { repeat: false } }))).toBe(false);
  });
});

test('a lost answer of a write is unknown; an answer that says "failed" is known', () => {
  expect(isUnknown(failure({ ran: 'maybe' }, 'deadline_exceeded'), false)).toBe(true);
  expect(isUnknown(failure({ ran: 'maybe' }, 'deadline_exceeded'), true)).toBe(false);
  expect(isUnknown(failure({ ran: 'yes' }), false)).toBe(false);
  expect(isUnknown(failure({ ran: 'maybe' }, 'upstream_status'), false)).toBe(false);
});

test('what a service refuses as it was asked says nothing about the tool', () => {
  const answer = (status: number) =>
    countsAgainstTool(failure({ error: new ToolcribError('upstream_status', 'no', { status }) }));
  expect([400, 404, 422].map(answer)).toEqual([false, false, false]);
  expect([302, 408, 429, 500, 503].map(answer)).toEqual([true, true, true, true, true]);
  expect(countsAgainstTool(failure())).toBe(true);
});
