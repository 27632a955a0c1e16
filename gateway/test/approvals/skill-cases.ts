import { describe, expect, it } from 'vitest';
import { asToolcribError } from '../../src/errors.ts';
import type { ApprovalRule, InputRequiredResult, Operation } from '../../src/operations/index.ts';
import type { Store } from '../../src/store/store.ts';
import {
  ANN,
  type ApprovalBench,
  approvalBench,
  BOB,
  EVERYTHING,
  OPERATOR,
} from './support/approval-bench.ts';
import { httpTool, NEXT_VERSION, scriptTool, VERSION } from './support/skill-tools.ts';

const APPROVE = { decision: 'approve' } as const;
const GRADE = scriptTool('grade_quiz', { access: 'write' });
const POST = httpTool('post_grades', { access: 'write' });
const COUNT = scriptTool('count_words', { network: true });
const TOOLS = [GRADE, POST, COUNT];

/** What holds of agreements to skills, wherever they are kept. */
export function skillCases(open: () => Promise<Store | undefined>): void {
  const start = async (): Promise<ApprovalBench> => {
    const bench = approvalBench(await open());
    bench.skills = { ...bench.skills, tools: TOOLS };
    return bench;
  };
  /** Asked about one tool, and agreed to. */
  const agreed = async (operation: Operation = GRADE) => {
    const bench = await start();
    const { approval } = await bench.told({ id: 1 }, { operation });
    await bench.approvals.decide(approval, APPROVE, OPERATOR);
    await bench.call({ id: 1 }, { operation });
    return { bench, approval };
  };
  const codeOf = (going: Promise<unknown>) =>
    going.then(
      () => 'ran',
      (error: unknown) => asToolcribError(error).code,
    );
  const standing = ({ approvals }: ApprovalBench) => approvals.standing(EVERYTHING);

  describe('one agreement', () => {
    it('lets every tool of the skill run from then on, whatever the arguments', async () => {
      const { bench, approval } = await agreed();
      for (const operation of TOOLS) await bench.call({ id: 2 }, { operation, run: 'another' });
      expect(bench.runs).toEqual([{ id: 1 }, { id: 2 }, { id: 2 }, { id: 2 }]);
      const [given, ...more] = await standing(bench);
      expect(more).toEqual([]);
      expect(given).toMatchObject({
        principal: 'ann',
        organisation: 'acme',
        source: 'teaching',
        approval,
        createdBy: 'root',
        channel: 'cli',
        skill: { skill: 'grading', version: VERSION, isolated: true },
      });
      expect(given?.skill?.tools).toEqual([
        { operation: 'count_words', access: 'read', network: true },
        { operation: 'grade_quiz', access: 'write', network: false },
        { operation: 'post_grades', access: 'write', network: true },
      ]);
      expect(bench.events.map(({ type, message }) => message ?? type)).toEqual([
        'approval-requested',
        'Approved, and every later call of tools of this skill in this version.',
        'approval-used',
      ]);
    });

    it('says on its card what is agreed to', async () => {
      const bench = await start();
      bench.skills = { ...bench.skills, isolated: false };
      const binary = scriptTool('render', { interpreter: null, entry: 'bin/render' });
      bench.skills = { ...bench.skills, tools: [...TOOLS, binary] };
      const { approval } = await bench.told({ id: 7 }, { operation: GRADE });
      const { card, standing: scope, reason } = await bench.approvals.get(approval, EVERYTHING);
      expect(scope).toBe('skill');
      expect(reason).toContain('its access is write');
      expect(card).toMatchObject({
        title: 'Call: stock_grade_quiz, and the skill grading',
        variant: 'default',
        labels: { approve: 'Agree to the skill' },
      });
      const rows = Object.fromEntries(card.metadata.map(({ key, value }) => [key, value]));
      expect(rows).toMatchObject({
        agreement: expect.stringContaining('every tool of this skill in this version, for ann'),
        skill: 'grading',
        version: VERSION.slice(7, 19),
        tools: 'count_words, grade_quiz, post_grades, render (render)',
        may: 'write: grade_quiz, post_grades; reach the network: count_words, grade_quiz, post_grades, render (render); start programs of its own: render (render)',
        isolation: expect.stringContaining('none'),
        id: '7',
      });
    });

    it('is what approving always means, too, and is not what an edit or a rejection means', async () => {
      const bench = await start();
      const first = await bench.told({ id: 1 }, { operation: GRADE });
      await bench.approvals.decide(first.approval, { decision: 'edit', arguments: { id: 9 } }, OPERATOR);
      await bench.call({ id: 1 }, { operation: GRADE });
      const second = await bench.told({ id: 1 }, { operation: GRADE });
      await bench.approvals.decide(second.approval, { decision: 'reject' }, OPERATOR);
      expect((await bench.told({ id: 1 }, { operation: GRADE })).code).toBe('approval_rejected');
      expect(await standing(bench)).toEqual([]);
      const third = await bench.told({ id: 1 }, { operation: GRADE });
      await bench.approvals.decide(third.approval, { decision: 'approve_always' }, OPERATOR);
      expect(await codeOf(bench.call({ id: 5 }, { operation: POST }))).toBe('ran');
      expect(bench.runs).toEqual([{ id: 9 }, { id: 5 }]);
    });

    it('is asked for by a form that says so', async () => {
      const bench = await start();
      const clientCapabilities = { elicitation: {} };
      const asked = (await bench.call(
        { id: 1 },
        { operation: GRADE, channel: { clientCapabilities } },
      )) as InputRequiredResult;
      expect(JSON.stringify(asked.requests)).toContain(
        'every later call of tools of this skill in this version',
      );
      expect(JSON.stringify(asked.requests)).not.toContain('approve_always');
      const inputResponses = { approval: { action: 'accept', content: { decision: 'approve' } } };
      const channel = { clientCapabilities, requestState: asked.state!, inputResponses };
      await bench.call({ id: 1 }, { operation: GRADE, channel });
      await bench.call({ id: 2 }, { operation: POST });
      expect(bench.runs).toEqual([{ id: 1 }, { id: 2 }]);
    });
  });

  describe('an agreement does not cover', () => {
    it.each<[what: string, given: Parameters<ApprovalBench['call']>[1]]>([
      ['another principal', { principal: BOB }],
      ['another organisation', { principal: { ...ANN, organisation: 'other' } }],
      ['nobody in particular', { principal: { id: 'ann', kind: 'local', maxAccess: 'delete', roles: [] } }],
      [
        'another version',
        { operation: scriptTool('grade_quiz', { access: 'write', version: NEXT_VERSION }) },
      ],
      ['another skill', { operation: scriptTool('grade_quiz', { access: 'write', skill: 'writing' }) }],
      ['a skill of another source', { operation: { ...GRADE, source: 'elsewhere' } }],
      ['a tool that was not shown', { operation: scriptTool('new_tool', { access: 'write' }) }],
      [
        'a tool that could do less then',
        { operation: scriptTool('count_words', { network: true, access: 'write' }) },
      ],
      ['another program', { operation: scriptTool('count_words', { interpreter: null, entry: 'bin/x' }) }],
    ])('%s', async (_, given) => {
      const { bench } = await agreed();
      expect((await bench.told({ id: 1 }, { operation: GRADE, ...given })).code).toBe('approval_required');
      expect(bench.runs).toHaveLength(1);
    });

    it('programs that ran in a sandbox when it was given, and do not any more', async () => {
      const { bench } = await agreed();
      bench.skills = { ...bench.skills, isolated: false };
      const { approval } = await bench.told({ id: 1 }, { operation: GRADE });
      await bench.approvals.decide(approval, APPROVE, OPERATOR);
      await bench.call({ id: 1 }, { operation: GRADE });
      bench.skills = { ...bench.skills, isolated: true };
      expect(await codeOf(bench.call({ id: 3 }, { operation: GRADE }))).toBe('ran');
    });

    const asking = (rule: Omit<ApprovalRule, 'action'>) => (bench: ApprovalBench) => {
      bench.policy = { ...bench.policy, rules: [{ ...rule, action: 'ask' }] };
    };
    it.each<[what: string, operation: Operation, change: (bench: ApprovalBench) => void, tainted?: string]>([
      ['what a rule asks about', GRADE, asking({ tool: 'stock_grade_quiz' })],
      [
        'what the policy asks of every write',
        GRADE,
        (bench) => (bench.policy = { ...bench.policy, write: 'ask' }),
      ],
      ['what destroys', { ...GRADE, safety: { ...GRADE.safety, destructive: true } }, () => undefined],
      ['what was dangerous', { ...GRADE, enabledDangerous: true }, () => undefined],
      ['what asks for a confirmation', { ...GRADE, confirmation: 'It tells parents.' }, () => undefined],
      ['a hint that asks', { ...GRADE, hints: { requires_confirmation: true } }, () => undefined],
      ['a caller who read what strangers wrote', GRADE, () => undefined, 'Strangers were read.'],
    ])('%s: it asks for each call', async (_, operation, change, tainted) => {
      const { bench } = await agreed(GRADE);
      change(bench);
      const given = { operation, ...(tainted === undefined ? {} : { tainted }) };
      for (const id of [2, 3]) {
        const { approval, code } = await bench.told({ id }, given);
        expect(code).toBe('approval_required');
        const { standing: scope, card } = await bench.approvals.get(approval, EVERYTHING);
        expect(scope).not.toBe('skill');
        expect(card.metadata.map(({ key }) => key)).not.toContain('agreement');
        await bench.approvals.decide(approval, APPROVE, OPERATOR);
        await bench.call({ id }, given);
      }
      expect(bench.runs).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }]);
      expect(await standing(bench)).toHaveLength(1);
    });
  });

  it('is not given along with the approval of a call that asks for itself', async () => {
    const bench = await start();
    const operation = { ...GRADE, confirmation: 'It tells parents.' };
    const { approval } = await bench.told({ id: 1 }, { operation });
    await bench.approvals.decide(approval, APPROVE, OPERATOR);
    await bench.call({ id: 1 }, { operation });
    expect(await standing(bench)).toEqual([]);
    expect((await bench.told({ id: 1 }, { operation: POST })).code).toBe('approval_required');
  });

  it('answers no open question that is asked for another reason, too', async () => {
    const bench = await start();
    const tainted = await bench.told({ id: 2 }, { operation: POST, tainted: 'web' });
    const { approval } = await bench.told({ id: 1 }, { operation: GRADE });
    await bench.approvals.decide(approval, APPROVE, OPERATOR);
    expect((await bench.approvals.get(tainted.approval, EVERYTHING)).state).toBe('pending');
  });

  it('what was approved always without a word about the skill asks once the skill is a reason', async () => {
    const bench = await start();
    const operation = { ...GRADE, confirmation: 'It tells parents.' };
    bench.skills = { ...bench.skills, mode: 'permissive' };
    const { approval } = await bench.told({ id: 1 }, { operation });
    await bench.approvals.decide(approval, { decision: 'approve_always' }, OPERATOR);
    await bench.call({ id: 1 }, { operation });
    expect(await codeOf(bench.call({ id: 2 }, { operation }))).toBe('ran');
    bench.skills = { ...bench.skills, mode: 'balanced' };
    expect(await codeOf(bench.call({ id: 2 }, { operation }))).toBe('approval_required');
  });

  describe('a new version', () => {
    const next = scriptTool('grade_quiz', { access: 'write', version: NEXT_VERSION });

    it('takes the place of what was agreed to, and going back asks again', async () => {
      const { bench } = await agreed();
      bench.skills = { ...bench.skills, tools: [next] };
      const { approval } = await bench.told({ id: 1 }, { operation: next });
      await bench.approvals.decide(approval, APPROVE, OPERATOR);
      await bench.call({ id: 1 }, { operation: next });
      expect((await standing(bench)).map(({ skill }) => skill?.version)).toEqual([NEXT_VERSION]);
      expect((await bench.told({ id: 1 }, { operation: GRADE })).code).toBe('approval_required');
    });

    it('is not what an open question about it is answered by', async () => {
      const bench = await start();
      const other = await bench.told({ id: 1 }, { operation: next });
      const { approval } = await bench.told({ id: 1 }, { operation: POST });
      await bench.approvals.decide(approval, APPROVE, OPERATOR);
      expect((await bench.approvals.get(other.approval, EVERYTHING)).state).toBe('pending');
    });

    it('voids what was approved and not used', async () => {
      const bench = await start();
      const { approval } = await bench.told({ id: 1 }, { operation: GRADE });
      await bench.approvals.decide(approval, APPROVE, OPERATOR);
      bench.reauthorise = async (call) => ({ ...call, operation: next });
      expect(await codeOf(bench.call({ id: 1 }, { operation: GRADE }))).toBe('approval_void');
      expect(bench.runs).toEqual([]);
    });
  });

  describe('revoked', () => {
    it('asks at the next call, and what it had approved leads to none', async () => {
      const bench = await start();
      const [first, second] = await Promise.all([
        bench.told({ id: 1 }, { operation: GRADE }),
        bench.told({ id: 2 }, { operation: POST }),
      ]);
      await bench.approvals.decide(first.approval, APPROVE, OPERATOR);
      expect((await bench.approvals.get(second.approval, EVERYTHING)).state).toBe('approved');
      const [given] = await standing(bench);
      await bench.approvals.revoke(given!.id, EVERYTHING);
      expect(await standing(bench)).toEqual([]);
      expect(await codeOf(bench.call({ id: 1 }, { operation: GRADE }))).toBe('approval_void');
      expect(await codeOf(bench.call({ id: 2 }, { operation: POST }))).toBe('approval_void');
      expect(await codeOf(bench.call({ id: 2 }, { operation: POST }))).toBe('approval_required');
      expect(bench.runs).toEqual([]);
      const ended = bench.events.filter(({ type }) => type === 'approval-void');
      expect(ended.map(({ approval, state }) => [approval, state])).toEqual([
        [first.approval, 'executed'],
        [first.approval, 'stale'],
        [second.approval, 'stale'],
      ]);
      for (const { message } of ended) expect(message).toContain('revoked');
    });

    it('leaves agreements of others and to other skills', async () => {
      const { bench } = await agreed();
      const writing = scriptTool('draft', { skill: 'writing', access: 'write' });
      for (const given of [{ operation: GRADE, principal: BOB }, { operation: writing }]) {
        const { approval } = await bench.told({ id: 1 }, given);
        await bench.approvals.decide(approval, APPROVE, OPERATOR);
      }
      const mine = (await standing(bench)).find(
        ({ principal, skill }) => principal === 'ann' && skill?.skill === 'grading',
      );
      await bench.approvals.revoke(mine!.id, EVERYTHING);
      expect((await standing(bench)).map(({ principal, skill }) => [principal, skill?.skill]).sort()).toEqual(
        [
          ['ann', 'writing'],
          ['bob', 'grading'],
        ],
      );
    });
  });

  describe('calls at the same time', () => {
    it('that wait all go on with the first agreement', async () => {
      const bench = await start();
      const going = TOOLS.map((operation, id) =>
        bench.call({ id }, { operation, channel: { waitMs: 30_000 } }),
      );
      await expect.poll(async () => (await bench.approvals.list(EVERYTHING)).length).toBe(3);
      const [{ id } = { id: '' }] = await bench.approvals.list(EVERYTHING);
      await bench.approvals.decide(id, APPROVE, OPERATOR);
      await Promise.all(going);
      expect(bench.runs.map((args) => args['id']).sort()).toEqual([0, 1, 2]);
      expect((await bench.approvals.list(EVERYTHING)).map(({ state }) => state)).toEqual(
        Array(3).fill('executed'),
      );
      expect(await standing(bench)).toHaveLength(1);
      const decided = bench.events.filter(({ type }) => type === 'approval-decided');
      expect(decided.map(({ message }) => message).sort()).toEqual([
        'Approved with its skill.',
        'Approved with its skill.',
        'Approved, and every later call of tools of this skill in this version.',
      ]);
    });

    it('that were refused a form in between do not run', async () => {
      const bench = await start();
      const clientCapabilities = { elicitation: {} };
      const asked = (await bench.call(
        { id: 2 },
        { operation: POST, channel: { clientCapabilities } },
      )) as InputRequiredResult;
      const { approval } = await bench.told({ id: 1 }, { operation: GRADE });
      await bench.approvals.decide(approval, APPROVE, OPERATOR);
      const channel = {
        clientCapabilities,
        requestState: asked.state!,
        inputResponses: { approval: { action: 'decline' } },
      };
      expect(await codeOf(bench.call({ id: 2 }, { operation: POST, channel }))).toBe('approval_rejected');
      expect(bench.runs).toEqual([]);
    });

    it('that are agreed to at once leave one agreement that one revocation ends', async () => {
      const bench = await start();
      const asked = await Promise.all(TOOLS.map((operation, id) => bench.told({ id }, { operation })));
      const decided = await Promise.allSettled(
        asked.map(({ approval }) => bench.approvals.decide(approval, APPROVE, OPERATOR)),
      );
      expect(decided.some(({ status }) => status === 'fulfilled')).toBe(true);
      await Promise.all(TOOLS.map((operation, id) => bench.call({ id }, { operation })));
      expect(bench.runs).toHaveLength(3);
      const [given] = await standing(bench);
      await bench.approvals.revoke(given!.id, EVERYTHING);
      expect(await standing(bench)).toEqual([]);
      expect((await bench.told({ id: 1 }, { operation: GRADE })).code).toBe('approval_required');
    });

    it('do not wait for a person who agreed between looking and asking', async () => {
      const bench = await start();
      const { approval } = await bench.told({ id: 1 }, { operation: GRADE });
      const gate = bench.approvals.gate as { ask: ApprovalBench['approvals']['gate']['ask'] };
      const { ask } = gate;
      gate.ask = async (asked) => {
        await bench.approvals.decide(approval, APPROVE, OPERATOR);
        return ask(asked);
      };
      await bench.call({ id: 2 }, { operation: POST });
      expect(bench.runs).toEqual([{ id: 2 }]);
      expect((await bench.approvals.list(EVERYTHING, { states: ['pending'] })).length).toBe(0);
      expect(await codeOf(bench.call({ id: 2 }, { operation: POST }))).toBe('ran');
    });
  });

  it('a mode that refuses asks nobody', async () => {
    const bench = await start();
    bench.skills = { ...bench.skills, mode: 'strict', isolated: false };
    expect(await codeOf(bench.call({ id: 1 }, { operation: GRADE }))).toBe('sandbox_unavailable');
    expect(await codeOf(bench.call({ id: 1 }, { operation: GRADE, dryRun: true }))).toBe(
      'sandbox_unavailable',
    );
    expect(await bench.approvals.list(EVERYTHING)).toEqual([]);
  });

  it('a dry run says that a person would be asked, and asks nobody', async () => {
    const bench = await start();
    const result = await bench.call({ id: 1 }, { operation: GRADE, dryRun: true });
    expect(JSON.stringify(result)).toContain('The skill grading');
    expect(await bench.approvals.list(EVERYTHING)).toEqual([]);
  });

  it('a dry run says nothing of it once a person agreed to the skill', async () => {
    const bench = await start();
    const { approval } = await bench.told({ id: 1 }, { operation: GRADE });
    await bench.approvals.decide(approval, APPROVE, OPERATOR);
    const result = await bench.call({ id: 2 }, { operation: GRADE, dryRun: true });
    expect(JSON.stringify(result)).not.toContain('The skill grading');
  });
}

/** What holds between processes that share a store. */
export function sharedSkillCases(open: () => Promise<Store>): void {
  it('two agreements of one moment end with one revocation', async () => {
    const store = await open();
    const bench = approvalBench(store);
    const { approval } = await bench.told({ id: 1 }, { operation: GRADE });
    await bench.approvals.decide(approval, APPROVE, OPERATOR);
    // what two processes can leave that decide at once
    const rows = store.database.selectFrom('standing_approvals').selectAll();
    const twin = { ...(await rows.executeTakeFirstOrThrow()), id: 'f'.repeat(32) };
    await store.database.insertInto('standing_approvals').values(twin).execute();
    expect(await bench.approvals.standing(EVERYTHING)).toHaveLength(2);
    await bench.approvals.revoke(twin.id, EVERYTHING);
    expect(await bench.approvals.standing(EVERYTHING)).toEqual([]);
  });

  it('an agreement holds in another process and after a restart, and so does its revocation', async () => {
    const one = approvalBench(await open());
    const { approval } = await one.told({ id: 1 }, { operation: GRADE });
    const two = approvalBench(await open());
    await two.approvals.decide(approval, APPROVE, OPERATOR);
    await one.call({ id: 1 }, { operation: GRADE });
    await two.call({ id: 2 }, { operation: GRADE });
    expect([one.runs, two.runs]).toEqual([[{ id: 1 }], [{ id: 2 }]]);
    const later = approvalBench(await open());
    await later.call({ id: 3 }, { operation: GRADE });
    const [given] = await later.approvals.standing(EVERYTHING);
    await later.approvals.revoke(given!.id, EVERYTHING);
    expect((await one.told({ id: 4 }, { operation: GRADE })).code).toBe('approval_required');
  });
}
