import { describe, expect, it } from 'vitest';
import { type ErrorCode, type ErrorPlace, ToolcribError } from '../../../src/errors.ts';
import type { RawResult } from '../../../src/executors/executor.ts';
import {
  type Attempt,
  type AttemptContext,
  type AttemptOutcome,
  createSkillExecutor,
  type FailedAttempt,
} from '../../../src/executors/skill/index.ts';
import type { Call, Operation, SkillPolicy } from '../../../src/operations/index.ts';
import {
  CONNECTION,
  callOf,
  REQUEST,
  SCRIPT,
  type Stage,
  startStage,
  toolOf,
  WRITES,
  WRITES_THE_SAME,
} from './tool-under-test.ts';

const DONE: RawResult = { kind: 'value', structured: { marked: 3 } };
type Step = AttemptOutcome | Error | (() => AttemptOutcome);

const failed = (
  code: ErrorCode,
  rest: Partial<FailedAttempt> = {},
  place: ErrorPlace = {},
): FailedAttempt => ({
  kind: 'failed',
  error: new ToolcribError(code, `It says ${code}.`, place),
  ran: 'yes',
  latencyMs: 5,
  ...rest,
});
const exit1 = failed('script_failed', { output: { exitCode: 1, stdout: 'half', stderr: 'no such pupil' } });
const timedOut = failed('deadline_exceeded', { ran: 'maybe' });
const done: AttemptOutcome = { kind: 'done', result: DONE };

/** Plays outcomes in order; the last one repeats. Every attempt takes 5 ms. */
function play(steps: readonly Step[], stage: Stage, policy: Partial<SkillPolicy> = {}) {
  const seen: AttemptContext[] = [];
  const attempt: Attempt = async (_call, context) => {
    seen.push(context);
    const step = steps[Math.min(seen.length, steps.length) - 1]!;
    stage.pass(5);
    if (step instanceof Error) throw step;
    return typeof step === 'function' ? step() : step;
  };
  const never: Attempt = () => Promise.reject(new Error('another kind of attempt'));
  const executor = createSkillExecutor(
    { ...stage, policy: () => ({ ...stage.policy(), ...policy }) },
    { ...stage, attempts: { script: attempt, template: never } },
  );
  const run = (operation: Operation = toolOf(SCRIPT), rest: Partial<Call> = {}) => {
    const call = callOf(operation, rest);
    return executor.execute(call, { connection: CONNECTION, signal: call.signal, deadline: call.deadline });
  };
  return { run, seen };
}

const errorOf = (running: Promise<unknown>): Promise<ToolcribError> =>
  running.then(
    () => Promise.reject(new Error('it succeeded')),
    (error: unknown) => error as ToolcribError,
  );

describe('attempts', () => {
  it('stop with the first success, whose answer reaches the caller as it is', async () => {
    const stage = startStage();
    const { run, seen } = play([exit1, done], stage);
    expect(await run()).toBe(DONE);
    expect(seen.map(({ attempt }) => attempt)).toEqual([1, 2]);
    expect(stage.waits).toEqual([300]);
    expect(stage.told()).toEqual([
      'call 1 failed script_failed',
      'retry 2 failed script_failed',
      'call 2 ok',
    ]);
  });

  it('have a deadline each, never later than the call', async () => {
    const stage = startStage();
    const { run, seen } = play([failed('script_failed', { ran: 'no' }), exit1], stage);
    const start = stage.now();
    await errorOf(run(toolOf(SCRIPT), { deadline: start + 20_100 }));
    expect(seen.map(({ deadline }) => deadline - start)).toEqual([20_000, 20_100, 20_100]);
  });

  it('tell the same sequence every time, field by field', async () => {
    const stage = startStage();
    await errorOf(play([exit1], stage).run());
    const about = {
      source: 'teaching',
      skill_id: 'marking',
      tool_name: 'mark.all',
      executor: 'script',
      call: 'c1',
      run: 'r1',
      principal: 'ada',
      organisation: 'school',
    };
    const attempt = { ...about, latency_ms: 5, status: 'failed', error_code: 'script_failed' };
    const message = 'Exit code 1.';
    expect(stage.events).toEqual([
      { ...attempt, type: 'dynamic_tool.call', attempt: 1, message },
      { ...attempt, type: 'dynamic_tool.retry', attempt: 2, latency_ms: 300 },
      { ...attempt, type: 'dynamic_tool.call', attempt: 2, message },
      { ...attempt, type: 'dynamic_tool.retry', attempt: 3, latency_ms: 600 },
      { ...attempt, type: 'dynamic_tool.call', attempt: 3, message },
      { ...attempt, type: 'dynamic_tool.failed', attempt: 3, latency_ms: 915, message },
      {
        ...attempt,
        type: 'dynamic_tool.degraded',
        attempt: 3,
        latency_ms: 915,
        error_code: 'dynamic_tool_failed_after_retries',
        message,
      },
    ]);
  });

  it('go to the executor of their kind', async () => {
    const stage = startStage();
    const { run } = play([done], stage);
    await expect(run(toolOf(REQUEST))).rejects.toThrow('another kind of attempt');
    expect(stage.events.every(({ executor }) => executor === 'http')).toBe(true);
  });
});

describe('a call that is given up', () => {
  it('says in a structure what failed, how often, and what remains', async () => {
    const error = await errorOf(play([exit1], startStage()).run());
    expect(error).toMatchObject({
      code: 'dynamic_tool_failed_after_retries',
      message: 'mark_all failed (3 attempts): It says script_failed.',
      details: {
        error: 'dynamic_tool_failed_after_retries',
        tool: 'mark_all',
        attempts: 3,
        last_code: 'script_failed',
        detail: 'It says script_failed.',
        exit_code: 1,
        stdout: 'half',
        stderr: 'no such pupil',
        remaining: { count: 2, names: ['read_file', 'search'] },
        _dynamic_tool: true,
        _dynamic_tool_degraded: true,
      },
    });
    expect(error.next).toContain('2 other tools are available (read_file, search): go on without this one.');
  });

  it('shows the end of what a program said, without what hides in it', async () => {
    const long = `${'x'.repeat(5000)}\u001b[31mlast\u202e words`;
    const error = await errorOf(
      play([failed('script_failed', { output: { exitCode: 2, stderr: long } })], startStage()).run(),
    );
    const stderr = error.details?.['stderr'] as string;
    expect(stderr.length).toBeLessThanOrEqual(2001);
    expect(stderr).toMatch(/^…x+last words$/);
  });

  it.each([
    ['a script that writes: it ran', WRITES, exit1, 1],
    ['a script that writes: nothing ran', WRITES, failed('script_unavailable', { ran: 'no' }), 3],
    ['declared idempotent', WRITES_THE_SAME, exit1, 3],
    ['declared idempotent, lost', WRITES_THE_SAME, timedOut, 3],
    ['reading', {}, timedOut, 3],
    ['a repetition cannot help', {}, failed('script_output_limit', { final: true }), 1],
  ] as const)('was attempted as often as that is harmless: %s', async (_, rest, step, attempts) => {
    const error = await errorOf(play([step], startStage()).run(toolOf(SCRIPT, rest)));
    expect(error).toMatchObject({ code: 'dynamic_tool_failed_after_retries', details: { attempts } });
  });

  it('ends as outcome_unknown where a write was lost, and is not repeated', async () => {
    const stage = startStage();
    const error = await errorOf(play([timedOut], stage).run(toolOf(SCRIPT, WRITES)));
    expect(error).toMatchObject({
      code: 'outcome_unknown',
      details: {
        error: 'outcome_unknown',
        attempts: 1,
        last_code: 'deadline_exceeded',
        outcome: 'unknown_outcome',
        remaining: { count: 2 },
        _dynamic_tool_degraded: true,
      },
    });
    expect(error.next).toMatch(
      /^It may have happened: check its effect before you try again\. 2 other tools/,
    );
    expect(stage.told()).toEqual([
      'call 1 failed deadline_exceeded',
      'failed 1 failed deadline_exceeded',
      'degraded 1 failed outcome_unknown',
    ]);
  });

  it.each([
    'arguments_invalid',
    'template_value_missing',
    'skill_forbidden',
    'sandbox_unavailable',
    'cancelled',
  ] as const)('keeps the code %s, thrown or returned, after one attempt', async (code) => {
    for (const step of [new ToolcribError(code, 'as it is'), failed(code)]) {
      const stage = startStage({ degradeAfter: 1 });
      const { run, seen } = play([step], stage);
      expect(await errorOf(run())).toMatchObject({ code });
      expect(await errorOf(run())).toMatchObject({ code });
      expect(seen).toHaveLength(2);
      expect(stage.told().slice(0, 2)).toEqual([`call 1 failed ${code}`, `failed 1 failed ${code}`]);
    }
  });

  it('hides an unexpected fault in events, and passes it on', async () => {
    const stage = startStage();
    const fault = new TypeError('hunter2');
    expect(await errorOf(play([fault], stage).run())).toBe(fault);
    expect(stage.told()).toEqual(['call 1 failed internal', 'failed 1 failed internal']);
    expect(JSON.stringify(stage.events)).not.toContain('hunter2');
  });
});

describe('waiting', () => {
  it('ends where the next attempt would begin after the deadline', async () => {
    const stage = startStage();
    const { run, seen } = play([failed('upstream_status', { ran: 'no', retryAfterMs: 60_000 })], stage);
    const error = await errorOf(run(toolOf(SCRIPT), { deadline: stage.now() + 30_000 }));
    expect(error).toMatchObject({ code: 'dynamic_tool_failed_after_retries', details: { attempts: 1 } });
    expect(seen).toHaveLength(1);
    expect(stage.waits).toEqual([]);
  });

  it('ends when the caller goes away, as cancelled', async () => {
    const stage = startStage();
    const caller = new AbortController();
    const leave = () => {
      caller.abort();
      return exit1;
    };
    const { run, seen } = play([leave], stage);
    expect(await errorOf(run(toolOf(SCRIPT), { signal: caller.signal }))).toMatchObject({
      code: 'cancelled',
    });
    expect(seen).toHaveLength(1);
    expect(stage.told()).toEqual(['call 1 failed script_failed', 'failed failed cancelled']);
  });

  it('ends with the last failure when the deadline passes meanwhile', async () => {
    const stage = startStage();
    const clock = new AbortController();
    const ring = () => {
      clock.abort(new DOMException('late', 'TimeoutError'));
      return exit1;
    };
    const error = await errorOf(play([ring], stage).run(toolOf(SCRIPT), { signal: clock.signal }));
    expect(error).toMatchObject({ code: 'dynamic_tool_failed_after_retries', details: { attempts: 1 } });
  });

  it('is no timer of ours in tests, but one that a signal ends in truth', async () => {
    const caller = new AbortController();
    const stage = startStage();
    const attempts = { script: async () => exit1, template: async () => exit1 };
    const executor = createSkillExecutor(stage, { attempts });
    const call = callOf(toolOf({ ...SCRIPT, retry: { maxAttempts: 2, backoffMs: 5000 } }), {
      signal: caller.signal,
    });
    const running = executor.execute(call, {
      connection: CONNECTION,
      signal: call.signal,
      deadline: call.deadline,
    });
    queueMicrotask(() => caller.abort());
    expect(await errorOf(running)).toMatchObject({ code: 'cancelled' });
  });
});

describe('a tool that is given up again and again', () => {
  const once = { ...SCRIPT, retry: { maxAttempts: 1, backoffMs: 300 } };

  it('pauses, tries once, and recovers, visibly', async () => {
    const stage = startStage();
    const { run, seen } = play([exit1, exit1, exit1, exit1, done], stage);
    for (let call = 0; call < 3; call++) await errorOf(run(toolOf(once)));
    const turnedAway = await errorOf(run(toolOf(once)));
    expect(turnedAway).toMatchObject({
      code: 'dynamic_tool_degraded',
      message: 'mark_all failed repeatedly and pauses for 30 s more; nothing was begun.',
      details: { tool: 'mark_all', retry_after_seconds: 30, remaining: { count: 2 }, _dynamic_tool: true },
    });
    expect(turnedAway.next).toMatch(/^Try it again after 30 s\. 2 other tools are available/);
    expect(seen).toHaveLength(3);
    stage.pass(30_000);
    await errorOf(run(toolOf(once)));
    expect((await errorOf(run(toolOf(once)))).details).toMatchObject({ retry_after_seconds: 60 });
    stage.pass(60_000);
    await run(toolOf(once));
    await run(toolOf(once));
    const givenUp = [
      'call 1 failed script_failed',
      'failed 1 failed script_failed',
      'degraded 1 failed dynamic_tool_failed_after_retries',
    ];
    expect(stage.told()).toEqual([
      ...givenUp,
      ...givenUp,
      ...givenUp,
      'degraded paused dynamic_tool_degraded',
      'degraded failed dynamic_tool_degraded',
      ...givenUp,
      'degraded paused dynamic_tool_degraded',
      'degraded failed dynamic_tool_degraded',
      'call 1 ok',
      'degraded recovered',
      'call 1 ok',
    ]);
    expect(stage.events.find(({ status }) => status === 'paused')?.message).toBe(
      'Failed 3 times in a row: pauses for 30 s.',
    );
  });

  it('turns others away while one call tries', async () => {
    const stage = startStage({ degradeAfter: 1 });
    const gate = Promise.withResolvers<AttemptOutcome>();
    let attempts = 0;
    const attempt: Attempt = () => (++attempts === 1 ? Promise.resolve(exit1) : gate.promise);
    const executor = createSkillExecutor(stage, {
      ...stage,
      attempts: { script: attempt, template: attempt },
    });
    const run = () => {
      const call = callOf(toolOf(once));
      return executor.execute(call, { connection: CONNECTION, signal: call.signal, deadline: call.deadline });
    };
    await errorOf(run());
    stage.pass(30_000);
    const trial = run();
    expect(await errorOf(run())).toMatchObject({ code: 'dynamic_tool_degraded' });
    gate.resolve(done);
    expect(await trial).toBe(DONE);
    expect(await run()).toBe(DONE);
  });

  it('leaves the trial to the next call when its caller goes away', async () => {
    const stage = startStage({ degradeAfter: 1 });
    const gone = new ToolcribError('cancelled', 'gone');
    const { run } = play([exit1, gone, done], stage);
    await errorOf(run(toolOf(once)));
    stage.pass(30_000);
    expect(await errorOf(run(toolOf(once)))).toMatchObject({ code: 'cancelled' });
    expect(await run(toolOf(once))).toBe(DONE);
    expect(stage.told().slice(-1)).toEqual(['degraded recovered']);
  });

  it('is not made to pause by what it was wrongly asked', async () => {
    const stage = startStage({ degradeAfter: 1 });
    const notFound = failed('upstream_status', { final: true }, { status: 404 });
    const { run, seen } = play([notFound], stage);
    for (let call = 0; call < 3; call++) await errorOf(run(toolOf(once)));
    expect(seen).toHaveLength(3);
  });
});

it('a dry run is one look, of which nothing is told', async () => {
  const stage = startStage();
  const planned: RawResult = { kind: 'value', structured: { program: 'sh' } };
  const { run } = play([{ kind: 'done', result: planned }], stage);
  expect(await run(toolOf(SCRIPT), { dryRun: true })).toBe(planned);
  expect(stage.events).toEqual([]);
});
