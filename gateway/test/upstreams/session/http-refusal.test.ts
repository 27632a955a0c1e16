import { expect, it } from 'vitest';
import { refusalOf } from '../../../src/upstreams/session/http-refusal.ts';

const answered = (data: object) => Object.assign(new Error('as the SDK throws it'), { data });
const named = (name: string) => Object.assign(new Error('odd'), { name });

it.each<[string, unknown, object]>([
  ['404', answered({ status: 404 }), { kind: 'session_lost' }],
  ['403', answered({ status: 403 }), { code: 'credentials_refused', status: 403 }],
  ['429', answered({ status: 429 }), { code: 'rate_limited', status: 429 }],
  ['400', answered({ status: 400 }), { code: 'upstream_failed', status: 400 }],
  ['a status beside the data', Object.assign(new Error(''), { status: 429 }), { code: 'rate_limited' }],
  // a server or what stands before it may fail after the work was done
  ['500', answered({ status: 500 }), { kind: 'lost', message: 'The server answered HTTP 500.' }],
  ['503', answered({ status: 503 }), { kind: 'lost' }],
  ['no status', new Error('socket hang up'), { kind: 'lost', message: 'The connection broke.' }],
  ['no content type', answered({ contentType: null }), { kind: 'malformed' }],
  ['what the SDK cannot read', named('ZodError'), { kind: 'malformed' }],
  ['what is no JSON', new SyntaxError('odd'), { kind: 'malformed' }],
])('%s in a session', (_, error, expected) => {
  expect(refusalOf(error, 'remote', true)).toMatchObject(expected);
});

it('404 where there is no session tells of the request alone', () => {
  expect(refusalOf(answered({ status: 404 }), 'remote', false)).toMatchObject({
    code: 'upstream_failed',
    status: 404,
  });
});

it('a page is quoted without its tags', () => {
  const page = answered({ status: 400, text: '<html><h1>Bad\n Request</h1></html>' });
  expect(refusalOf(page, 'remote', true).message).toBe(
    'The server "remote" refused the request with HTTP 400: "Bad Request".',
  );
});

it('429 names the time to wait, where the server does', () => {
  expect(
    refusalOf(answered({ status: 429, retryAfterMs: 29_500, text: 'slow down' }), 'remote', true),
  ).toMatchObject({
    message: 'The server "remote" asks to wait 30 s: "slow down".',
    next: expect.stringContaining('the time named'),
    details: { retryAfterSeconds: 30 },
  });
  expect(refusalOf(answered({ status: 429 }), 'remote', true)).toMatchObject({
    message: 'The server "remote" asks to wait, not how long.',
    next: 'Call again later, and less often.',
  });
});
