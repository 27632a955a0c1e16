import { describe, expect, it } from 'vitest';
import type { Operation } from '../../../src/operations/index.ts';
import { httpOf, inner, run } from './connector-under-test.ts';
import { failure, READ, scripted, WRITE } from './scripted-connection.ts';

describe('retries', () => {
  const RECOVERS: ReadonlyArray<readonly [string, Operation, ReturnType<typeof inner> | Error]> = [
    ['a read after an inner 500', READ, inner('InternalServerError')],
    ['a read after an inner 429', READ, inner('TooManyRequests', null as never, { 'Retry-After': '0' })],
    ['a read after a 503 of Resource Manager', READ, { status: 503, body: {} }],
    ['a read after a lost connection', READ, failure('reset', 'all')],
    ['a write after an inner 429', WRITE, inner('TooManyRequests')],
    [
      'a write after a 429 of Resource Manager',
      WRITE,
      { status: 429, headers: { 'retry-after': '0' }, body: {} },
    ],
    ['a write that never left', WRITE, failure('connect_refused', 'none')],
  ];
  it.each(RECOVERS)('%s', async (_, operation, first) => {
    const room = scripted(first, inner('OK', { ok: true }));
    expect(httpOf(await run(room, operation))).toMatchObject({ status: 200, attempts: 2 });
    expect(room.requests).toHaveLength(2);
    expect(room.requests[0]).toEqual(room.requests[1]);
  });

  const STAYS: ReadonlyArray<readonly [string, ReturnType<typeof inner>]> = [
    ['an inner 500', inner('InternalServerError')],
    ['an inner 503', inner('ServiceUnavailable')],
    ['a 502 of Resource Manager', { status: 502, body: {} }],
  ];
  it.each(STAYS)('a write is not repeated after %s: it may have happened', async (_, first) => {
    const room = scripted(first, inner('OK'));
    expect(httpOf(await run(room, WRITE))).toMatchObject({ attempts: 1, unknownOutcome: true });
    expect(room.requests).toHaveLength(1);
  });

  it('a write is not repeated after a lost connection', async () => {
    const room = scripted(failure('reset', 'all'), inner('OK'));
    await expect(run(room, WRITE)).rejects.toMatchObject({
      code: 'outcome_unknown',
      text: expect.stringMatching(/^Error invoking mail\.SendMail: The connection failed \(reset\)/),
    });
    expect(room.requests).toHaveLength(1);
  });

  it('are none for what must not be sent twice', async () => {
    const room = scripted(inner('InternalServerError'), inner('OK'));
    const once = { ...READ, limits: { repeat: false as const } };
    expect(httpOf(await run(room, once)).status).toBe(500);
    expect(room.requests).toHaveLength(1);
  });

  it('are at most three attempts', async () => {
    const room = scripted(inner('BadGateway'));
    expect(httpOf(await run(room, READ))).toMatchObject({ status: 502, attempts: 3 });
    expect(room.requests).toHaveLength(3);
  });

  it('wait for Retry-After, and not at all where it asks for too long', async () => {
    const room = scripted(inner('TooManyRequests', 'later', { 'retry-after': '3600' }));
    expect(httpOf(await run(room, READ))).toMatchObject({ status: 429, headers: { 'retry-after': '3600' } });
    expect(room.requests).toHaveLength(1);
  });

  it('take the outer Retry-After for an inner status that names none', async () => {
    const room = scripted({ ...inner('TooManyRequests'), headers: { 'retry-after': '3600' } });
    expect(httpOf(await run(room, READ)).headers['retry-after']).toBe('3600');
    expect(room.requests).toHaveLength(1);
  });

  it('back off where Resource Manager says that nothing is left', async () => {
    const body = { error: { code: 'SubscriptionRequestsThrottled', message: 'too many' } };
    const room = scripted({
      status: 429,
      headers: { 'x-ms-ratelimit-remaining-subscription-writes': '0' },
      body,
    });
    expect(httpOf(await run(room, READ))).toMatchObject({ status: 429, headers: { 'retry-after': '60' } });
    expect(room.requests).toHaveLength(1);
    const left = scripted(
      { status: 429, headers: { 'x-ms-ratelimit-remaining-subscription-writes': '9' }, body },
      inner('OK'),
    );
    expect(httpOf(await run(left, READ)).status).toBe(200);
  });
});
