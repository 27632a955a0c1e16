import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { type AskedCall, createGate, type GateParts } from '../../src/approvals/gate.ts';
import { DEFAULT_APPROVALS } from '../../src/config/settings/approvals.ts';
import { takenBack } from '../../src/operations/work/taken-back.ts';
import { approvalBench, OPERATOR } from './support/approval-bench.ts';

const APPROVE = { decision: 'approve' } as const;
const LONG = 60_000;

/** A call that a person is asked about. */
const CALL: AskedCall = {
  key: {
    principal: 'ann',
    organisation: 'acme',
    run: 'r',
    tool: 't',
    source: 's',
    operation: 'o',
    argumentsHash: 'h',
  },
  need: { reason: 'Why.', standing: 'tool' },
  call: 'c',
  source: 's',
  operation: 'o',
  access: 'write',
  definition: 'd',
  arguments: {},
};

const start = async () => {
  const bench = approvalBench();
  const { approval: id } = await bench.told({ id: 1 });
  const { gate } = bench.approvals;
  const asked = (await gate.get(id))!;
  const approve = () => bench.approvals.decide(id, APPROVE, OPERATOR);
  const wait = (signal = new AbortController().signal, changes: Partial<typeof asked> = {}) =>
    gate.decided({ ...asked, ...changes }, LONG, signal);
  return { bench, gate, id, asked, approve, wait };
};

describe('calls that wait for a person', () => {
  it('of one caller keep no other caller from waiting, also none of the same name elsewhere', async () => {
    const { approve, wait } = await start();
    const waiting = Array.from({ length: 50 }, () => wait());
    const toldAtOnce = wait();
    const others = [wait(undefined, { principal: 'bob' }), wait(undefined, { organisation: 'other' })];
    await approve();
    expect(await toldAtOnce).toMatchObject({ state: 'pending' });
    for (const one of [...waiting, ...others]) expect(await one).toMatchObject({ state: 'approved' });
  });

  it('are no more than so many of all callers', async () => {
    const { approve, wait } = await start();
    const waiting = Array.from({ length: 200 }, (_, at) => wait(undefined, { principal: `p${at % 4}` }));
    const toldAtOnce = wait(undefined, { principal: 'p4' });
    await approve();
    expect(await toldAtOnce).toMatchObject({ state: 'pending' });
    for (const one of waiting) expect(await one).toMatchObject({ state: 'approved' });
  });

  it('keep their question while one of them still waits', async () => {
    const { approve, wait } = await start();
    const [first, second] = [new AbortController(), new AbortController()];
    const gone = wait(first.signal);
    const stays = wait(second.signal);
    first.abort(takenBack('Not wanted any more.'));
    await expect(gone).rejects.toMatchObject({ code: 'cancelled' });
    await approve();
    expect(await stays).toMatchObject({ state: 'approved' });
  });

  it('take their question with them, and an equal call asks anew', async () => {
    const { bench, gate, id, wait } = await start();
    const caller = new AbortController();
    const gone = wait(caller.signal);
    caller.abort(takenBack('Not wanted any more.'));
    await expect(gone).rejects.toMatchObject({ code: 'cancelled' });
    expect(await gate.get(id)).toMatchObject({ state: 'denied' });
    const { code, approval } = await bench.told({ id: 1 });
    expect(code).toBe('approval_required');
    expect(approval).not.toBe(id);
  });

  it('are told that the time has passed', async () => {
    const { bench, wait } = await start();
    bench.now += bench.policy.expiresMs;
    expect(await wait()).toMatchObject({ state: 'expired' });
    expect(bench.events.at(-1)).toMatchObject({ type: 'approval-void', state: 'expired' });
  });
});

describe('the gate', () => {
  it('gives an approval as time has left it', async () => {
    const { bench, gate, id } = await start();
    bench.now += bench.policy.expiresMs;
    expect(await gate.get(id)).toMatchObject({ state: 'expired' });
  });

  it('goes on with what is approved before what is pending, whichever is newer', async () => {
    const { bench, gate } = await start();
    const older = await gate.ask(CALL);
    await gate.ask(CALL);
    await bench.approvals.decide(older.id, APPROVE, OPERATOR);
    expect((await gate.find(CALL.key))?.id).toBe(older.id);
  });

  it('writes down no end that did not happen', async () => {
    const { bench, gate, asked } = await start();
    const before = bench.events.length;
    await gate.finish(asked, 'executed', 'c');
    expect(bench.events).toHaveLength(before);
    await gate.void(asked, 'It no longer fits.');
    await gate.void(asked, 'It no longer fits.');
    await gate.withdraw(asked);
    expect(bench.events.slice(before)).toEqual([
      expect.objectContaining({ type: 'approval-void', state: 'stale' }),
    ]);
  });

  it('asks nobody by a question, or an event of it, that was not kept', async () => {
    const full = async () => Promise.reject(new Error('The disk is full.'));
    const done = async () => undefined;
    const noted: string[] = [];
    const gateOf = (insert: () => Promise<undefined>, note: (type: string) => Promise<undefined>) =>
      createGate({
        records: { countPending: async () => 0, insert },
        policy: () => DEFAULT_APPROVALS,
        policyHash: () => 'p',
        redact: (args: object) => args,
        now: () => 0,
        note,
      } as unknown as GateParts);
    const noting = async (type: string) => void noted.push(type);
    await expect(gateOf(full, noting as typeof done).ask(CALL)).rejects.toThrow('The disk is full.');
    expect(noted).toEqual([]);
    await expect(gateOf(done, full).ask(CALL)).rejects.toThrow('The disk is full.');
  });

  it('counts the questions of one caller one after the other, and keeps no other caller waiting', async () => {
    const busy = new Map<string, number>();
    let most = 0;
    let answer = () => {};
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const gate = createGate({
      records: {
        async countPending({ principal }: { principal: string }) {
          busy.set(principal, (busy.get(principal) ?? 0) + 1);
          most = Math.max(most, busy.get(principal)!);
          await setImmediate();
          return 0;
        },
        async insert({ principal }: { principal: string }) {
          if (principal === 'slow') await held;
          busy.set(principal, busy.get(principal)! - 1);
        },
      },
      policy: () => DEFAULT_APPROVALS,
      policyHash: () => 'p',
      redact: (args: object) => args,
      now: () => 0,
      note: async () => undefined,
    } as unknown as GateParts);
    const ask = (principal: string) => gate.ask({ ...CALL, key: { ...CALL.key, principal } });
    const slow = ask('slow');
    const asked = [ask('ann'), ask('ann')];
    await asked[0];
    await Promise.all([...asked, ask('ann')]);
    expect(most).toBe(1);
    answer();
    await slow;
  });

  it('uses nothing that was approved too long ago', async () => {
    const { bench, gate, id, approve } = await start();
    await approve();
    bench.now += bench.policy.expiresMs;
    expect(await gate.use(id, 'c')).toBeUndefined();
  });
});
