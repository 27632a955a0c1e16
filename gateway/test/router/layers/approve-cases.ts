import { describe, expect, it } from 'vitest';
import type { CompletedResult, InputRequiredResult, JsonObject } from '../../../src/operations/index.ts';
import type { Store } from '../../../src/store/store.ts';
import {
  ADD_ITEM,
  ANN,
  type ApprovalBench,
  approvalBench,
  BOB,
  DELETE_ITEM,
  EVERYTHING,
  OPERATOR,
} from '../../approvals/support/approval-bench.ts';

const APPROVE = { decision: 'approve' } as const;
const FORM = { elicitation: {} };

/** What holds wherever approvals are kept; `open` gives another process's view of the same store. */
export function approveCases(open: () => Promise<Store | undefined>): void {
  const start = async () => approvalBench(await open());
  const state = async ({ approvals }: ApprovalBench, id: string) =>
    (await approvals.get(id, EVERYTHING)).state;
  const asked = (result: unknown): InputRequiredResult => {
    expect(result).toMatchObject({ kind: 'input_required' });
    return result as InputRequiredResult;
  };
  const answering = (result: InputRequiredResult, answer: JsonObject) => ({
    channel: { clientCapabilities: FORM, requestState: result.state!, inputResponses: { approval: answer } },
  });

  describe('without a way to a person', () => {
    it('tells the caller once and the same again, and runs nothing', async () => {
      const bench = await start();
      const first = await bench.told({ id: 1 });
      expect(first).toEqual({ code: 'approval_required', approval: expect.stringMatching(/^[0-9a-f]{32}$/) });
      expect(await bench.told({ id: 1 })).toEqual(first);
      expect(bench.runs).toEqual([]);
      expect(bench.events.map(({ type }) => type)).toEqual(['approval-requested']);
    });

    it('asks about so many calls of one caller at a time, and no more', async () => {
      const bench = await start();
      const asked = Array.from({ length: 220 }, async (_, id) => (await bench.told({ id })).code);
      const codes = await Promise.all(asked);
      expect(codes.filter((code) => code === 'approval_required')).toHaveLength(200);
      expect((await bench.told({ id: 220 })).code).toBe('overloaded');
      expect((await bench.told({ id: 1 }, { principal: BOB })).code).toBe('approval_required');
      const { approval } = await bench.told({ id: 7 });
      await bench.approvals.decide(approval, { decision: 'reject' }, OPERATOR);
      expect((await bench.told({ id: 0 })).code).toBe('approval_required');
      bench.now += 600_001;
      expect((await bench.told({ id: 201 })).code).toBe('approval_required');
    });

    it('lets so many calls of one caller wait, and tells the others at once', async () => {
      const bench = await start();
      const ending = new AbortController();
      const channel = { waitMs: 60_000 };
      const waiting = Array.from({ length: 50 }, (_, id) =>
        bench.told({ id }, { channel, signal: ending.signal }),
      );
      await expect.poll(() => bench.events.length).toBe(50);
      const late = await bench.told({ id: 51 }, { channel });
      expect(late.code).toBe('approval_required');
      ending.abort();
      expect(new Set((await Promise.all(waiting)).map(({ code }) => code))).toEqual(new Set(['cancelled']));
      // who went away leaves the place to others
      const began = performance.now();
      await bench.told({ id: 51 }, { channel: { waitMs: 300 } });
      expect(performance.now() - began).toBeGreaterThan(290);
    });

    it('tells id, expiry and card, and no link', async () => {
      const bench = await start();
      const error = await bench.call({ id: 1 }).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({
        details: { state: 'pending', expiresAt: new Date(bench.now + 600_000).toISOString(), card: {} },
      });
      expect(JSON.stringify(error)).not.toContain('/approve/');
    });

    it('runs the repeated call once when it was approved, then asks anew', async () => {
      const bench = await start();
      const { approval } = await bench.told({ id: 1, note: 'x' });
      await bench.approvals.decide(approval, APPROVE, OPERATOR);
      await bench.call({ note: 'x', id: 1 });
      expect(bench.runs).toEqual([{ id: 1, note: 'x' }]);
      expect(bench.calls[0]?.approval).toBe(approval);
      expect(await state(bench, approval)).toBe('executed');
      const again = await bench.told({ id: 1, note: 'x' });
      expect(again.code).toBe('approval_required');
      expect(again.approval).not.toBe(approval);
      expect(bench.events.map(({ type, state: now }) => [type, now])).toEqual([
        ['approval-requested', 'pending'],
        ['approval-decided', 'approved'],
        ['approval-used', 'executed'],
        ['approval-requested', 'pending'],
      ]);
    });

    it('asks separately for equal calls of different runs', async () => {
      const bench = await start();
      const [one, two] = [
        await bench.told({ id: 1 }, { run: 'a' }),
        await bench.told({ id: 1 }, { run: 'b' }),
      ];
      expect(one.approval).not.toBe(two.approval);
    });

    it('says once that it was rejected, and why, then asks anew', async () => {
      const bench = await start();
      const { approval } = await bench.told({ id: 1 });
      await bench.approvals.decide(approval, { decision: 'reject', reason: 'Not on Fridays.' }, OPERATOR);
      expect(await bench.told({ id: 1 })).toEqual({ code: 'approval_rejected', approval });
      expect((await bench.told({ id: 1 })).code).toBe('approval_required');
      expect(bench.runs).toEqual([]);
    });

    it.each([
      ['undecided', false],
      ['approved but unused', true],
    ])('says once that it has expired: %s', async (_, approved) => {
      const bench = await start();
      const { approval } = await bench.told({ id: 1 });
      if (approved) await bench.approvals.decide(approval, APPROVE, OPERATOR);
      bench.now += 600_000;
      expect(await bench.told({ id: 1 })).toEqual({ code: 'approval_expired', approval });
      expect(await bench.told({ id: 1 })).toMatchObject({ code: 'approval_required' });
      expect(await state(bench, approval)).toBe('expired');
      expect(bench.runs).toEqual([]);
    });

    it('is void when the definition changed', async () => {
      const bench = await start();
      const { approval } = await bench.told({ id: 1 });
      await bench.approvals.decide(approval, APPROVE, OPERATOR);
      const operation = { ...DELETE_ITEM, description: 'Deletes everything.' };
      expect(await bench.told({ id: 1 }, { operation })).toEqual({ code: 'approval_void', approval });
      expect(await state(bench, approval)).toBe('stale');
      expect(bench.runs).toEqual([]);
    });

    it('is asked for anew when the definition changes before anybody decides', async () => {
      const bench = await start();
      const { approval } = await bench.told({ id: 1 });
      const operation = { ...DELETE_ITEM, description: 'Deletes everything.' };
      const again = await bench.told({ id: 1 }, { operation });
      expect(again.code).toBe('approval_required');
      expect(again.approval).not.toBe(approval);
      expect(await state(bench, approval)).toBe('stale');
      await expect(bench.approvals.decide(approval, APPROVE, OPERATOR)).rejects.toMatchObject({
        code: 'approval_decided',
      });
    });

    it('is void when the call would go to another account', async () => {
      const bench = await start();
      const { approval } = await bench.told({ id: 1 }, { account: 'con_1' });
      await bench.approvals.decide(approval, APPROVE, OPERATOR);
      expect((await bench.told({ id: 1 }, { account: 'con_2' })).code).toBe('approval_void');
    });

    it('is void when the policy changed', async () => {
      const bench = await start();
      const { approval } = await bench.told({ id: 1 });
      await bench.approvals.decide(approval, APPROVE, OPERATOR);
      bench.policy = { ...bench.policy, approvers: ['owner'] };
      expect((await bench.told({ id: 1 })).code).toBe('approval_void');
      expect(bench.events.at(-1)).toMatchObject({ type: 'approval-void', state: 'stale' });
    });

    it('is of no use when access was taken away meanwhile', async () => {
      const bench = await start();
      const { approval } = await bench.told({ id: 1 });
      await bench.approvals.decide(approval, APPROVE, OPERATOR);
      bench.reauthorise = async () => {
        throw new Error('taken away');
      };
      await expect(bench.call({ id: 1 })).rejects.toThrow('taken away');
      expect(bench.runs).toEqual([]);
    });

    it('serves one of several equal calls at once', async () => {
      const bench = await start();
      const { approval } = await bench.told({ id: 1 });
      await bench.approvals.decide(approval, APPROVE, OPERATOR);
      await Promise.allSettled(Array.from({ length: 5 }, () => bench.call({ id: 1 })));
      expect(bench.runs).toHaveLength(1);
    });

    it('is used up by a call that fails', async () => {
      const bench = await start();
      const { approval } = await bench.told({ id: 1 });
      await bench.approvals.decide(approval, APPROVE, OPERATOR);
      bench.answer = () => {
        throw new Error('broken');
      };
      await expect(bench.call({ id: 1 })).rejects.toThrow('broken');
      expect(await state(bench, approval)).toBe('failed');
      expect((await bench.told({ id: 1 })).approval).not.toBe(approval);
    });
  });

  describe('named by the caller', () => {
    it('runs for who asked, whatever the run', async () => {
      const bench = await start();
      const { approval } = await bench.told({ id: 1 });
      await bench.approvals.decide(approval, APPROVE, OPERATOR);
      await bench.call({ id: 1 }, { channel: { approval }, run: 'another' });
      expect(bench.runs).toEqual([{ id: 1 }]);
      expect(await bench.told({ id: 1 }, { channel: { approval } })).toEqual({
        code: 'approval_void',
        approval,
      });
    });

    it.each<[string, JsonObject, object]>([
      ['other arguments', { id: 2 }, {}],
      ['another tool', { id: 1 }, { operation: { ...DELETE_ITEM, id: 'deleteShelf' } }],
      ['another tool that leads to the same operation', { id: 1 }, { tool: 'stock_anything' }],
      ['a tool that needs none', { id: 1 }, { operation: ADD_ITEM }],
    ])('is void for %s, and for its own call too from then on', async (_, args, other) => {
      const bench = await start();
      const { approval } = await bench.told({ id: 1 });
      await bench.approvals.decide(approval, APPROVE, OPERATOR);
      const told = await bench.told(args, { ...other, channel: { approval } });
      expect(told).toEqual({ code: 'approval_void', approval });
      expect((await bench.told({ id: 1 }, { channel: { approval } })).code).toBe('approval_void');
      expect(bench.runs).toEqual([]);
    });

    it.each([
      ['another user', BOB],
      ['a user of that id elsewhere', { ...ANN, organisation: 'other' }],
    ])('does not exist for %s', async (_, principal) => {
      const bench = await start();
      const { approval } = await bench.told({ id: 1 });
      await bench.approvals.decide(approval, APPROVE, OPERATOR);
      const told = await bench.told({ id: 1 }, { principal, channel: { approval } });
      expect(told).toEqual(await bench.told({ id: 1 }, { principal, channel: { approval } }));
      expect(told.code).toBe('approval_unknown');
      expect(await state(bench, approval)).toBe('approved');
    });

    it('stays open for its own call while nobody decided, until one names it that needs none', async () => {
      const bench = await start();
      const { approval } = await bench.told({ id: 1 });
      const void_ = { code: 'approval_void', approval };
      expect(await bench.told({ id: 2 }, { channel: { approval } })).toEqual(void_);
      expect(await state(bench, approval)).toBe('pending');
      expect(await bench.told({ id: 1 }, { operation: ADD_ITEM, channel: { approval } })).toEqual(void_);
      expect(await state(bench, approval)).toBe('stale');
      expect(bench.events.at(-1)).toMatchObject({ type: 'approval-void', approval, state: 'stale' });
      expect(bench.runs).toEqual([]);
    });

    it('finds nothing in arguments', async () => {
      const bench = await start();
      const { approval } = await bench.told({ id: 1 });
      await bench.approvals.decide(approval, APPROVE, OPERATOR);
      await bench.told({ id: 2, approved: true, approval, decision: 'approve', _meta: { approved: true } });
      expect(bench.runs).toEqual([]);
    });
  });

  describe('edited by the person', () => {
    it('runs exactly what the person wrote, and says so', async () => {
      const bench = await start();
      const { approval } = await bench.told({ id: 1, note: 'x' });
      await bench.approvals.decide(approval, { decision: 'edit', arguments: { id: 7, note: 'x' } }, OPERATOR);
      const result = (await bench.call({ id: 1, note: 'x' })) as CompletedResult;
      expect(bench.runs).toEqual([{ id: 7, note: 'x' }]);
      expect(result.meta).toEqual({ 'toolcrib/edited': { approval } });
      expect(result.content.at(-1)).toMatchObject({ text: expect.stringMatching(/changed the arguments/) });
    });

    it('runs nothing when that does not fit the tool', async () => {
      const bench = await start();
      const { approval } = await bench.told({ id: 1 });
      await bench.approvals.decide(approval, { decision: 'edit', arguments: { id: 'seven' } }, OPERATOR);
      expect((await bench.told({ id: 1 })).code).toBe('arguments_invalid');
      expect(bench.runs).toEqual([]);
      expect(await state(bench, approval)).toBe('failed');
    });
  });

  describe('approved from then on', () => {
    const start_ = async () => {
      const bench = await start();
      bench.policy = { ...bench.policy, write: 'ask' };
      return bench;
    };
    const always = async (bench: ApprovalBench, args: JsonObject, operation = ADD_ITEM) => {
      const { approval } = await bench.told(args, { operation });
      await bench.approvals.decide(approval, { decision: 'approve_always' }, OPERATOR);
      await bench.call(args, { operation });
      return approval;
    };

    it('holds for this tool and this principal, until it is revoked', async () => {
      const bench = await start_();
      const approval = await always(bench, { id: 1 });
      await bench.call({ id: 2 }, { operation: ADD_ITEM, run: 'tomorrow' });
      expect(bench.runs).toEqual([{ id: 1 }, { id: 2 }]);
      expect((await bench.told({ id: 2 }, { operation: ADD_ITEM, principal: BOB })).code).toBe(
        'approval_required',
      );
      const changed = { ...ADD_ITEM, description: 'Another.' };
      expect((await bench.told({ id: 2 }, { operation: changed })).code).toBe('approval_required');
      const [standing] = await bench.approvals.standing(EVERYTHING);
      expect(standing).toMatchObject({
        approval,
        principal: 'ann',
        tool: 'stock_addItem',
        createdBy: 'root',
      });
      await bench.approvals.revoke(standing!.id, EVERYTHING);
      expect((await bench.told({ id: 3 }, { operation: ADD_ITEM })).code).toBe('approval_required');
    });

    it('serves every call that came for it, also those that were too late for the approval itself', async () => {
      const bench = await start_();
      const { approval } = await bench.told({ id: 1 }, { operation: ADD_ITEM });
      await bench.approvals.decide(approval, { decision: 'approve_always' }, OPERATOR);
      await Promise.all(Array.from({ length: 5 }, () => bench.call({ id: 1 }, { operation: ADD_ITEM })));
      expect(bench.runs).toHaveLength(5);
      expect(bench.calls.filter((call) => call.approval === approval)).toHaveLength(1);
    });

    it('leaves nothing behind when it is revoked before its first call', async () => {
      const bench = await start_();
      const { approval } = await bench.told({ id: 1 }, { operation: ADD_ITEM });
      await bench.approvals.decide(approval, { decision: 'approve_always' }, OPERATOR);
      const [standing] = await bench.approvals.standing(EVERYTHING);
      await bench.approvals.revoke(standing!.id, EVERYTHING);
      expect((await bench.told({ id: 1 }, { operation: ADD_ITEM })).code).toBe('approval_void');
      expect(bench.runs).toEqual([]);
    });

    it('holds for the same arguments only where data is destroyed', async () => {
      const bench = await start_();
      await always(bench, { id: 1 }, DELETE_ITEM);
      await bench.call({ id: 1 });
      expect((await bench.told({ id: 2 })).code).toBe('approval_required');
    });

    it('holds no more for whatever arguments once the policy asks for these alone', async () => {
      const bench = await start();
      const operation = { ...DELETE_ITEM, safety: { ...DELETE_ITEM.safety, destructive: false } };
      const before = bench.policy;
      bench.policy = { ...before, rules: [{ action: 'ask', operation: operation.id }] };
      await always(bench, { id: 1 }, operation);
      await bench.call({ id: 2 }, { operation });
      bench.policy = { ...before, delete: 'ask' };
      expect((await bench.told({ id: 2 }, { operation })).code).toBe('approval_required');
      expect(bench.runs).toHaveLength(2);
    });

    it('does not hold for a caller who has read what strangers wrote', async () => {
      const bench = await start_();
      await always(bench, { id: 1 }, DELETE_ITEM);
      const tainted = 'The caller has read untrusted content.';
      expect((await bench.told({ id: 1 }, { tainted })).code).toBe('approval_required');
      await bench.call({ id: 1 });
      expect(bench.runs).toHaveLength(2);
    });

    it('holds for one call only where the operation was dangerous', async () => {
      const bench = await start_();
      const operation = { ...DELETE_ITEM, enabledDangerous: true as const };
      await always(bench, { id: 1 }, operation);
      expect((await bench.told({ id: 1 }, { operation })).code).toBe('approval_required');
      expect(await bench.approvals.standing(EVERYTHING)).toEqual([]);
    });
  });

  describe('a client that can ask a person', () => {
    it('is given a form, and its accepted answer counts', async () => {
      const bench = await start();
      const question = asked(await bench.call({ id: 1 }, { channel: { clientCapabilities: FORM } }));
      expect(question.requests['approval']).toMatchObject({
        method: 'elicitation/create',
        params: { mode: 'form', message: expect.stringContaining('stock_deleteItem') },
      });
      const answer = { action: 'accept', content: { decision: 'approve' } };
      await bench.call({ id: 1 }, answering(question, answer));
      expect(bench.runs).toEqual([{ id: 1 }]);
      expect(bench.events.find(({ type }) => type === 'approval-decided')).toMatchObject({
        decidedBy: 'ann',
        channel: 'elicitation',
      });
      // the same answer again
      expect((await bench.told({ id: 1 }, answering(question, answer))).code).toBe('approval_void');
      expect(bench.runs).toHaveLength(1);
    });

    it('may edit', async () => {
      const bench = await start();
      const question = asked(await bench.call({ id: 1 }, { channel: { clientCapabilities: FORM } }));
      const content = { decision: 'edit', edited: '{"id":9}' };
      await bench.call({ id: 1 }, answering(question, { action: 'accept', content }));
      expect(bench.runs).toEqual([{ id: 9 }]);
    });

    it.each<[string, JsonObject]>([
      ['declined', { action: 'decline' }],
      ['accepted without a choice', { action: 'accept', content: {} }],
      ['accepted without content', { action: 'accept' }],
      ['an unknown word', { action: 'accept', content: { decision: 'approved' } }],
      ['text that is no JSON', { action: 'accept', content: { decision: 'edit', edited: '{id:9' } }],
      ['no action at all', { content: { decision: 'approve' } }],
    ])('rejects: %s', async (_, answer) => {
      const bench = await start();
      const question = asked(await bench.call({ id: 1 }, { channel: { clientCapabilities: FORM } }));
      expect((await bench.told({ id: 1 }, answering(question, answer))).code).toBe('approval_rejected');
      expect(bench.runs).toEqual([]);
    });

    it('takes back what somebody else approved meanwhile, before it is used', async () => {
      const bench = await start();
      const question = asked(await bench.call({ id: 1 }, { channel: { clientCapabilities: FORM } }));
      const { id } = (await bench.approvals.list(EVERYTHING))[0]!;
      await bench.approvals.decide(id, APPROVE, OPERATOR);
      expect((await bench.told({ id: 1 }, answering(question, { action: 'decline' }))).code).toBe(
        'approval_rejected',
      );
      expect(bench.runs).toEqual([]);
      expect(await state(bench, id)).toBe('denied');
      expect(bench.events.at(-1)).toMatchObject({ type: 'approval-decided', approval: id, state: 'denied' });
    });

    it('leaves it open when the person closes the form, and asks again without an answer', async () => {
      const bench = await start();
      const question = asked(await bench.call({ id: 1 }, { channel: { clientCapabilities: FORM } }));
      expect((await bench.told({ id: 1 }, answering(question, { action: 'cancel' }))).code).toBe(
        'approval_required',
      );
      const again = asked(
        await bench.call({ id: 1 }, { channel: { clientCapabilities: FORM, requestState: question.state! } }),
      );
      expect(again.state).toEqual(question.state);
    });

    it('answers for its own call only', async () => {
      const bench = await start();
      const question = asked(await bench.call({ id: 1 }, { channel: { clientCapabilities: FORM } }));
      const given = answering(question, { action: 'accept', content: { decision: 'approve' } });
      expect((await bench.told({ id: 2 }, given)).code).toBe('approval_void');
      expect((await bench.told({ id: 1 }, { ...given, principal: BOB })).code).toBe('approval_unknown');
      // nor does somebody else go on by it once it is approved
      const { id } = (await bench.approvals.list(EVERYTHING))[0]!;
      await bench.approvals.decide(id, APPROVE, OPERATOR);
      expect((await bench.told({ id: 1 }, { ...given, principal: BOB })).code).toBe('approval_unknown');
      expect(bench.runs).toEqual([]);
      expect(await state(bench, id)).toBe('approved');
    });

    it('comes too late when somebody else rejected', async () => {
      const bench = await start();
      const question = asked(await bench.call({ id: 1 }, { channel: { clientCapabilities: FORM } }));
      const { id } = (await bench.approvals.list(EVERYTHING))[0]!;
      await bench.approvals.decide(id, { decision: 'reject' }, OPERATOR);
      const answer = { action: 'accept', content: { decision: 'approve' } };
      expect((await bench.told({ id: 1 }, answering(question, answer))).code).toBe('approval_rejected');
    });

    it('may refuse what somebody else approved', async () => {
      const bench = await start();
      const question = asked(await bench.call({ id: 1 }, { channel: { clientCapabilities: FORM } }));
      const { id } = (await bench.approvals.list(EVERYTHING))[0]!;
      await bench.approvals.decide(id, APPROVE, OPERATOR);
      expect((await bench.told({ id: 1 }, answering(question, { action: 'decline' }))).code).toBe(
        'approval_rejected',
      );
      expect(bench.runs).toEqual([]);
    });

    it('is given the page where the policy wants that, and goes on by what was decided there', async () => {
      const bench = await start();
      bench.policy = { ...bench.policy, elicitation: 'url' };
      const channel = { clientCapabilities: { elicitation: { form: {}, url: {} } } };
      const question = asked(await bench.call({ id: 1 }, { channel }));
      const { url } = question.requests['approval']!.params as { url: string };
      expect(url).toMatch(/^https:\/\/tools\.acme\.test\/approve\/[\w-]{72}$/);
      const token = url.split('/').at(-1)!;
      const going = bench.call({ id: 1 }, answering(question, { action: 'accept' }));
      await bench.approvals.decideLinked(token, APPROVE);
      await going;
      expect(bench.runs).toEqual([{ id: 1 }]);
      await expect(bench.approvals.decideLinked(token, APPROVE)).rejects.toMatchObject({
        code: 'approval_decided',
      });
    });

    it('is not asked where the policy says so', async () => {
      const bench = await start();
      bench.policy = { ...bench.policy, elicitation: 'off' };
      expect((await bench.told({ id: 1 }, { channel: { clientCapabilities: FORM } })).code).toBe(
        'approval_required',
      );
    });

    it('agrees to nothing any more once the policy says so, but may reject', async () => {
      const bench = await start();
      const question = asked(await bench.call({ id: 1 }, { channel: { clientCapabilities: FORM } }));
      bench.policy = { ...bench.policy, elicitation: 'off' };
      const approve = { action: 'accept', content: { decision: 'approve' } };
      expect((await bench.told({ id: 1 }, answering(question, approve))).code).toBe('approval_required');
      const reject = { action: 'decline' };
      expect((await bench.told({ id: 1 }, answering(question, reject))).code).toBe('approval_rejected');
      expect(bench.runs).toEqual([]);
    });
  });

  describe('waiting', () => {
    it('goes on as soon as somebody decides, with a deadline that starts anew', async () => {
      const bench = await start();
      const began = bench.now;
      const going = bench.call({ id: 1 }, { channel: { waitMs: 60_000 } });
      const { id } = await expect
        .poll(async () => (await bench.approvals.list(EVERYTHING))[0])
        .toBeDefined()
        .then(async () => (await bench.approvals.list(EVERYTHING))[0]!);
      bench.now += 40_000;
      await bench.approvals.decide(id, APPROVE, OPERATOR);
      await going;
      expect(bench.calls[0]?.deadline).toBe(began + 70_000);
    });

    it('ends with the id when nobody does', async () => {
      const bench = await start();
      expect((await bench.told({ id: 1 }, { channel: { waitMs: 400 } })).code).toBe('approval_required');
    });

    it('ends when the caller goes away', async () => {
      const bench = await start();
      const controller = new AbortController();
      const going = bench.told({ id: 1 }, { channel: { waitMs: 60_000 }, signal: controller.signal });
      await expect.poll(() => bench.events.length).toBe(1);
      controller.abort();
      expect((await going).code).toBe('cancelled');
    });
  });

  describe('a tool that asks its client itself', () => {
    const QUESTION = { name: { method: 'elicitation/create' as const } };

    it('goes on under the same approval, each round once', async () => {
      const bench = await start();
      bench.answer = ({ channel }) =>
        channel.requestState === undefined
          ? { kind: 'input_required', requests: QUESTION, state: 'step 2' }
          : { kind: 'completed', content: [] };
      const { approval } = await bench.told({ id: 1 });
      await bench.approvals.decide(approval, APPROVE, OPERATOR);
      const question = asked(await bench.call({ id: 1 }));
      expect(question.requests).toEqual(QUESTION);
      expect(await state(bench, approval)).toBe('executing');
      const channel = { requestState: question.state!, inputResponses: { name: { action: 'accept' } } };
      await bench.call({ id: 1 }, { channel });
      expect(bench.calls.at(-1)?.channel.requestState).toBe('step 2');
      expect(await state(bench, approval)).toBe('executed');
      expect((await bench.told({ id: 1 }, { channel })).code).toBe('approval_void');
      expect(bench.runs).toHaveLength(2);
    });

    it('cannot go on with other arguments', async () => {
      const bench = await start();
      bench.answer = () => ({ kind: 'input_required', requests: QUESTION, state: 'step 2' });
      const { approval } = await bench.told({ id: 1 });
      await bench.approvals.decide(approval, APPROVE, OPERATOR);
      const question = asked(await bench.call({ id: 1 }));
      const told = await bench.told({ id: 2 }, { channel: { requestState: question.state! } });
      expect(told.code).toBe('approval_void');
      expect(bench.runs).toHaveLength(1);
    });

    it('does not go on once it has become another, and its approval ends', async () => {
      const bench = await start();
      bench.answer = () => ({ kind: 'input_required', requests: QUESTION, state: 'step 2' });
      const { approval } = await bench.told({ id: 1 });
      await bench.approvals.decide(approval, APPROVE, OPERATOR);
      const question = asked(await bench.call({ id: 1 }));
      const operation = { ...DELETE_ITEM, description: 'Deletes everything.' };
      const told = await bench.told({ id: 1 }, { operation, channel: { requestState: question.state! } });
      expect(told).toEqual({ code: 'approval_void', approval });
      expect(await state(bench, approval)).toBe('failed');
      expect(bench.runs).toHaveLength(1);
    });
  });

  it('asks nobody in a dry run, and says who would be asked', async () => {
    const bench = await start();
    const result = await bench.call({ id: 1 }, { dryRun: true });
    expect(result).toMatchObject({ warnings: [expect.stringMatching(/person would have to approve/)] });
    expect(bench.events).toEqual([]);
  });

  it('lets through what needs no approval', async () => {
    const bench = await start();
    await bench.call({ id: 1 }, { operation: ADD_ITEM });
    expect(bench.runs).toEqual([{ id: 1 }]);
    expect(bench.events).toEqual([]);
  });
}
