import { describe, expect, test } from 'vitest';
import { ERRORS, ToolcribError } from '../../src/errors.ts';
import { callErrorOf, LIST } from '../../src/upstreams/call-error.ts';
import {
  ServerError,
  SessionError,
  type SessionErrorKind,
} from '../../src/upstreams/session/session-error.ts';

const READ = { name: 'up', what: 'tool look', repeatable: true };
const WRITE = { ...READ, what: 'tool act', repeatable: false };

describe('a call without an answer', () => {
  test.each<readonly [SessionErrorKind, string, string]>([
    ['unsent', 'upstream_unavailable', 'upstream_unavailable'],
    ['session_lost', 'upstream_unavailable', 'upstream_unavailable'],
    ['lost', 'upstream_crashed', 'outcome_unknown'],
    ['malformed', 'upstream_failed', 'outcome_unknown'],
    ['deadline', 'deadline_exceeded', 'outcome_unknown'],
    ['cancelled', 'cancelled', 'cancelled'],
  ])('%s: is %s where it may be repeated, else %s', (kind, read, write) => {
    const cause = new SessionError(kind, 'It broke off.');
    const [ofRead, ofWrite] = [callErrorOf(cause, READ), callErrorOf(cause, WRITE)];
    expect([ofRead.code, ofWrite.code]).toEqual([read, write]);
    expect(ofRead.message).toBe('The tool look of "up" gave no answer: it broke off.');
    expect(ofRead.cause).toBe(cause);
    const isOpen = kind !== 'unsent' && kind !== 'session_lost';
    expect(ofWrite.message.endsWith('Whether it was carried out is not known.')).toBe(isOpen);
    expect(ofWrite.details).toEqual(isOpen ? { lost: kind } : undefined);
    expect(ofWrite.next).toBe(isOpen ? ERRORS.outcome_unknown.next : ERRORS.upstream_unavailable.next);
    expect(ofRead.details).toBeUndefined();
  });

  test('that failed by a fault of our own says so once', () => {
    const own = new ToolcribError('authorization_required', 'Sign in.');
    expect(callErrorOf(own, WRITE)).toBe(own);
    expect(callErrorOf(new TypeError('x'), WRITE)).toMatchObject({
      code: 'upstream_failed',
      message: 'The tool act of "up" could not be asked.',
    });
  });
});

describe('an error that the server answered', () => {
  const answered = (code: number, more: object = {}, data?: unknown) =>
    callErrorOf(new ServerError(code, 'says\u0007 no', data), { ...WRITE, ...more });

  test.each([
    [-32602, 'prompt_unknown'],
    [-32002, 'prompt_unknown'],
    [-32603, 'upstream_failed'],
    [-32021, 'capability_missing'],
  ])('%i to what may be unknown is %s, and nothing is in doubt', (code, expected) => {
    expect(answered(code, { unknown: 'prompt_unknown' })).toMatchObject({
      code: expected,
      message: expect.stringMatching(`"up" answered the tool act with error ${code}: "says.* no"`),
      details: { rpc: code },
    });
    expect(answered(code, { unknown: 'prompt_unknown' }).message).not.toContain('\u0007');
  });

  test('to a prompt or resource that was listed says that what was asked may be wrong', () => {
    expect(answered(-32602, { unknown: 'prompt_unknown' }).next).toContain('correct what was asked');
    expect(answered(-32002, { unknown: 'resource_unknown' }).next).toBe(ERRORS.resource_unknown.next);
  });

  test('to a tool says what to do next: the arguments are wrong, or the call', () => {
    expect(answered(-32602)).toMatchObject({
      code: 'upstream_failed',
      next: expect.stringContaining('correct the arguments'),
    });
    expect(answered(-32603).next).toContain('call again later');
    expect(answered(-32002).code).toBe('upstream_failed');
  });

  test('to a list leaves no call to be corrected', () => {
    const { next } = answered(-32603, { what: LIST });
    expect(next).toContain('it runs, and cannot say what it offers');
    expect(next).not.toContain('call');
  });

  test('that a page is still open says to finish there first', () => {
    expect(answered(-32042).next).toContain('Finish');
    expect(answered(-32042, { unknown: 'prompt_unknown' }).next).toContain('Finish');
  });

  test('brings its data, if that is an object and small', () => {
    expect(answered(-32000, {}, { a: 1 }).details).toEqual({ rpc: -32000, data: { a: 1 } });
    expect(answered(-32000, {}, 'text').details).toEqual({ rpc: -32000 });
    expect(answered(-32000, {}, { a: 'x'.repeat(5_000) }).details).toEqual({ rpc: -32000, data: {} });
  });

  test('names the capabilities that it needs of the caller', () => {
    const requiredCapabilities = { sampling: { tools: {} } };
    expect(answered(-32021, {}, { requiredCapabilities }).details).toMatchObject({ requiredCapabilities });
    const long = { requiredCapabilities: { experimental: { long: 'x'.repeat(5_000) } } };
    expect(answered(-32021, {}, long).details).toMatchObject({ requiredCapabilities: {} });
  });

  test('is cut where it is long', () => {
    const error = callErrorOf(new ServerError(1, 'x'.repeat(50_000), undefined), READ);
    expect(error.message.length).toBeLessThan(4_300);
  });
});
