import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEgress, type Egress, EgressFailure, type EgressResponse } from '../../../src/egress/index.ts';
import {
  type AttemptResult,
  type RetryCall,
  retryDecision,
  withRetry,
} from '../../../src/executors/http/retry.ts';
import { type RecordingServer, respond, startServer } from '../../egress/recording-server.ts';

const POLICY = { maxAttempts: 3, baseDelayMs: 200, maxDelayMs: 30_000, deadlineMs: 120_000 };
const NOW = Date.UTC(2026, 0, 5, 12);

interface Run {
  readonly attempts: number;
  readonly outcome: string;
  readonly waits: readonly number[];
}

/** Plays a list of results against the decision; the last one repeats. */
function play(call: RetryCall, results: readonly AttemptResult[], policy: Partial<typeof POLICY> = {}): Run {
  const waits: number[] = [];
  const history: AttemptResult[] = [];
  let elapsedMs = 0;
  for (let attempt = 1; ; attempt++) {
    const result = results[Math.min(attempt, results.length) - 1]!;
    history.push(result);
    const decision = retryDecision({
      call,
      result,
      attempt,
      policy: { ...POLICY, ...policy },
      now: NOW + elapsedMs,
      elapsedMs,
      history,
    });
    if (!decision.retry) return { attempts: attempt, outcome: decision.outcome, waits };
    waits.push(decision.waitMs);
    elapsedMs += decision.waitMs;
  }
}

const http = (status: number, retryAfter?: string): AttemptResult => ({
  kind: 'response',
  status,
  ...(retryAfter === undefined ? {} : { headers: { 'retry-after': retryAfter } }),
});
const lost: AttemptResult = { kind: 'timeout', sent: 'all' };
const refused: AttemptResult = { kind: 'connect_refused', sent: 'none' };

describe('retryDecision', () => {
  it.each([
    ['nothing sent: any method', { method: 'POST' }, [refused, http(201)], 2, 'ok'],
    ['nothing sent, to the end', { method: 'PATCH' }, [refused], 3, 'failed'],
    ['read, lost', { method: 'GET' }, [lost], 3, 'failed'],
    ['write, lost', { method: 'POST' }, [lost, http(200)], 1, 'unknown_outcome'],
    ['no word on how far it got', { method: 'POST' }, [{ kind: 'reset' }], 1, 'unknown_outcome'],
    ['no word, but no connection either', { method: 'POST' }, [{ kind: 'dns' }], 3, 'failed'],
    ['no word, refused', { method: 'POST' }, [{ kind: 'connect_refused' }], 3, 'failed'],
    ['no word, never connected', { method: 'POST' }, [{ kind: 'connect_timeout' }], 3, 'failed'],
    ['no word, but the door was shut', { method: 'POST' }, [{ kind: 'egress_blocked' }], 1, 'failed'],
    ['no word, too large', { method: 'POST' }, [{ kind: 'too_large' }], 1, 'unknown_outcome'],
    [
      'write, answer cut off',
      { method: 'POST' },
      [{ kind: 'body_truncated', sent: 'all', status: 200 }],
      1,
      'unknown_outcome',
    ],
    [
      'write that the service refused, answer cut off',
      { method: 'POST' },
      [{ kind: 'body_truncated', sent: 'all', status: 422 }],
      1,
      'failed',
    ],
    [
      'write at which the service failed, answer cut off',
      { method: 'POST' },
      [{ kind: 'body_truncated', sent: 'all', status: 500 }],
      1,
      'unknown_outcome',
    ],
    ['idempotent method', { method: 'PUT' }, [lost, http(200)], 2, 'ok'],
    ['idempotent method, to the end', { method: 'DELETE' }, [lost], 3, 'unknown_outcome'],
    ['declared not idempotent', { method: 'PUT', idempotent: false }, [lost], 1, 'unknown_outcome'],
    ['declared idempotent', { method: 'POST', idempotent: true }, [lost, http(200)], 2, 'ok'],
    ['declared reading', { method: 'POST', readOnly: true }, [lost], 3, 'failed'],
    ['a GET that writes', { method: 'GET', readOnly: false }, [lost], 1, 'unknown_outcome'],
    ['a GET that is not idempotent', { method: 'GET', idempotent: false }, [lost], 1, 'unknown_outcome'],
    ['with a key', { method: 'POST', idempotencyKey: 'k' }, [lost, http(201)], 2, 'ok'],
    ['an empty key is none', { method: 'POST', idempotencyKey: '' }, [lost], 1, 'unknown_outcome'],
    ['lost once, never connected again', { method: 'PUT' }, [lost, refused], 3, 'unknown_outcome'],
    ['lost once, then refused', { method: 'PUT' }, [lost, http(409)], 2, 'unknown_outcome'],
    ['429 of any method', { method: 'POST' }, [http(429, '1'), http(201)], 2, 'ok'],
    ['503 of a write', { method: 'POST' }, [http(503)], 1, 'unknown_outcome'],
    ['503 of a write, with a time', { method: 'POST' }, [http(503, '1'), http(201)], 2, 'ok'],
    ['503 of a write, with a time, to the end', { method: 'POST' }, [http(503, '1')], 3, 'failed'],
    [
      '503 of a write, with a time that is none',
      { method: 'POST' },
      [http(503, 'soon')],
      1,
      'unknown_outcome',
    ],
    ['503 of a write, with a time too far', { method: 'POST' }, [http(503, '3600')], 1, 'failed'],
    [
      '503 of a broker, with a time',
      { method: 'POST', brokered: true },
      [http(503, '1')],
      1,
      'unknown_outcome',
    ],
    ['429 of a broker', { method: 'POST', brokered: true }, [http(429, '1'), http(201)], 2, 'ok'],
    ['500 of a write, with a time', { method: 'POST' }, [http(500, '1')], 1, 'unknown_outcome'],
    ['lost once, then asked back', { method: 'PUT' }, [lost, http(503, '1')], 3, 'unknown_outcome'],
    ...[408, 500, 502, 503, 504].map((status) => [
      `${status} of a read`,
      { method: 'GET' },
      [http(status), http(200)],
      2,
      'ok',
    ]),
    ['400', { method: 'GET' }, [http(400)], 1, 'failed'],
    ['409 of a write', { method: 'POST' }, [http(409)], 1, 'failed'],
    ['501', { method: 'PUT' }, [http(501)], 1, 'failed'],
    ['505', { method: 'PUT' }, [http(505)], 1, 'failed'],
    ['certificate', { method: 'GET' }, [{ kind: 'tls_cert', sent: 'none' }], 1, 'failed'],
    // a wrong password that is sent again and again locks an account
    ['proxy that refuses', { method: 'GET' }, [{ kind: 'proxy_refused', sent: 'none' }], 1, 'failed'],
    ['blocked', { method: 'GET' }, [{ kind: 'egress_blocked', sent: 'none' }], 1, 'failed'],
    ['cancelled before', { method: 'POST' }, [{ kind: 'cancelled', sent: 'none' }], 1, 'failed'],
    ['cancelled after', { method: 'POST' }, [{ kind: 'cancelled', sent: 'all' }], 1, 'unknown_outcome'],
    ['too large', { method: 'GET' }, [{ kind: 'too_large', sent: 'all' }], 1, 'failed'],
    ['no answer of HTTP', { method: 'GET' }, [{ kind: 'malformed', sent: 'all' }], 1, 'failed'],
    ['no request of HTTP', { method: 'GET' }, [{ kind: 'request_invalid', sent: 'none' }], 1, 'failed'],
    ['a redirect elsewhere', { method: 'POST' }, [{ kind: 'redirect', sent: 'none' }], 1, 'failed'],
  ] as Array<[string, RetryCall, AttemptResult[], number, string]>)(
    '%s',
    (_case, call, results, attempts, outcome) => {
      expect(play(call, results)).toMatchObject({ attempts, outcome });
    },
  );

  it.each([
    ['7', 7000],
    ['Mon, 05 Jan 2026 12:00:09 GMT', 9000],
    ['Monday, 05-Jan-26 12:00:09 GMT', 9000],
    ['Mon Jan  5 12:00:09 2026', 9000],
  ])('waits as told: Retry-After %s', (value, waitMs) => {
    expect(play({ method: 'GET' }, [http(429, value), http(200)]).waits).toEqual([waitMs]);
  });

  it.each(['31', '99999999999999999999', 'Mon, 05 Jan 2026 14:00:00 GMT'])(
    'gives up: Retry-After %s',
    (value) => {
      expect(play({ method: 'GET' }, [http(429, value)])).toMatchObject({ attempts: 1, outcome: 'failed' });
    },
  );

  it.each(['0', '-5', '1.5', 'soon', '', 'Mon, 05 Jan 2015 12:00:00 GMT', '2026-01-05'])(
    'uses its own back-off: Retry-After "%s"',
    (value) => {
      const [wait] = play({ method: 'GET' }, [http(429, value), http(200)]).waits;
      expect(wait).toBeGreaterThanOrEqual(100);
      expect(wait).toBeLessThanOrEqual(200);
    },
  );

  it('backs off exponentially with jitter between half of the base and the step, up to the longest wait', () => {
    const policy = { ...POLICY, maxAttempts: 9, maxDelayMs: 1000 };
    const waitOf = (attempt: number, random: number) => {
      const question = {
        call: { method: 'GET' },
        result: http(500),
        attempt,
        policy,
        now: NOW,
        elapsedMs: 0,
      };
      const decision = retryDecision({ ...question, random: () => random });
      return decision.retry ? decision.waitMs : undefined;
    };
    expect([1, 2, 3, 4, 8].map((attempt) => waitOf(attempt, 0))).toEqual([100, 100, 100, 100, 100]);
    expect([1, 2, 3, 4, 8].map((attempt) => waitOf(attempt, 1))).toEqual([200, 400, 800, 1000, 1000]);
  });

  it('does not wait past the deadline', () => {
    expect(play({ method: 'GET' }, [http(429, '20')], { deadlineMs: 10_000 })).toMatchObject({ attempts: 1 });
  });
});

describe('withRetry over the wire', () => {
  const limits = { timeoutMs: 10_000, maxBytes: 1000, maxRedirects: 3 };
  /** Only where nothing ever answers: everything else must not depend on how busy this machine is. */
  const limitsOf = (path: string) => (path === '/silent' ? { ...limits, timeoutMs: 500 } : limits);
  const quick = { maxAttempts: 3, baseDelayMs: 2, maxDelayMs: 2000, deadlineMs: 20_000 };
  let server: RecordingServer;
  let egress: Egress;
  const answers = new Map<string, number>();
  const flaky = (failures: number, failure: Buffer) => (socket: { write(bytes: Buffer): unknown }) => {
    const served = (answers.get('flaky') ?? 0) + 1;
    answers.set('flaky', served);
    socket.write(served <= failures ? failure : respond(200, 'done'));
  };

  beforeAll(async () => {
    server = await startServer({
      '/flaky': flaky(2, respond(503, 'later')),
      '/400': respond(400, 'no'),
      '/silent': () => {},
      '/close': (socket) => socket.end(),
      '/large': respond(200, 'x'.repeat(2000)),
    });
    egress = createEgress({ allow: [server.authority] });
    // The first request loads the HTTP client.
    await egress.request(
      { method: 'GET', url: `${server.origin}/400`, headers: [] },
      limits,
      new AbortController().signal,
    );
  });
  afterAll(async () => {
    await egress.close();
    await server.close();
  });

  const run = (path: string, method: string, signal = new AbortController().signal, policy: object = {}) =>
    withRetry(
      () => egress.request({ method, url: server.origin + path, headers: [] }, limitsOf(path), signal),
      { method },
      { ...quick, ...policy },
      signal,
    );

  it('repeats until the service answers', async () => {
    expect(await run('/flaky', 'GET')).toMatchObject({
      attempts: 3,
      outcome: 'ok',
      response: { status: 200 },
    });
  });

  it('returns an answer from 400 up', async () => {
    expect(await run('/400', 'POST')).toMatchObject({
      attempts: 1,
      outcome: 'failed',
      response: { status: 400 },
    });
  });

  it.each([
    ['GET', '/silent', 'deadline_exceeded', { outcome: 'failed', attempts: 3 }],
    ['POST', '/silent', 'outcome_unknown', { outcome: 'unknown_outcome', attempts: 1 }],
    ['GET', '/close', 'upstream_failed', { outcome: 'failed', attempts: 3 }],
    ['POST', '/close', 'outcome_unknown', { outcome: 'unknown_outcome', attempts: 1 }],
    ['GET', '/large', 'upstream_too_large', { outcome: 'failed', attempts: 1 }],
  ])('%s %s: %s', async (method, path, code, details) => {
    const message = expect.stringContaining(server.authority);
    await expect(run(path, method)).rejects.toMatchObject({ code, message, details });
  });

  it('never sends a lost write twice', async () => {
    const before = server.requests.length;
    await expect(run('/close', 'POST')).rejects.toMatchObject({ code: 'outcome_unknown' });
    expect(server.requests.length - before).toBe(1);
  });

  it('a caller who goes away hears `cancelled`; the details keep that the write may have happened', async () => {
    const caller = new AbortController();
    const before = server.requests.length;
    const pending = withRetry(
      () =>
        egress.request(
          { method: 'POST', url: `${server.origin}/silent`, headers: [] },
          { ...limits, timeoutMs: 5000 },
          caller.signal,
        ),
      { method: 'POST' },
      quick,
      caller.signal,
    );
    pending.catch(() => {});
    await expect.poll(() => server.requests.length).toBe(before + 1);
    caller.abort();
    await expect(pending).rejects.toMatchObject({
      code: 'cancelled',
      details: { outcome: 'unknown_outcome' },
      next: expect.stringContaining('Check its effect before you try again'),
    });
  });
});

describe('withRetry between attempts', () => {
  const slow = { maxAttempts: 3, baseDelayMs: 60_000, maxDelayMs: 60_000, deadlineMs: 600_000 };
  const failing = async (): Promise<EgressResponse> => {
    throw new EgressFailure('connect_refused', 'none', 'x refuses the connection');
  };

  it('stops waiting when the caller goes away, and when the deadline passes', async () => {
    const caller = new AbortController();
    const pending = withRetry(failing, { method: 'POST' }, slow, caller.signal);
    caller.abort();
    await expect(pending).rejects.toMatchObject({ code: 'cancelled', details: { outcome: 'failed' } });
    const late = withRetry(failing, { method: 'POST' }, slow, AbortSignal.timeout(20));
    await expect(late).rejects.toMatchObject({ code: 'deadline_exceeded' });
  });

  it('says what to do about a proxy', async () => {
    const refused = async (): Promise<EgressResponse> => {
      throw new EgressFailure(
        'proxy_refused',
        'none',
        'The proxy p:3128 asks for a user and a password (407)',
      );
    };
    const call = withRetry(refused, { method: 'POST' }, slow, AbortSignal.timeout(60_000));
    await expect(call).rejects.toMatchObject({
      code: 'upstream_unreachable',
      message: 'The proxy p:3128 asks for a user and a password (407).',
      next: expect.stringContaining('egress.proxy.url'),
    });
  });

  it.each([
    ['untrusted', /^Nothing was sent\. .*tls: \{ ca: \{ file: FILE \} \}/],
    ['refused', /tls: \{ certificate, key \}/],
    ['no_tls', /http:\/\//],
  ] as const)('says what to do where TLS is %s', async (tls, next) => {
    const failing = () => Promise.reject(new EgressFailure('tls_cert', 'none', 'x', { tls }));
    const asked = withRetry(failing, { method: 'GET' }, slow, new AbortController().signal);
    await expect(asked).rejects.toMatchObject({
      code: 'upstream_unreachable',
      next: expect.stringMatching(next),
    });
  });

  it('a wait that ends after a lost write leaves its outcome unknown', async () => {
    const losing = async (): Promise<EgressResponse> => {
      throw new EgressFailure('reset', 'all', 'x closed the connection');
    };
    const late = withRetry(losing, { method: 'PUT' }, slow, AbortSignal.timeout(20));
    await expect(late).rejects.toMatchObject({ code: 'outcome_unknown' });
  });

  it('does not send at all for a caller who is gone', async () => {
    let sent = 0;
    const counting = async (): Promise<EgressResponse> => {
      sent++;
      return failing();
    };
    const gone = withRetry(counting, { method: 'GET' }, slow, AbortSignal.abort());
    await expect(gone).rejects.toMatchObject({ code: 'cancelled' });
    expect(sent).toBe(0);
  });

  it('passes errors on that are none of the door', async () => {
    const fault = new TypeError('a fault');
    const broken = withRetry(
      () => Promise.reject(fault),
      { method: 'GET' },
      slow,
      new AbortController().signal,
    );
    await expect(broken).rejects.toBe(fault);
  });
});
