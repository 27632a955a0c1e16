import { describe, expect, it } from 'vitest';
import { createMemoryRecords } from '../../src/approvals/memory-records.ts';
import type { StoredApproval } from '../../src/approvals/records.ts';
import { answerOthers, endApproved, standingFor } from '../../src/approvals/standing.ts';
import type { ApprovalDecision, SkillAgreement } from '../../src/operations/index.ts';

const SKILL: SkillAgreement = {
  skill: 'stocks',
  version: 'v1',
  isolated: true,
  tools: [{ operation: 'deleteItem', access: 'delete', network: false }],
};
const BY = { by: 'owner', channel: 'cli', at: 7 } as const;

const asked = (standing: StoredApproval['standing'], skill?: SkillAgreement): StoredApproval => ({
  id: 'a'.repeat(32),
  state: 'pending',
  principal: 'ann',
  organisation: 'acme',
  tool: 'stock_delete',
  source: 'stock',
  operation: 'deleteItem',
  access: 'delete',
  definition: 'd1',
  argumentsHash: 'h1',
  policy: '',
  preview: { id: 7 },
  reason: '',
  standing,
  ...(skill === undefined ? {} : { skill }),
  createdAt: 0,
  expiresAt: 600_000,
  call: 'c',
  run: '',
  rounds: 0,
});

describe('what a decision leaves behind', () => {
  it.each<
    [StoredApproval['standing'], SkillAgreement | undefined, ApprovalDecision['decision'], object | undefined]
  >([
    ['tool', undefined, 'approve', undefined],
    ['tool', undefined, 'edit', undefined],
    ['tool', undefined, 'reject', undefined],
    ['tool', undefined, 'approve_always', {}],
    ['arguments', undefined, 'approve_always', { argumentsHash: 'h1' }],
    ['never', undefined, 'approve_always', undefined],
    ['never', SKILL, 'approve_always', undefined],
    // the skill was one reason of several: what was agreed to is the tool, not the skill
    ['tool', SKILL, 'approve', undefined],
    ['tool', SKILL, 'approve_always', {}],
    ['arguments', SKILL, 'approve_always', { argumentsHash: 'h1' }],
    ['skill', SKILL, 'approve', { skill: SKILL }],
    ['skill', SKILL, 'edit', undefined],
    ['skill', SKILL, 'reject', undefined],
    // nothing to agree to: it must not become an agreement to the tool
    ['skill', undefined, 'approve', undefined],
    ['skill', undefined, 'approve_always', undefined],
  ])('of an approval for %s, %j: %s leaves %j', (standing, skill, decision, left) => {
    const given = standingFor(asked(standing, skill), { decision } as ApprovalDecision, BY);
    const { id: _id, ...rest } = given ?? { id: undefined };
    const whole = {
      principal: 'ann',
      organisation: 'acme',
      tool: 'stock_delete',
      source: 'stock',
      operation: 'deleteItem',
      definition: 'd1',
      approval: 'a'.repeat(32),
      createdAt: 7,
      createdBy: 'owner',
      channel: 'cli',
    };
    expect(rest).toEqual(left === undefined ? {} : { ...whole, ...left });
  });
});

describe('an agreement to a skill', () => {
  const question = (id: string, changes: Partial<StoredApproval> = {}): StoredApproval => ({
    ...asked('skill', SKILL),
    id,
    ...changes,
  });
  const given = standingFor(question('a1'), { decision: 'approve' }, BY)!;
  const kept = async (...approvals: readonly StoredApproval[]) => {
    const records = createMemoryRecords();
    for (const approval of approvals) await records.insert(approval);
    const states = async () =>
      Object.fromEntries((await records.list({ limit: 100 })).map(({ id, state }) => [id, state]));
    return { records, states };
  };
  const elsewhere = [
    question('b1', { principal: 'bob' }),
    question('b2', { organisation: 'other' }),
    question('b3', { source: 'shop' }),
    question('b4', { skill: { ...SKILL, skill: 'prices' } }),
    question('b5', { standing: 'tool' }),
  ];

  it('answers the open questions about it of the same caller and no others, in the name of who gave it', async () => {
    const { records } = await kept(question('a2'), ...elsewhere);
    const answered = await answerOthers(records, given, SKILL);
    expect(answered).toEqual([
      { ...question('a2'), state: 'approved', decidedAt: 7, decidedBy: 'owner', channel: 'cli' },
    ]);
  });

  it('answers none about a tool that was not shown so, nor one without the sandbox', async () => {
    const more = { operation: 'addItem', access: 'write', network: false } as const;
    const { records } = await kept(
      question('c1', { operation: 'addItem', skill: { ...SKILL, tools: [...SKILL.tools, more] } }),
      question('c2', { operation: 'unknown' }),
      question('c3', { skill: { ...SKILL, isolated: false } }),
      question('c4', { skill: { ...SKILL, version: 'v2' } }),
    );
    expect(await answerOthers(records, given, SKILL)).toEqual([]);
  });

  it('that is taken back ends what it approved and nobody used, and nothing else', async () => {
    const approved = elsewhere.map((one) => ({ ...one, state: 'approved' as const }));
    const { records, states } = await kept(
      question('a1', { state: 'executing' }),
      question('a2', { state: 'approved' }),
      question('a3'),
      ...approved,
    );
    await endApproved(records, given);
    const others = Object.fromEntries(approved.map(({ id }) => [id, 'approved']));
    expect(await states()).toEqual({ a1: 'executing', a2: 'stale', a3: 'pending', ...others });
  });
});

it('an approval of a tool that is taken back ends the call that it approved, while nobody used it', async () => {
  const given = standingFor(asked('tool'), { decision: 'approve_always' }, BY)!;
  for (const [state, after] of [
    ['approved', 'stale'],
    ['executing', 'executing'],
    ['executed', 'executed'],
  ] as const) {
    const records = createMemoryRecords();
    await records.insert({ ...asked('tool'), state });
    await endApproved(records, given);
    expect((await records.get(given.approval))?.state).toBe(after);
  }
});
