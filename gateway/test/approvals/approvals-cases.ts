import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Decider } from '../../src/approvals/index.ts';
import { entryOf } from '../../src/events/event-rows.ts';
import type { Principal } from '../../src/operations/index.ts';
import type { Store } from '../../src/store/store.ts';
import fc from '../properties.ts';
import { callEnded, callStarted } from '../store/support/records.ts';
import { ADD_ITEM, ANN, approvalBench, BOB, EVERYTHING, OPERATOR } from './support/approval-bench.ts';

const APPROVE = { decision: 'approve' } as const;
const REJECT = { decision: 'reject' } as const;
const person = (principal: Principal, roles: readonly string[], purpose?: 'approve'): Decider => ({
  kind: 'user',
  channel: 'http',
  principal: purpose === undefined ? principal : { ...principal, purpose },
  roles,
});

/** What holds of approvals wherever they are kept; `open` gives another process's view of the same store. */
export function approvalsCases(open: () => Promise<Store | undefined>): void {
  const start = async () => approvalBench(await open());
  const pending = async () => {
    const bench = await start();
    return { bench, id: (await bench.told({ id: 1 })).approval };
  };

  describe('lists', () => {
    it('go on behind an approval, of equal moments by id, and count what waits', async () => {
      const bench = await start();
      const made: string[] = [];
      for (let id = 1; id <= 5; id++) {
        // two of a moment
        if (id % 2 === 1) bench.now += 10;
        made.push((await bench.told({ id })).approval);
      }
      await bench.approvals.decide(made[0]!, REJECT, OPERATOR);
      const all = (await bench.approvals.list(EVERYTHING)).map(({ id }) => id);
      expect(all.map((id) => Math.floor(made.indexOf(id) / 2))).toEqual([2, 1, 1, 0, 0]);
      const paged: string[] = [];
      let before: string | undefined;
      do {
        const { approvals, next } = await bench.approvals.page(EVERYTHING, {
          limit: 2,
          ...(before === undefined ? {} : { before }),
        });
        paged.push(...approvals.map(({ id }) => id));
        before = next;
      } while (before !== undefined);
      expect(paged).toEqual(all);
      expect(await bench.approvals.countPending(EVERYTHING)).toBe(4);
      expect(await bench.approvals.countPending({ kind: 'user', principal: BOB, roles: [] })).toBe(0);
      expect(await bench.approvals.countPending({ kind: 'user', principal: BOB, roles: ['admin'] })).toBe(4);
      bench.now += bench.policy.expiresMs + 1;
      expect(await bench.approvals.countPending(EVERYTHING)).toBe(0);
    });

    it('hold one tool and one caller', async () => {
      const bench = await start();
      bench.policy = { ...bench.policy, write: 'ask' };
      const { approval } = await bench.told({ id: 1 });
      const added = (await bench.told({ id: 1 }, { operation: ADD_ITEM, principal: BOB })).approval;
      const idsOf = async (query: object) =>
        (await bench.approvals.page(EVERYTHING, query)).approvals.map(({ id }) => id);
      expect(await idsOf({ tool: 'stock_deleteItem' })).toEqual([approval]);
      expect(await idsOf({ principal: 'bob' })).toEqual([added]);
      expect(await idsOf({ principal: 'bob', tool: 'stock_deleteItem' })).toEqual([]);
      const own = { kind: 'user', principal: ANN, roles: [] } as const;
      expect((await bench.approvals.page(own, { principal: 'bob' })).approvals).toEqual([]);
      expect((await bench.approvals.page(own, { principal: 'ann' })).approvals).toHaveLength(1);
    });
  });

  describe('who decides', () => {
    const elsewhere = { ...BOB, organisation: 'other' };
    it.each<[string, Decider | ((id: string) => Decider), string]>([
      ['the owner of the machine', OPERATOR, 'approved'],
      ['who has its link', (id) => ({ kind: 'link', approval: id }), 'approved'],
      [
        'who has the link of another',
        { kind: 'link', approval: randomBytes(16).toString('hex') },
        'approval_unknown',
      ],
      ["the caller's person", { kind: 'caller', principal: ANN }, 'approved'],
      ["another caller's person", { kind: 'caller', principal: BOB }, 'approval_unknown'],
      [
        'the person of a caller of the same name elsewhere',
        { kind: 'caller', principal: { ...ANN, organisation: 'other' } },
        'approval_unknown',
      ],
      ['an approver with a key for it', person(BOB, ['admin'], 'approve'), 'approved'],
      ['an approver with an ordinary key', person(BOB, ['admin']), 'approval_forbidden'],
      ['somebody without the role', person(BOB, ['reader'], 'approve'), 'approval_unknown'],
      ['a role that only looks alike', person(BOB, ['Admin '], 'approve'), 'approval_unknown'],
      ["an approver's own call", person(ANN, ['admin'], 'approve'), 'approval_forbidden'],
      ['an approver of another organisation', person(elsewhere, ['admin'], 'approve'), 'approval_unknown'],
      [
        'an approver whose key is limited to its source',
        person({ ...BOB, sources: [], decides: ['stock'] }, ['admin'], 'approve'),
        'approved',
      ],
      [
        'an approver whose key is limited to others',
        person({ ...BOB, sources: [], decides: ['shop'] }, ['admin'], 'approve'),
        'approval_unknown',
      ],
      [
        'a user of none',
        person({ id: 'bob', kind: 'user', maxAccess: 'delete', roles: [] }, ['admin'], 'approve'),
        'approval_unknown',
      ],
    ])('%s', async (_, decider, expected) => {
      const { bench, id } = await pending();
      const by = typeof decider === 'function' ? decider(id) : decider;
      const outcome = await bench.approvals.decide(id, APPROVE, by).then(
        ({ state }) => state,
        (error: { code: string }) => error.code,
      );
      expect(outcome).toBe(expected);
      const { state } = await bench.approvals.get(id, EVERYTHING);
      expect(state).toBe(expected === 'approved' ? 'approved' : 'pending');
    });

    it('gives a link to who may decide, while there is something to decide', async () => {
      const { bench, id } = await pending();
      const link = (by: Parameters<typeof bench.approvals.link>[1]) =>
        bench.approvals.link(id, by).catch(({ code }: { code: string }) => code);
      const viewer = (principal: Principal, roles: readonly string[], purpose?: 'approve') =>
        ({ kind: 'user', principal: { ...principal, ...(purpose && { purpose }) }, roles }) as const;
      expect(await link(viewer(ANN, []))).toBe('approval_forbidden');
      expect(await link(viewer(ANN, ['admin'], 'approve'))).toBe('approval_forbidden');
      expect(await link(viewer(BOB, ['admin']))).toBe('approval_forbidden');
      expect(await link(viewer(BOB, [], 'approve'))).toBe('approval_unknown');
      expect(await link(viewer(BOB, ['admin'], 'approve'))).toMatch(/^\/approve\//);
      expect(await link(EVERYTHING)).toMatch(/^\/approve\//);
      await bench.approvals.decide(id, REJECT, OPERATOR);
      expect(await link(EVERYTHING)).toBe('approval_decided');
    });

    it('says the same of an id that nobody has', async () => {
      const { bench, id } = await pending();
      const other = randomBytes(16).toString('hex');
      const by = person({ ...BOB, organisation: 'other' }, ['admin'], 'approve');
      const errors = await Promise.all(
        [id, other].map((one) =>
          bench.approvals.decide(one, APPROVE, by).catch(({ message }: Error) => message),
        ),
      );
      expect(errors[0]).toBe((errors[1] as unknown as string).replace(other, id));
      await bench.approvals.decide(id, REJECT, OPERATOR);
      await expect(bench.approvals.decide(id, APPROVE, by)).rejects.toMatchObject({
        code: 'approval_unknown',
      });
    });

    it('decides once', async () => {
      const { bench, id } = await pending();
      const outcomes = await Promise.allSettled([
        bench.approvals.decide(id, APPROVE, OPERATOR),
        bench.approvals.decide(id, REJECT, OPERATOR),
        bench.approvals.decide(id, APPROVE, OPERATOR),
      ]);
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      await expect(bench.approvals.decide(id, APPROVE, OPERATOR)).rejects.toMatchObject({
        code: 'approval_decided',
      });
    });

    it('answers with what is shown, and writes down who said what', async () => {
      const { bench, id } = await pending();
      const rejected = await bench.approvals.decide(id, { decision: 'reject', reason: 'No.' }, OPERATOR);
      expect(rejected).toEqual(await bench.approvals.get(id, EVERYTHING));
      expect(rejected).toMatchObject({ state: 'denied', note: 'No.', decidedBy: 'root', channel: 'cli' });
      expect(bench.events.at(-1)).toMatchObject({
        type: 'approval-decided',
        approval: id,
        state: 'denied',
        message: 'Rejected.',
      });
      const { approval } = await bench.told({ id: 2 });
      const edited = await bench.approvals.decide(
        approval,
        { decision: 'edit', arguments: { id: 987_654 } },
        OPERATOR,
      );
      expect(edited).toEqual(await bench.approvals.get(approval, EVERYTHING));
    });

    it('by a link, as long as there is something to decide', async () => {
      const { bench, id } = await pending();
      const token = (await bench.approvals.link(id, EVERYTHING)).slice('/approve/'.length);
      expect((await bench.approvals.linked(token)).id).toBe(id);
      bench.now += bench.policy.expiresMs;
      const late = { code: 'approval_unknown' };
      await expect(bench.approvals.linked(token)).rejects.toMatchObject(late);
      await expect(bench.approvals.decideLinked(token, APPROVE)).rejects.toMatchObject(late);
    });

    it('tries an edit only of what is not decided yet', async () => {
      const { bench, id } = await pending();
      await bench.approvals.checkEdit(id, { id: 2 }, EVERYTHING);
      await bench.approvals.decide(id, REJECT, OPERATOR);
      await expect(bench.approvals.checkEdit(id, { id: 2 }, EVERYTHING)).rejects.toMatchObject({
        code: 'approval_decided',
      });
    });

    it('decides in time', async () => {
      const { bench, id } = await pending();
      bench.now += 600_000;
      await expect(bench.approvals.decide(id, APPROVE, OPERATOR)).rejects.toMatchObject({
        code: 'approval_expired',
      });
      expect(bench.events.at(-1)).toMatchObject({ type: 'approval-void', approval: id, state: 'expired' });
    });
  });

  it('shows an approver the organisation, users their own, and nobody what was edited', async () => {
    const bench = await start();
    const mine = await bench.told({ id: 1 });
    const others = await bench.told({ id: 2 }, { principal: BOB });
    await bench.told({ id: 3 }, { principal: { ...BOB, organisation: 'other' } });
    const as = (principal: Principal, roles: readonly string[]) =>
      ({ kind: 'user', principal, roles }) as const;
    const ids = async (viewer: Parameters<typeof bench.approvals.list>[0]) =>
      (await bench.approvals.list(viewer)).map(({ id }) => id).sort();
    expect(await ids(as(ANN, []))).toEqual([mine.approval]);
    expect(await ids(as(ANN, ['admin']))).toEqual([mine.approval, others.approval].sort());
    expect(await ids(EVERYTHING)).toHaveLength(3);
    expect((await bench.approvals.get(others.approval, as(ANN, ['admin']))).principal).toBe('bob');
    await expect(bench.approvals.get(others.approval, as(ANN, []))).rejects.toMatchObject({
      code: 'approval_unknown',
    });
    await bench.approvals.decide(mine.approval, { decision: 'edit', arguments: { id: 987_654 } }, OPERATOR);
    expect(JSON.stringify(await bench.approvals.get(mine.approval, EVERYTHING))).not.toContain('987654');
  });

  it('shows a key that is limited to sources nothing of others', async () => {
    const bench = await start();
    const { approval } = await bench.told({ id: 1 });
    const by = (sources: readonly string[]) =>
      ({ kind: 'user', principal: { ...ANN, sources }, roles: [] }) as const;
    await bench.approvals.decide(approval, { decision: 'approve_always' }, OPERATOR);
    await bench.told({ id: 2 });
    for (const sources of [['shop', 'stock'], ['shop'], []]) {
      const viewer = by(sources);
      const found = sources.includes('stock') ? 1 : 0;
      expect(await bench.approvals.list(viewer)).toHaveLength(2 * found);
      expect(await bench.approvals.list(viewer, { source: 'stock' })).toHaveLength(2 * found);
      expect(await bench.approvals.list(viewer, { source: 'shop' })).toEqual([]);
      expect(await bench.approvals.countPending(viewer)).toBe(found);
      expect(await bench.approvals.standing(viewer)).toHaveLength(found);
    }
    const { id } = (await bench.approvals.standing(EVERYTHING))[0]!;
    const unknown = { code: 'approval_unknown' };
    await expect(bench.approvals.get(approval, by(['shop']))).rejects.toMatchObject(unknown);
    await expect(bench.approvals.revoke(id, by(['shop']))).rejects.toMatchObject(unknown);
    expect(await bench.approvals.revoke(id, by(['stock']))).toMatchObject({ id });
    expect(bench.events.slice(-2)).toMatchObject([
      { type: 'approval-void', approval, decidedBy: 'ann' },
      { type: 'approval-void', approval, state: 'stale' },
    ]);
  });

  it('shows who belongs to no organisation the own ones, whatever their role', async () => {
    const bench = await start();
    const { organisation: _none, ...free } = ANN;
    await bench.told({ id: 1 }, { principal: { ...free, id: 'token' } });
    const viewer = { kind: 'user', principal: free, roles: ['admin'] } as const;
    expect(await bench.approvals.list(viewer)).toEqual([]);
    expect(await bench.approvals.countPending(viewer)).toBe(0);
    expect(await bench.approvals.standing(viewer)).toEqual([]);
  });

  it('finds the agreement about these arguments beside one about all, where the policy takes that alone', async () => {
    const bench = await start();
    const operation = { ...ADD_ITEM, id: 'takeItem', access: 'delete' } as const;
    const always = async () => {
      const { approval } = await bench.told({ id: 1 }, { operation });
      await bench.approvals.decide(approval, { decision: 'approve_always' }, OPERATOR);
      await bench.call({ id: 1 }, { operation });
    };
    const { policy } = bench;
    bench.policy = { ...policy, rules: [{ action: 'ask', tool: 'stock_takeItem' }] };
    await always();
    bench.policy = policy;
    await always();
    await bench.call({ id: 1 }, { operation });
    expect(bench.runs).toHaveLength(3);
    expect(await bench.told({ id: 2 }, { operation })).toMatchObject({ code: 'approval_required' });
  });

  it('keeps nothing that was edited once the call has run', async () => {
    const bench = await start();
    const { approval } = await bench.told({ id: 1 });
    await bench.approvals.decide(approval, { decision: 'edit', arguments: { id: 2 } }, OPERATOR);
    expect(await bench.approvals.gate.get(approval)).toMatchObject({ edited: { id: 2 } });
    await bench.call({ id: 1 });
    expect(bench.runs).toEqual([{ id: 2 }]);
    expect(await bench.approvals.gate.get(approval)).not.toHaveProperty('edited');
  });

  it('knows no approval behind a link that is none', async () => {
    const { approvals } = await start();
    const unknown = { code: 'approval_unknown' };
    await expect(approvals.linked('nothing')).rejects.toMatchObject(unknown);
    await expect(approvals.decideLinked('nothing', APPROVE)).rejects.toMatchObject(unknown);
  });

  it('runs nothing by an approval of which the standing part was taken back before', async () => {
    const bench = await start();
    bench.policy = { ...bench.policy, write: 'ask' };
    const { approval } = await bench.told({ id: 1 }, { operation: ADD_ITEM });
    await bench.approvals.decide(approval, { decision: 'approve_always' }, OPERATOR);
    const [given] = await bench.approvals.standing(EVERYTHING);
    await bench.approvals.revoke(given!.id, EVERYTHING);
    expect(bench.events.at(-1)).toMatchObject({ type: 'approval-void', approval, state: 'stale' });
    expect(await bench.told({ id: 1 }, { operation: ADD_ITEM })).toMatchObject({ code: 'approval_void' });
    expect(bench.runs).toEqual([]);
  });

  it('leaves nothing behind of what was dangerous, whatever the person chose', async () => {
    const bench = await start();
    const operation = { ...ADD_ITEM, enabledDangerous: true as const };
    const { approval } = await bench.told({ id: 1 }, { operation });
    await bench.approvals.decide(approval, { decision: 'approve_always' }, OPERATOR);
    expect(bench.events.at(-1)).toMatchObject({ type: 'approval-decided', message: 'Approved.' });
    expect(await bench.approvals.standing(EVERYTHING)).toEqual([]);
    await bench.call({ id: 1 }, { operation });
    expect(await bench.told({ id: 1 }, { operation })).toMatchObject({ code: 'approval_required' });
  });

  it('checks edited arguments at once where the tool is known', async () => {
    const bench = approvalBench(await open(), {
      checkEdit: async () => {
        throw new Error('does not fit');
      },
    });
    const { approval } = await bench.told({ id: 1 });
    const edit = { decision: 'edit', arguments: { id: 2 } } as const;
    await expect(bench.approvals.decide(approval, edit, OPERATOR)).rejects.toThrow('does not fit');
    expect((await bench.approvals.get(approval, EVERYTHING)).state).toBe('pending');
  });

  it('ends what has expired, and keeps nothing that was edited', async () => {
    const bench = await start();
    const { approval } = await bench.told({ id: 1 });
    await bench.approvals.decide(approval, { decision: 'edit', arguments: { id: 2 } }, OPERATOR);
    bench.now += 600_000;
    expect(await bench.approvals.sweep()).toBe(1);
    expect(bench.events.at(-1)).toEqual(
      expect.objectContaining({ type: 'approval-void', approval, state: 'expired' }),
    );
    expect(bench.events.at(-1)).not.toHaveProperty('call');
    expect(await bench.approvals.sweep()).toBe(0);
    expect((await bench.approvals.get(approval, EVERYTHING)).state).toBe('expired');
    expect(await bench.approvals.gate.get(approval)).not.toHaveProperty('edited');
    expect(await bench.approvals.prune(bench.now)).toBe(1);
  });

  // property: whatever happens in whatever order, one approval is one run at most, with arguments that were agreed to
  it('never runs twice for one approval, in any order of events', async () => {
    const call = fc.record({
      do: fc.constant('call' as const),
      id: fc.integer({ min: 1, max: 2 }),
      named: fc.boolean(),
    });
    const decide = fc.record({
      do: fc.constant('decide' as const),
      pick: fc.nat(1),
      how: fc.constantFrom('approve', 'approve', 'edit', 'reject', 'approve_always'),
    });
    const advance = fc.record({ do: fc.constant('advance' as const), ms: fc.constantFrom(1000, 700_000) });
    const step = fc.oneof(
      { weight: 8, arbitrary: call },
      { weight: 6, arbitrary: decide },
      { weight: 1, arbitrary: advance },
      { weight: 1, arbitrary: fc.constant({ do: 'policy' as const }) },
    );
    // one order of events that is certain to carry something out
    const asking = { do: 'call' as const, id: 1, named: false };
    const agreeing = { do: 'decide' as const, pick: 0, how: 'approve' as const };
    let carriedOut = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(step, { minLength: 1, maxLength: 5 }), { minLength: 4, maxLength: 10 }),
        async (rounds) => {
          const bench = await start();
          let known: string[] = [];
          const play = async (one: typeof step extends fc.Arbitrary<infer T> ? T : never) => {
            switch (one.do) {
              case 'call': {
                const [named] = one.named ? known : [];
                const channel = named === undefined ? {} : { approval: named };
                return bench.call({ id: one.id }, { channel });
              }
              case 'decide': {
                const target = known[one.pick % Math.max(known.length, 1)];
                if (target === undefined) return undefined;
                const decision =
                  one.how === 'edit'
                    ? { decision: 'edit' as const, arguments: { id: 9 } }
                    : { decision: one.how as 'approve' };
                return bench.approvals.decide(target, decision, OPERATOR);
              }
              case 'advance':
                bench.now += one.ms;
                return undefined;
              default:
                bench.policy = { ...bench.policy, approvers: [...bench.policy.approvers, 'x'] };
                return undefined;
            }
          };
          for (const round of rounds) {
            await Promise.allSettled(round.map(play));
            known = (await bench.approvals.list(EVERYTHING)).map(({ id }) => id);
          }
          const all = await bench.approvals.list(EVERYTHING);
          const used = all.filter(({ state }) => state === 'executed').map(({ id }) => id);
          const runs = bench.calls.flatMap(({ approval }) => approval ?? []);
          carriedOut += runs.length;
          expect(runs.toSorted()).toEqual(used.toSorted());
          for (const { approval, arguments: args } of bench.calls) {
            if (approval !== undefined) {
              const { preview } = all.find(({ id }) => id === approval)!;
              expect([preview, { id: 9 }]).toContainEqual(args);
            }
          }
          for (const { approval, arguments: args } of bench.calls) {
            // without one of its own, only what a person approved from then on
            if (approval === undefined) {
              const standing = await bench.approvals.standing(EVERYTHING);
              expect(standing.length).toBeGreaterThan(0);
              expect(all.map(({ preview }) => preview)).toContainEqual(args);
            }
          }
          await bench.approvals.prune(Number.MAX_SAFE_INTEGER);
          for (const { id } of await bench.approvals.standing(EVERYTHING))
            await bench.approvals.revoke(id, EVERYTHING);
        },
      ),
      { numRuns: 25, examples: [[[[asking], [agreeing], [asking]]]] },
    );
    expect(carriedOut).toBeGreaterThan(0);
  });
}

/** What holds between processes that share a store. */
export function sharedApprovalsCases(open: () => Promise<Store>): void {
  it('is decided in another process, and its caller hears of it', async () => {
    const [one, two] = [approvalBench(await open()), approvalBench(await open())];
    const going = one.call({ id: 1 }, { channel: { waitMs: 30_000 } });
    await expect.poll(async () => (await two.approvals.list(EVERYTHING)).length).toBe(1);
    const [{ id } = { id: '' }] = await two.approvals.list(EVERYTHING);
    await two.approvals.decide(id, APPROVE, OPERATOR);
    await going;
    expect(one.runs).toEqual([{ id: 1 }]);
  });

  it('is used by one of two processes', async () => {
    const [one, two] = [approvalBench(await open()), approvalBench(await open())];
    const { approval } = await one.told({ id: 1 });
    await one.approvals.decide(approval, APPROVE, OPERATOR);
    await Promise.allSettled([one, two].flatMap((bench) => [bench.call({ id: 1 }), bench.call({ id: 1 })]));
    expect(one.runs.length + two.runs.length).toBe(1);
  });

  it('has links and request states that every process can check', async () => {
    const [one, two] = [approvalBench(await open()), approvalBench(await open())];
    const { approval } = await one.told({ id: 1 });
    const token = (await one.approvals.link(approval, EVERYTHING)).split('/').at(-1)!;
    expect((await two.approvals.linked(token)).id).toBe(approval);
    await two.approvals.decideLinked(token, REJECT);
    await expect(one.approvals.decideLinked(token, APPROVE)).rejects.toMatchObject({
      code: 'approval_decided',
    });
    const keys = await Promise.all([one, two].map(({ approvals }) => approvals.requestKey()));
    expect(Buffer.from(keys[0]!).equals(Buffer.from(keys[1]!))).toBe(true);
    expect(keys[0]).toHaveLength(32);
  });

  it('ends as failed when the process that used it is gone', async () => {
    const store = await open();
    const bench = approvalBench(store);
    const { approval } = await bench.told({ id: 1 });
    await bench.approvals.decide(approval, APPROVE, OPERATOR);
    await bench.approvals.gate.use(approval, 'c1');
    expect(await bench.approvals.sweep()).toBe(0);
    const time = Date.now();
    await store.append([
      entryOf(callStarted('c1'), time, store.process),
      entryOf(callEnded('c1', { type: 'call-failed', code: 'outcome_unknown' }), time, store.process),
    ]);
    expect(await bench.approvals.sweep()).toBe(1);
    expect((await bench.approvals.get(approval, EVERYTHING)).state).toBe('failed');
    expect(bench.events.at(-1)).toMatchObject({
      type: 'approval-used',
      approval,
      state: 'failed',
      call: 'c1',
    });
  });
}
