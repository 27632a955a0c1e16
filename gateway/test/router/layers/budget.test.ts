import { describe, expect, it, vi } from 'vitest';
import { ToolcribError } from '../../../src/errors.ts';
import type { Call, Result } from '../../../src/operations/index.ts';
import { LOCAL_PRINCIPAL } from '../../../src/operations/index.ts';
import { budgetsOf } from '../../../src/router/budgets.ts';
import { memoryCounters } from '../../../src/router/budgets-memory.ts';
import { compose } from '../../../src/router/compose.ts';
import { budgetLayer } from '../../../src/router/layers/budget.ts';

const DAY = 86_400_000;

function callOf(more: Partial<Call> = {}): Call {
  return {
    id: 'c',
    principal: LOCAL_PRINCIPAL,
    tool: 'search',
    operation: {
      id: 'search',
      source: 'web',
      description: 'd',
      input: { type: 'object' },
      access: 'read',
      tags: [],
      safety: { network: true, file: false, destructive: false, idempotent: true, openWorld: true },
      budget: { calls: 2, bytes: 10_000 },
      invocation: { kind: 'function', function: 'search' },
    },
    arguments: {},
    deadline: Date.now() + 10_000,
    signal: new AbortController().signal,
    channel: {},
    dryRun: false,
    depth: 0,
    ...more,
  };
}

const answer: Result = { kind: 'completed', content: [{ type: 'text', text: 'ü' }] };

function onion(core: (call: Call) => Promise<Result>) {
  const counters = memoryCounters();
  const fault = vi.fn();
  const budgets = budgetsOf(() => [], counters);
  return { call: compose([budgetLayer(budgets, fault)], core), counters, fault };
}

describe('the budget layer', () => {
  it('lets as many calls through as there are, and then refuses before anything is done', async () => {
    const core = vi.fn(async () => answer);
    const { call } = onion(core);
    await call(callOf());
    await call(callOf());
    await expect(call(callOf())).rejects.toMatchObject({ code: 'budget_exceeded' });
    expect(core).toHaveBeenCalledTimes(2);
  });

  it('counts the bytes that the caller gets', async () => {
    const { call, counters } = onion(async () => answer);
    await call(callOf());
    const { used } = (await counters.list({}))[0]!;
    expect(used).toEqual({ calls: 1, usd: 0, bytes: '{"content":[{"type":"text","text":"xx"}]}'.length });
  });

  it('counts the bytes of an answer that says what went wrong', async () => {
    const { call, counters } = onion(async () => ({
      ...answer,
      error: { code: 'upstream_status', message: 'm' },
    }));
    await call(callOf());
    expect((await counters.list({}))[0]!.used.bytes).toBeGreaterThan(0);
  });

  it.each([
    'upstream_unreachable',
    'upstream_unavailable',
    'connection_suspended',
    'overloaded',
    'credentials_missing',
    'connection_missing',
    'reconnect_required',
    'authorization_required',
    'acting_user_missing',
    'path_blocked',
    'isolation_unavailable',
  ] as const)('gives a call back that ended as %s: it was never sent', async (code) => {
    const { call, counters } = onion(async () => Promise.reject(new ToolcribError(code, 'm')));
    await expect(call(callOf())).rejects.toMatchObject({ code });
    expect((await counters.list({}))[0]!.used).toMatchObject({ calls: 0, bytes: 0 });
    const told = onion(async () => ({ ...answer, error: { code, message: 'm' } }));
    expect(await told.call(callOf())).toMatchObject({ error: { code } });
    expect((await told.counters.list({}))[0]!.used).toMatchObject({ calls: 0, bytes: 0 });
  });

  it.each(['outcome_unknown', 'deadline_exceeded', 'upstream_failed', 'cancelled'] as const)(
    'counts a call that ended as %s: it may have been sent',
    async (code) => {
      const { call, counters } = onion(async () => Promise.reject(new ToolcribError(code, 'm')));
      await expect(call(callOf())).rejects.toMatchObject({ code });
      expect((await counters.list({}))[0]!.used.calls).toBe(1);
      const told = onion(async () => ({ ...answer, error: { code, message: 'm' } }));
      expect(await told.call(callOf())).toMatchObject({ error: { code } });
      expect((await told.counters.list({}))[0]!.used.calls).toBe(1);
    },
  );

  it('costs nothing for a dry run, nor where no budget covers the call', async () => {
    const { call, counters } = onion(async () => answer);
    const { budget: _none, ...operation } = callOf().operation;
    await call(callOf({ dryRun: true }));
    await call(callOf({ operation }));
    expect(await counters.list({})).toEqual([]);
  });

  it('counts bytes only where they have a limit', async () => {
    const rules = [{ name: 'calls', per: 'principal' as const, windowMs: DAY, calls: 100 }];
    const counters = memoryCounters();
    const addBytes = vi.fn(counters.addBytes);
    const call = compose(
      [
        budgetLayer(
          budgetsOf(() => rules, { ...counters, addBytes }),
          vi.fn(),
        ),
      ],
      async () => answer,
    );
    await call(callOf());
    const used = (await counters.list({})).map(({ budget, used: { bytes } }) => [budget, bytes > 0]);
    expect(used).toEqual([
      ['web/search', true],
      ['calls', false],
    ]);
    const { budget: _none, ...operation } = callOf().operation;
    await call(callOf({ operation }));
    expect(addBytes).toHaveBeenCalledOnce();
  });

  it('counts every round of a call that asks its client', async () => {
    const asking: Result = { kind: 'input_required', requests: {} };
    const { call, counters } = onion(async () => asking);
    await call(callOf());
    await call(callOf());
    await expect(call(callOf())).rejects.toMatchObject({ code: 'budget_exceeded' });
    expect((await counters.list({}))[0]!.used.calls).toBe(2);
  });

  it('gives the answer out although it could not be counted, and says so', async () => {
    const counters = memoryCounters();
    const broken = { ...counters, addBytes: () => Promise.reject(new Error('gone')) };
    const fault = vi.fn();
    const call = compose(
      [
        budgetLayer(
          budgetsOf(() => [], broken),
          fault,
        ),
      ],
      async () => answer,
    );
    expect(await call(callOf())).toBe(answer);
    expect(fault).toHaveBeenCalledOnce();
  });

  it('refuses when the counters cannot be asked', async () => {
    const reserve = () => Promise.reject(new ToolcribError('store_unavailable', 'm'));
    const rules = [{ name: 'all', per: 'principal' as const, windowMs: DAY, calls: 100 }];
    const budgets = budgetsOf(() => rules, { ...memoryCounters(), reserve });
    const core = vi.fn(async () => answer);
    const call = compose([budgetLayer(budgets, () => undefined)], core);
    await expect(call(callOf())).rejects.toMatchObject({ code: 'store_unavailable' });
    expect(core).not.toHaveBeenCalled();
    // what no budget covers does not ask them
    rules.pop();
    const { budget: _none, ...operation } = callOf().operation;
    expect(await call(callOf({ operation }))).toBe(answer);
  });
});
