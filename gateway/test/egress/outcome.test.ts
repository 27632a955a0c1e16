import { describe, expect, it } from 'vitest';
import { callOnce, createEgress, EgressFailure, type Outcome, outcomeOf } from '../../src/egress/index.ts';
import { respond, startServer } from './recording-server.ts';

const answer = (status: number) => ({ status, headers: {}, body: new Uint8Array(0), url: '' });

describe('outcomeOf', () => {
  it.each([
    ['200', answer(200), false, 'ok'],
    ['304', answer(304), true, 'ok'],
    ['399', answer(399), false, 'ok'],
    ['400', answer(400), false, 'failed'],
    ['404', answer(404), false, 'failed'],
    ['500 to a write', answer(500), false, 'failed'],
    ['read, lost answer', new EgressFailure('reset', 'all', ''), true, 'failed'],
    ['write, lost answer', new EgressFailure('reset', 'some', ''), false, 'unknown_outcome'],
    [
      'write, 200 and then cut',
      new EgressFailure('body_truncated', 'all', '', { status: 200 }),
      false,
      'unknown_outcome',
    ],
    [
      'write, refused by 400 and then cut',
      new EgressFailure('body_truncated', 'all', '', { status: 400 }),
      false,
      'failed',
    ],
    [
      'write, 500 and then cut',
      new EgressFailure('body_truncated', 'all', '', { status: 500 }),
      false,
      'unknown_outcome',
    ],
    ['write, not connected', new EgressFailure('connect_refused', 'none', ''), false, 'failed'],
    ['blocked', new EgressFailure('egress_blocked', 'none', ''), false, 'blocked'],
    ['read, blocked after a redirect', new EgressFailure('egress_blocked', 'all', ''), true, 'blocked'],
    [
      'write, blocked after a redirect',
      new EgressFailure('egress_blocked', 'all', ''),
      false,
      'unknown_outcome',
    ],
  ] as Array<[string, Parameters<typeof outcomeOf>[0], boolean, Outcome]>)(
    '%s',
    (_case, result, reading, outcome) => {
      expect(outcomeOf(result, reading)).toBe(outcome);
    },
  );
});

it('callOnce tells an answer and a failure', async () => {
  const server = await startServer({
    '/': respond(200, '{"a":1}', { 'content-type': 'application/hal+json' }),
  });
  const egress = createEgress({ allow: [server.authority] });
  const limits = { timeoutMs: 5000, maxBytes: 1000, maxRedirects: 0 };
  const ask = (url: string) =>
    callOnce(egress, { method: 'GET', url, headers: [] }, limits, new AbortController().signal);
  expect(await ask(server.origin)).toEqual({ outcome: 'ok', status: 200, text: '{"a":1}', json: { a: 1 } });
  expect(await ask('http://10.0.0.1/')).toMatchObject({
    outcome: 'blocked',
    reason: expect.stringContaining('10.0.0.1'),
  });
  await egress.close();
  await server.close();
});
