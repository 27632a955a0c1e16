import { describe, expect, it } from 'vitest';
import { ToolcribError } from '../../../src/errors.ts';
import { createArgumentAdvice } from '../../../src/executors/azure/argument-advice.ts';
import { createHelperCalls } from '../../../src/executors/azure/helper-calls.ts';
import type { JsonObject } from '../../../src/operations/index.ts';
import { chat, POST } from './choices-under-test.ts';
import { callOf, type FakeRoom, QUICK } from './connector-under-test.ts';

describe('advice on arguments that the gateway refused', () => {
  const advise = (room: FakeRoom, error: unknown, given: JsonObject, rest: object = {}) =>
    createArgumentAdvice(createHelperCalls({ rooms: async () => room, retry: QUICK }))(
      error,
      callOf(POST, given, rest),
    );
  const refusal = (pointer: string) =>
    new ToolcribError('arguments_invalid', 'It does not fit.', {
      pointer,
      details: { errors: [{ pointer, message: 'x' }] },
    });

  it('names the valid values, also of an argument that is missing', async () => {
    expect(await advise(chat(), refusal('/team'), {})).toMatchObject({
      code: 'arguments_invalid',
      pointer: '/team',
      message: 'It does not fit. Values of team now: t1 (Sales), t2 (Marketing).',
      details: { errors: [{ pointer: '/team', message: 'x' }], options: [{ argument: '/team' }] },
    });
  });

  it.each([
    ['another argument', refusal('/subject'), {}],
    ['another error', new ToolcribError('path_blocked', 'no', { pointer: '/team' }), {}],
    ['what cannot be listed yet', refusal('/channel'), {}],
    ['a dry run', refusal('/team'), { dryRun: true }],
    ['a foreign fault', new Error('x'), {}],
  ])('gives %s back as it is', async (_, error, rest) => {
    expect(await advise(chat(), error, {}, rest)).toBe(error);
  });

  it('never makes the error another one', async () => {
    const error = refusal('/team');
    expect(await advise(chat(undefined, { helpers: [] }), error, {})).toBe(error);
  });
});
