import { describe, expect, it } from 'vitest';
import { ToolcribError } from '../../../src/errors.ts';
import type { Call, Result } from '../../../src/operations/index.ts';
import { compose } from '../../../src/router/compose.ts';
import { taintedNeed, taintLayer } from '../../../src/router/layers/taint.ts';
import type { Taint } from '../../../src/router/taint.ts';
import { callOf, taintBench } from '../taint-cases.ts';

const ANSWER: Result = { kind: 'completed', content: [{ type: 'text', text: 'x' }] };

function onion(taint: Taint, core: (call: Call) => Promise<Result> = async () => ANSWER) {
  const seen: Array<string | undefined> = [];
  const call = compose([taintLayer(taint)], (inner) => {
    seen.push(inner.tainted);
    return core(inner);
  });
  return { call, seen };
}

describe('the taint layer', () => {
  it('says on later calls what was read, before anything asks for an approval', async () => {
    const { call, seen } = onion(taintBench(undefined).taint);
    await call(callOf('desk', 'write', { operation: { ...callOf('own', 'write').operation } }));
    await call(callOf('web', 'read'));
    await call(callOf('own', 'write'));
    expect(seen).toEqual([undefined, undefined, expect.stringContaining('source web')]);
  });

  it('marks nothing for a dry run, and says what would be asked', async () => {
    const { call, seen } = onion(taintBench(undefined).taint);
    await call(callOf('web', 'read', { dryRun: true }));
    await call(callOf('own', 'write'));
    await call(callOf('web', 'read'));
    await call(callOf('own', 'write', { dryRun: true }));
    expect(seen.map((reason) => reason !== undefined)).toEqual([false, false, false, true]);
  });

  it.each([
    ['upstream_failed', true],
    ['tool_failed', true],
    ['approval_required', false],
    ['budget_exceeded', false],
    ['deadline_exceeded', false],
  ] as const)('a failure with %s carries words of the service: %s', async (code, carries) => {
    const { taint } = taintBench(undefined);
    const { call } = onion(taint, async () => Promise.reject(new ToolcribError(code, 'm')));
    await expect(call(callOf('web', 'read'))).rejects.toMatchObject({ code });
    expect((await taint.reason(callOf('own', 'write'))) !== undefined).toBe(carries);
  });

  it('keeps nobody waiting for a store where there is no policy', async () => {
    const lost = async () => Promise.reject(new ToolcribError('store_unavailable', 'm'));
    const taint: Taint = { active: false, mark: lost, read: lost, reason: lost };
    expect(await onion(taint).call(callOf('web', 'read'))).toBe(ANSWER);
    expect(await onion(taint).call(callOf('web', 'write'))).toBe(ANSWER);
  });

  it('withholds a read that it cannot remember, and delivers what was done', async () => {
    const lost = async () => Promise.reject(new ToolcribError('store_unavailable', 'm'));
    const taint: Taint = { active: true, mark: lost, read: lost, reason: async () => undefined };
    await expect(onion(taint).call(callOf('web', 'read'))).rejects.toMatchObject({
      code: 'store_unavailable',
    });
    expect(await onion(taint).call(callOf('web', 'write'))).toBe(ANSWER);
  });

  it('refuses what changes something where nobody can say what was read', async () => {
    const taint: Taint = {
      active: true,
      mark: async () => undefined,
      read: async () => undefined,
      reason: async () => Promise.reject(new ToolcribError('store_unavailable', 'm')),
    };
    const { call, seen } = onion(taint);
    await expect(call(callOf('own', 'write'))).rejects.toMatchObject({ code: 'store_unavailable' });
    expect(seen).toEqual([]);
  });
});

describe('what a person is asked for', () => {
  const need = { reason: 'The policy asks for every write.', standing: 'tool' } as const;
  it('is what it was without taint', () => {
    expect(taintedNeed(need, undefined)).toBe(need);
    expect(taintedNeed(undefined, undefined)).toBeUndefined();
  });
  it('is asked anew each time with it: no earlier decision covers it', () => {
    expect(taintedNeed(undefined, 'Read.')).toEqual({ reason: 'Read.', standing: 'never' });
    expect(taintedNeed(need, 'Read.')).toEqual({
      reason: 'The policy asks for every write. Read.',
      standing: 'never',
    });
  });
});
