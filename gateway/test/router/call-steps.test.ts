import { describe, expect, it } from 'vitest';
import { ToolcribError } from '../../src/errors.ts';
import type { Call, CompletedResult, Result } from '../../src/operations/index.ts';
import { createCallRecorder } from '../../src/router/call-steps.ts';
import { compose, type Layer, type NamedLayer } from '../../src/router/compose.ts';

const DONE: CompletedResult = { kind: 'completed', content: [] };
const pass: Layer = (call, next) => next(call);
const named = (name: string, layer: Layer = pass): NamedLayer => ({ name, layer });

/** What a call through these layers leaves behind. */
async function steps(layers: ReadonlyArray<Layer | NamedLayer>, core: (call: Call) => Promise<Result>) {
  const recorder = createCallRecorder(performance.now());
  const call = { facts: { steps: recorder } } as unknown as Call;
  const onion = compose(layers, core, 'execute');
  await (async () => onion(call))().catch(() => undefined);
  return recorder.told();
}

const shape = ({ steps: told }: Awaited<ReturnType<typeof steps>>) =>
  told.map(({ name, depth, outcome }) => [name, depth, outcome]);

describe('the steps of a call', () => {
  it('stand in the order in which they began, each within the one before', async () => {
    const told = await steps([pass, named('authorise'), pass, named('budget')], async () => DONE);
    expect(shape(told)).toEqual([
      ['authorise', 0, 'passed'],
      ['budget', 1, 'passed'],
      ['execute', 2, 'answered'],
    ]);
    for (const [index, step] of told.steps.entries()) {
      const before = told.steps[index - 1];
      if (before !== undefined) {
        expect(step.startMs).toBeGreaterThanOrEqual(before.startMs);
        expect(step.startMs + step.durationMs).toBeLessThanOrEqual(before.startMs + before.durationMs + 0.02);
      }
    }
  });

  it('tell the time of a layer without what it let through', async () => {
    const busy = (milliseconds: number) => {
      const until = performance.now() + milliseconds;
      while (performance.now() < until);
    };
    const slow: Layer = async (call, next) => {
      busy(8);
      const result = await next(call);
      busy(8);
      return result;
    };
    const told = await steps([named('slow', slow)], async () => {
      busy(30);
      return DONE;
    });
    const [layer, core] = told.steps;
    expect(layer!.durationMs).toBeGreaterThanOrEqual(46);
    expect(layer!.ownMs).toBeGreaterThanOrEqual(16);
    expect(layer!.ownMs).toBeCloseTo(layer!.durationMs - core!.durationMs, 1);
    expect(core!.ownMs).toBeUndefined();
    expect(core!.startMs).toBeGreaterThanOrEqual(8);
  });

  it('say who refused, by its code, and that the layers around it let the call through', async () => {
    const refuse: Layer = () => {
      throw new ToolcribError('budget_exceeded', 'No more.', {
        details: { budget: 'daily', used: 3, secret: 'not told' },
      });
    };
    const told = await steps([named('authorise'), named('budget', refuse)], async () => DONE);
    expect(shape(told)).toEqual([
      ['authorise', 0, 'passed'],
      ['budget', 1, 'refused'],
    ]);
    expect(told.steps.map(({ detail }) => detail)).toEqual([
      undefined,
      { code: 'budget_exceeded', budget: 'daily' },
    ]);
  });

  it('tell an answer of its own, a failure of the core, and a failure on the way back from each other', async () => {
    const error = (code: 'upstream_status' | 'output_invalid') => ({
      ...DONE,
      error: { code, message: 'm' },
    });
    expect(shape(await steps([named('shape', async () => DONE)], async () => DONE))).toEqual([
      ['shape', 0, 'answered'],
    ]);
    expect(shape(await steps([named('a')], async () => error('upstream_status')))).toEqual([
      ['a', 0, 'passed'],
      ['execute', 1, 'failed'],
    ]);
    const check: Layer = async (call, next) => {
      await next(call);
      return error('output_invalid');
    };
    const told = await steps([named('validate output', check)], async () => DONE);
    expect(shape(told)).toEqual([
      ['validate output', 0, 'failed'],
      ['execute', 1, 'answered'],
    ]);
    expect(told.steps[0]!.detail).toEqual({ code: 'output_invalid' });
  });

  it('count a layer that goes on several times, with all that followed each time', async () => {
    const pages: Layer = async (call, next) => {
      await next(call);
      return next(call);
    };
    const told = await steps([named('shape', pages), named('budget')], async () => DONE);
    expect(shape(told)).toEqual([
      ['shape', 0, 'passed'],
      ['budget', 1, 'passed'],
      ['execute', 2, 'answered'],
      ['budget', 1, 'passed'],
      ['execute', 2, 'answered'],
    ]);
    expect(told.steps[0]!.detail).toEqual({ times: 2 });
  });

  it('hold what the executor did, as parts of it', async () => {
    const told = await steps([named('budget')], async ({ facts }) => {
      const started = performance.now();
      facts!.steps!.note('rate', started, 'passed', undefined, 1);
      facts!.steps!.note('attempt', started, 'failed', { attempt: 1, status: 503 });
      facts!.steps!.note('attempt', performance.now(), 'answered', { attempt: 2, status: 200, waitedMs: 20 });
      return DONE;
    });
    expect(shape(told)).toEqual([
      ['budget', 0, 'passed'],
      ['execute', 1, 'answered'],
      ['attempt', 2, 'failed'],
      ['rate', 3, 'passed'],
      ['attempt', 2, 'answered'],
    ]);
    expect(told.steps[4]!.detail).toEqual({ attempt: 2, status: 200, waitedMs: 20 });
  });

  it('are forty at most: the first and the last, and how many lie between', async () => {
    const told = await steps([], async ({ facts }) => {
      for (let n = 1; n <= 2000; n++)
        facts!.steps!.note('attempt', performance.now(), 'failed', { attempt: n });
      return DONE;
    });
    expect(told.steps).toHaveLength(40);
    expect(told.stepsLeftOut).toBe(2001 - 40);
    expect(told.steps[0]!.name).toBe('execute');
    expect(told.steps[1]!.detail).toEqual({ attempt: 1 });
    expect(JSON.stringify(told).length).toBeLessThan(8000);
  });

  it('cut what is long, after secrets were taken out of it', () => {
    const recorder = createCallRecorder(performance.now());
    const secret = 'sk-0123456789';
    recorder.note('attempt', performance.now(), 'failed', { failure: `${'x'.repeat(115)}${secret}` });
    const [step] = recorder.told((text) => text.replace(secret, '[hidden]')).steps;
    expect(step!.detail).toEqual({ failure: `${'x'.repeat(115)}[hidd` });
  });

  it('cost a call without a recorder nothing', async () => {
    const onion = compose([named('a')], async () => DONE, 'execute');
    expect(await onion({} as Call)).toBe(DONE);
  });

  it('of a call that still goes on last until now', async () => {
    const recorder = createCallRecorder(performance.now());
    recorder.enter('approve', 0, false);
    const [step] = recorder.told().steps;
    expect(step).toMatchObject({ name: 'approve', outcome: 'answered' });
    expect(step!.durationMs).toBeGreaterThanOrEqual(0);
  });
});
