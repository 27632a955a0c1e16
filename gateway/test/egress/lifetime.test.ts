import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { isTimeout, startLifetime } from '../../src/egress/lifetime.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('ends at its time limit, and not before', () => {
  const heard: unknown[] = [];
  const lifetime = startLifetime(1000, new AbortController().signal);
  lifetime.listen((ending) => heard.push(ending.kind));
  vi.advanceTimersByTime(999);
  expect(lifetime.ending).toBeUndefined();
  vi.advanceTimersByTime(1);
  expect(lifetime.ending).toEqual({ kind: 'timeout', reason: 'no whole answer within 1000 ms' });
  expect(heard).toEqual(['timeout']);
});

it('of months is no overflow of a timer', () => {
  const lifetime = startLifetime(2 ** 33, new AbortController().signal);
  vi.advanceTimersByTime(60_000);
  expect(lifetime.ending).toBeUndefined();
  lifetime.release();
});

it.each([0, -5])('of %i ms is over at once', (timeoutMs) => {
  expect(startLifetime(timeoutMs, new AbortController().signal).ending?.kind).toBe('timeout');
});

it('ends once, by what came first', () => {
  const caller = new AbortController();
  const heard: unknown[] = [];
  const lifetime = startLifetime(1000, caller.signal);
  lifetime.listen((ending) => heard.push(ending.kind));
  caller.abort();
  vi.advanceTimersByTime(5000);
  expect(lifetime.ending?.kind).toBe('cancelled');
  expect(heard).toEqual(['cancelled']);
});

it.each([
  ['a caller who goes away', undefined, 'cancelled'],
  ['a deadline', new DOMException('late', 'TimeoutError'), 'timeout'],
  ['a deadline of ours', Object.assign(new Error('late'), { code: 'deadline_exceeded' }), 'timeout'],
  ['what is no error', 'deadline_exceeded', 'cancelled'],
])('is ended by %s as it is, before and after it began', (_, reason, kind) => {
  const caller = new AbortController();
  const lifetime = startLifetime(1000, caller.signal);
  const signal = lifetime.signal();
  caller.abort(reason);
  expect(lifetime.ending?.kind).toBe(kind);
  expect(signal.reason).toBe(caller.signal.reason);
  const late = startLifetime(1000, caller.signal);
  expect(late.ending?.kind).toBe(kind);
  expect(late.signal().aborted).toBe(true);
  expect(isTimeout(reason)).toBe(kind === 'timeout');
});

it('is nobody’s concern once it was released', () => {
  const caller = new AbortController();
  const heard: unknown[] = [];
  const lifetime = startLifetime(1000, caller.signal);
  lifetime.listen((ending) => heard.push(ending));
  lifetime.release();
  expect(vi.getTimerCount()).toBe(0);
  caller.abort();
  expect(lifetime.ending).toBeUndefined();
  expect(heard).toEqual([]);
});
