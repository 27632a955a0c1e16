import { describe, expect, it } from 'vitest';
import type { CallStep } from '../../../../gateway/src/operations/index.ts';
import { callCommand } from '../../../src/pages/calls/call-command.ts';
import { detailOf, nameOf, waterfall } from '../../../src/pages/calls/steps.ts';

const step = (name: string, depth: number, more: Partial<CallStep> = {}): CallStep => ({
  name,
  depth,
  startMs: 0,
  durationMs: 100,
  ownMs: 0.1,
  outcome: 'passed',
  ...more,
});

describe('the waterfall of a call', () => {
  const steps = [
    step('authorise', 0),
    step('budget', 1),
    step('approve', 2, { ownMs: 60 }),
    step('execute', 3, { outcome: 'failed', startMs: 60, durationMs: 40 }),
    step('attempt', 4, {
      outcome: 'failed',
      startMs: 90,
      durationMs: 10,
      detail: { attempt: 2, status: 503 },
    }),
  ];

  it('shows what took time or failed, without holes, and counts the rest', () => {
    const { shown, quiet, total } = waterfall(steps, 100, false);
    expect(shown.map(({ step: { name }, level }) => [name, level])).toEqual([
      ['approve', 0],
      ['execute', 1],
      ['attempt', 2],
    ]);
    expect(quiet).toEqual({ count: 2, milliseconds: 0.2 });
    expect(total).toBe(100);
    expect(shown[2]).toMatchObject({ left: 90, width: 10 });
  });

  it('shows every layer on request', () => {
    expect(waterfall(steps, 100, true).shown.map(({ level }) => level)).toEqual([0, 1, 2, 3, 4]);
  });

  it('keeps bars within the axis and wide enough to be seen, for a call that took no time too', () => {
    const { shown } = waterfall(
      [step('execute', 0, { outcome: 'answered', startMs: 100, durationMs: 0 })],
      0,
      false,
    );
    expect(shown[0]!.left + shown[0]!.width).toBeLessThanOrEqual(100.001);
    expect(shown[0]!.width).toBeGreaterThan(0.5);
  });

  it('says attempts and details in words', () => {
    const again = step('attempt', 0, {
      detail: { attempt: 2, status: 200, waitedMs: 212.6, because: 'status 503' },
    });
    expect(nameOf(again)).toBe('Attempt 2');
    expect(detailOf(again)).toBe('status 200, after 213 ms, because of status 503');
    expect(nameOf(step('something new', 0))).toBe('something new');
    expect(detailOf(step('budget', 0, { detail: { code: 'budget_exceeded', budget: 'daily' } }))).toBe(
      'budget_exceeded, budget daily',
    );
  });
});

describe('a call as a command', () => {
  const called = (tool: string, operation = tool) => ({ tool, operation, source: 'shop' });

  it('is quoted so that a shell takes it as it is', () => {
    expect(callCommand(called('getOrder'), { note: "it's $(here)" })).toEqual({
      text: `npx toolcrib call getOrder '{"note":"it'\\''s $(here)"}'`,
      isWhole: true,
    });
    expect(callCommand(called('a tool; rm'), {}).text).toBe(`npx toolcrib call 'a tool; rm'`);
  });

  it('goes to the operation whose arguments these are', () => {
    expect(callCommand(called('call_endpoint', 'deletePet'), { id: 2 }).text).toBe(
      `npx toolcrib call shop/deletePet '{"id":2}'`,
    );
    expect(callCommand(called('shop_delete_pet', 'deletePet')).text).toBe(
      'npx toolcrib call shop_delete_pet',
    );
  });

  it('says so where arguments are hidden or cut', () => {
    for (const input of [{ key: '[redacted]' }, { a: 1, '…': 'cut' }, { a: ['xxx… (900 characters)'] }])
      expect(callCommand(called('t'), input).isWhole).toBe(false);
    expect(callCommand(called('t'), { a: 'wait… what' }).isWhole).toBe(true);
  });
});
