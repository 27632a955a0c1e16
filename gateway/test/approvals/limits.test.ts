import { describe, expect, it } from 'vitest';
import { ANN, approvalBench, BOB, EVERYTHING } from './support/approval-bench.ts';

const MOST_PENDING = 200;
const MOST_WAITING_EACH = 50;

describe('questions that are open', () => {
  it('are no more than so many of one caller, however many come at once', async () => {
    const bench = approvalBench();
    const told = await Promise.all(
      Array.from({ length: MOST_PENDING + 5 }, (_, id) => bench.told({ id }, { principal: ANN })),
    );
    const codes = Map.groupBy(told, ({ code }) => code);
    expect([...codes].map(([code, { length }]) => [code, length])).toEqual([
      ['approval_required', MOST_PENDING],
      ['overloaded', 5],
    ]);
    const { approvals, told: ask } = bench;
    expect(await approvals.countPending(EVERYTHING)).toBe(MOST_PENDING);
    // others are asked about, also who has the same name elsewhere
    for (const principal of [BOB, { ...ANN, organisation: 'other' }])
      expect(await ask({ id: 1 }, { principal })).toMatchObject({ code: 'approval_required' });
    bench.now += bench.policy.expiresMs;
    expect(await ask({ id: 1000 }, { principal: ANN })).toMatchObject({ code: 'approval_required' });
  });

  it('show no secret', async () => {
    const hide = (value: unknown) => JSON.parse(JSON.stringify(value).replaceAll('s3cret', '[redacted]'));
    const bench = approvalBench(undefined, { redact: hide });
    const { approval } = await bench.told({ id: 1, note: 'with s3cret' });
    const { preview } = await bench.approvals.get(approval, EVERYTHING);
    expect(preview).toEqual({ id: 1, note: 'with [redacted]' });
  });
});

describe('calls that wait for a person', () => {
  it('are no more than so many of one caller; the next is told at once that it waits for one', async () => {
    const { approvals, told } = approvalBench();
    const { approval: id } = await told({ id: 1 });
    const asked = (await approvals.gate.get(id))!;
    const callers = new AbortController();
    const wait = (signal: AbortSignal) => approvals.gate.decided(asked, 60_000, signal);
    const all = Array.from({ length: MOST_WAITING_EACH }, () => wait(callers.signal));
    expect(await wait(new AbortController().signal)).toMatchObject({ state: 'pending' });
    callers.abort();
    for (const { status } of await Promise.allSettled(all)) expect(status).toBe('rejected');
    // their places are free again
    const next = new AbortController();
    const waiting = wait(next.signal);
    next.abort();
    await expect(waiting).rejects.toMatchObject({ code: 'cancelled' });
  });
});
