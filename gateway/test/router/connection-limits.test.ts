import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type ErrorCode, ToolcribError } from '../../src/errors.ts';
import { type Connection, DEFAULT_LIMITS } from '../../src/operations/index.ts';
import { createConnectionLimits } from '../../src/router/connection-limits.ts';

const connection = (name = 'acme', concurrency = 2): Connection => ({
  name,
  source: name,
  securitySchemes: {},
  limits: { ...DEFAULT_LIMITS, concurrency },
});
const never = () => new AbortController().signal;
const answer = (status: number) => async () => ({ kind: 'http', status });
const failing = (code: ErrorCode) => async () => {
  throw new ToolcribError(code, 'test');
};

/** A task that ends when told to. */
function held() {
  const { promise, resolve } = Promise.withResolvers<void>();
  let started = false;
  return {
    task: () => {
      started = true;
      return promise;
    },
    started: () => started,
    finish: resolve,
  };
}

describe('concurrency', () => {
  it('runs as many as allowed, queues as many more, refuses the rest', async () => {
    const limits = createConnectionLimits();
    const tasks = Array.from({ length: 4 }, held);
    const runs = tasks.map(({ task }) => limits.run(connection(), never(), task));
    await expect(limits.run(connection(), never(), answer(200))).rejects.toMatchObject({
      code: 'overloaded',
    });
    await expect.poll(() => tasks.map((task) => task.started())).toEqual([true, true, false, false]);
    tasks[1]!.finish();
    await expect.poll(() => tasks.map((task) => task.started())).toEqual([true, true, true, false]);
    for (const task of tasks) task.finish();
    await Promise.all(runs);
    expect(await limits.run(connection(), never(), answer(200))).toEqual({ kind: 'http', status: 200 });
  });

  it('keeps connections apart', async () => {
    const limits = createConnectionLimits();
    const busy = [held(), held()];
    const runs = busy.map(({ task }) => limits.run(connection('one', 1), never(), task));
    await expect(limits.run(connection('one', 1), never(), answer(200))).rejects.toMatchObject({
      code: 'overloaded',
    });
    await expect(limits.run(connection('two', 1), never(), answer(200))).resolves.toBeDefined();
    for (const task of busy) task.finish();
    await Promise.all(runs);
  });

  it('lets a waiting call go with its caller or its deadline, at once', async () => {
    const limits = createConnectionLimits();
    const busy = held();
    const run = limits.run(connection('one', 1), never(), busy.task);
    const caller = new AbortController();
    const waiting = limits.run(connection('one', 1), caller.signal, answer(200));
    caller.abort();
    await expect(waiting).rejects.toMatchObject({ code: 'cancelled' });
    const late = limits.run(connection('one', 1), AbortSignal.timeout(10), answer(200));
    await expect(late).rejects.toMatchObject({ code: 'deadline_exceeded' });
    const next = limits.run(connection('one', 1), never(), answer(200));
    busy.finish();
    await run;
    await expect(next).resolves.toBeDefined();
  });

  it('takes no slot for whom nobody waits any more, and says why as it was told', async () => {
    const limits = createConnectionLimits();
    const late = new ToolcribError('deadline_exceeded', 'Too late.');
    for (const [signal, code] of [
      [AbortSignal.abort(), 'cancelled'],
      [AbortSignal.abort(new DOMException('late', 'TimeoutError')), 'deadline_exceeded'],
    ] as const) {
      const gone = held();
      await expect(limits.run(connection('one', 1), signal, gone.task)).rejects.toMatchObject({ code });
      expect(gone.started()).toBe(false);
    }
    const gone = limits.run(connection('one', 1), AbortSignal.abort(late), answer(200));
    await expect(gone).rejects.toBe(late);
    // neither run nor waiting
    const [busy, next] = [held(), held()];
    const runs = [busy, next].map(({ task }) => limits.run(connection('one', 1), never(), task));
    for (const task of [busy, next]) task.finish();
    await Promise.all(runs);
  });

  it('gives the slot back when a task fails', async () => {
    const limits = createConnectionLimits();
    for (let turn = 0; turn < 4; turn++) {
      const failed = limits.run(connection('one', 1), never(), failing('arguments_invalid'));
      await expect(failed).rejects.toMatchObject({ code: 'arguments_invalid' });
    }
  });

  it('takes over a changed concurrency', async () => {
    const limits = createConnectionLimits();
    const tasks = Array.from({ length: 3 }, held);
    const first = limits.run(connection('one', 1), never(), tasks[0]!.task);
    const more = [1, 2].map((index) => limits.run(connection('one', 2), never(), tasks[index]!.task));
    await expect.poll(() => tasks.every((task) => task.started())).toBe(true);
    // and holds it from then on: two run, two wait
    const waiting = [0, 1].map(() => limits.run(connection('one', 2), never(), answer(200)));
    await expect(limits.run(connection('one', 2), never(), answer(200))).rejects.toMatchObject({
      code: 'overloaded',
    });
    for (const task of tasks) task.finish();
    await Promise.all([first, ...more, ...waiting]);
  });
});

describe('the breaker', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: 1_000_000 }));
  afterEach(() => void vi.useRealTimers());

  const attempt = async (limits: ReturnType<typeof createConnectionLimits>, task: () => Promise<unknown>) => {
    try {
      await limits.run(connection(), never(), task);
      return 'ok';
    } catch (error) {
      return (error as ToolcribError).code;
    }
  };

  it.each([
    ['upstream_unreachable', failing('upstream_unreachable')],
    ['outcome_unknown', failing('outcome_unknown')],
    ['deadline_exceeded', failing('deadline_exceeded')],
    ['a 500', answer(500)],
  ])('opens after five consecutive failures: %s', async (_case, task) => {
    const limits = createConnectionLimits();
    for (let turn = 0; turn < 5; turn++) expect(await attempt(limits, task)).not.toBe('connection_suspended');
    const suspended = limits.run(connection(), never(), answer(200));
    await expect(suspended).rejects.toMatchObject({
      code: 'connection_suspended',
      message: expect.stringContaining('acme'),
      details: { until: new Date(1_010_000).toISOString() },
    });
    await expect(limits.run(connection('other'), never(), answer(200))).resolves.toBeDefined();
  });

  it.each([
    ['a 404', answer(404)],
    ['a 429', answer(429)],
    ['cancelled', failing('cancelled')],
    ['egress_blocked', failing('egress_blocked')],
    ['arguments_invalid', failing('arguments_invalid')],
  ])('is never tripped by %s', async (_case, task) => {
    const limits = createConnectionLimits();
    for (let turn = 0; turn < 20; turn++) await attempt(limits, task);
    expect(await attempt(limits, answer(200))).toBe('ok');
  });

  it('starts to count anew after an answer', async () => {
    const limits = createConnectionLimits();
    for (let turn = 0; turn < 20; turn++) await attempt(limits, turn % 5 === 4 ? answer(404) : answer(503));
    expect(await attempt(limits, answer(200))).toBe('ok');
  });

  it('lets one call try after the pause, and closes on its answer', async () => {
    const limits = createConnectionLimits();
    for (let turn = 0; turn < 5; turn++) await attempt(limits, answer(500));
    vi.setSystemTime(1_009_999);
    expect(await attempt(limits, answer(200))).toBe('connection_suspended');
    vi.setSystemTime(1_010_001);
    const trial = held();
    const running = limits.run(connection(), never(), trial.task);
    await expect.poll(() => trial.started()).toBe(true);
    await expect(limits.run(connection(), never(), answer(200))).rejects.toMatchObject({
      code: 'connection_suspended',
      details: { until: new Date(1_011_001).toISOString() },
    });
    trial.finish();
    await running;
    expect(await attempt(limits, answer(200))).toBe('ok');
  });

  it.each([
    ['failed', failing('upstream_unreachable')],
    ['was cancelled', failing('cancelled')],
  ])('stays open for another pause when the trial %s', async (_case, task) => {
    const limits = createConnectionLimits();
    for (let turn = 0; turn < 5; turn++) await attempt(limits, answer(500));
    vi.setSystemTime(1_010_001);
    await attempt(limits, task);
    vi.setSystemTime(1_020_000);
    expect(await attempt(limits, answer(200))).toBe('connection_suspended');
    vi.setSystemTime(1_020_002);
    expect(await attempt(limits, answer(200))).toBe('ok');
  });

  it.each(['upstream_status', 'upstream_too_large'] as const)(
    'closes on a trial that ended with %s: the service answered',
    async (code) => {
      const limits = createConnectionLimits();
      for (let turn = 0; turn < 5; turn++) await attempt(limits, answer(500));
      vi.setSystemTime(1_010_001);
      expect(await attempt(limits, failing(code))).toBe(code);
      expect(await attempt(limits, answer(200))).toBe('ok');
    },
  );

  it('is closed once the clock was set back: what is left would be longer than the pause', async () => {
    const limits = createConnectionLimits();
    for (let turn = 0; turn < 5; turn++) await attempt(limits, answer(500));
    vi.setSystemTime(999_000);
    expect(await attempt(limits, answer(200))).toBe('connection_suspended');
    vi.setSystemTime(1_000);
    expect(await attempt(limits, answer(200))).toBe('ok');
    vi.setSystemTime(1_000_000);
    expect(await attempt(limits, answer(200))).toBe('ok');
    // and opens by the clock as it is now
    vi.setSystemTime(1_000);
    for (let turn = 0; turn < 5; turn++) await attempt(limits, answer(500));
    expect(await attempt(limits, answer(200))).toBe('connection_suspended');
  });

  it('judges by the predicate it was given', async () => {
    const limits = createConnectionLimits({
      failures: 1,
      tripsBreaker: (end) => 'value' in end && end.value === 'bad',
    });
    await attempt(limits, async () => 'bad');
    expect(await attempt(limits, answer(200))).toBe('connection_suspended');
  });
});
