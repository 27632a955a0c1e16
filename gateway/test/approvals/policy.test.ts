import { describe, expect, it } from 'vitest';
import { needsApproval, policyHash } from '../../src/approvals/policy.ts';
import { DEFAULT_APPROVALS } from '../../src/config/settings/approvals.ts';
import type {
  Access,
  ApprovalPolicy,
  ApprovalRule,
  JsonObject,
  Operation,
} from '../../src/operations/index.ts';
import { applyAccessRules } from '../../src/policy/access-rules.ts';

const operation = (access: Access, more: Partial<Operation> = {}): Operation => ({
  id: 'items.change',
  source: 'stock',
  description: 'Changes an item.',
  input: { type: 'object' },
  access,
  tags: ['items'],
  safety: {
    network: true,
    file: false,
    destructive: access === 'delete',
    idempotent: false,
    openWorld: true,
  },
  hints: { 'x-llm-hints': { requires_confirmation: true, risk: '' } },
  invocation: { kind: 'function', function: 'change' },
  ...more,
});
const harmless = { safety: { ...operation('write').safety, destructive: false } };
const need = (policy: Partial<ApprovalPolicy>, of: Operation, roles: readonly string[] = []) =>
  needsApproval({ ...DEFAULT_APPROVALS, ...policy }, { tool: 'stock_change', operation: of, roles });
const asks = (...given: Parameters<typeof need>) => need(...given) !== undefined;

describe('needsApproval', () => {
  it.each<[string, boolean, Partial<ApprovalPolicy>, Operation]>([
    ['reading never asks', false, { write: 'ask' }, operation('read')],
    [
      'a description that asks for a confirmation asks, also for reading',
      true,
      {},
      { ...operation('read'), confirmation: 'It shows whose account it is.' },
    ],
    [
      'the operator can do without that confirmation',
      false,
      { rules: [{ operation: 'items.change', action: 'allow' }] },
      { ...operation('read'), confirmation: 'It shows whose account it is.' },
    ],
    [
      'who allows more than this operation does not',
      true,
      { rules: [{ source: 'stock', action: 'allow' }] },
      { ...operation('read'), confirmation: 'It shows whose account it is.' },
    ],
    ['writing is free by default', false, {}, operation('write')],
    ['writing asks where the policy says so', true, { write: 'ask' }, operation('write')],
    ['deleting asks', true, {}, operation('delete')],
    ['deleting asks though nothing is destroyed', true, {}, operation('delete', harmless)],
    ['and is free then where the policy says so', false, { delete: 'allow' }, operation('delete', harmless)],
    ['what destroys asks whatever the policy says', true, { delete: 'allow' }, operation('delete')],
    [
      'and whatever a rule says',
      true,
      { delete: 'allow', rules: [{ tool: 'stock_change', action: 'allow' }] },
      operation('delete'),
    ],
    [
      'a write that destroys asks',
      true,
      {},
      operation('write', { safety: { ...operation('write').safety, destructive: true } }),
    ],
    [
      'asking beats allowing, whatever the order',
      true,
      {
        rules: [
          { source: 'stock', action: 'ask' },
          { tool: 'stock_change', action: 'allow' },
        ],
      },
      operation('write'),
    ],
    [
      'a rule that allows beats the default',
      false,
      { write: 'ask', rules: [{ tag: 'items', action: 'allow' }] },
      operation('write'),
    ],
    [
      'a rule may ask for reading',
      true,
      { rules: [{ operation: 'items.change', action: 'ask' }] },
      operation('read'),
    ],
  ])('%s', (_, expected, policy, of) => expect(asks(policy, of)).toBe(expected));

  describe('hints that ask for a confirmation', () => {
    const hinted = (access: Access, hints: JsonObject, more: Partial<Operation> = {}) =>
      operation(access, { hints, ...harmless, ...more });
    const asking = { requires_confirmation: true, confirmation_reason: 'It returns a secret' };
    it.each<[string, boolean, Partial<ApprovalPolicy>, Operation]>([
      ['a write asks', true, {}, hinted('write', asking)],
      ['even reading asks', true, {}, hinted('read', asking)],
      [
        'a rule that allows the operation by its id lets it through',
        false,
        { rules: [{ operation: 'items.change', action: 'allow' }] },
        hinted('read', asking),
      ],
      [
        'a rule that allows more than this operation does not',
        true,
        { rules: [{ source: 'stock', action: 'allow' }] },
        hinted('write', asking),
      ],
      [
        'nor does one beside a rule that asks',
        true,
        {
          rules: [
            { operation: 'items.change', action: 'allow' },
            { tag: 'items', action: 'ask' },
          ],
        },
        hinted('write', asking),
      ],
      [
        'what destroys asks whatever a rule allows',
        true,
        { rules: [{ operation: 'items.change', action: 'allow' }] },
        operation('delete', { hints: asking }),
      ],
      [
        'no wish for one takes a question away',
        true,
        {},
        operation('delete', { hints: { requires_confirmation: false } }),
      ],
      [
        'nor where the policy asks',
        true,
        { write: 'ask' },
        hinted('write', { requires_confirmation: false }),
      ],
      ['no wish asks nothing', false, {}, hinted('write', { requires_confirmation: false })],
    ])('%s', (_, expected, policy, of) => expect(asks(policy, of)).toBe(expected));

    it('say why, and a person may agree to the tool for longer', () => {
      expect(need({}, hinted('write', asking))).toEqual({
        reason: 'The description asks for a confirmation: It returns a secret.',
        standing: 'tool',
      });
      expect(need({}, hinted('write', { requires_confirmation: true }))!.reason).toBe(
        'The description asks for a confirmation.',
      );
    });

    it('are found by a rule under the name of their extension, too', () => {
      const rules: ApprovalRule[] = [{ hint: 'x-llm-hints.risk', action: 'ask' }];
      expect(asks({ rules }, hinted('write', { risk: 'high' }))).toBe(true);
      expect(asks({ rules }, hinted('write', { risk: '' }))).toBe(false);
    });

    it.each<[string, boolean, JsonObject | undefined]>([
      ['a group that says so', true, { billing: { costly: true } }],
      ['a number', true, { billing: { costly: 0 } }],
      ['a name with a dot in it', true, { 'billing.costly': 'yes' }],
      ['the name with a dot before the group', false, { 'billing.costly': false, billing: { costly: true } }],
      ['no', false, { billing: { costly: false } }],
      ['no as a text', false, { billing: { costly: 'false' } }],
      ['nothing', false, { billing: { costly: null } }],
      ['a group that is nothing', false, { billing: null }],
      ['a group that is a text', false, { billing: 'costly' }],
      ['no hints at all', false, undefined],
    ])('are set or not: %s', (_, expected, hints) => {
      const { hints: _none, ...bare } = operation('write', harmless);
      const of = hints === undefined ? bare : { ...bare, hints };
      expect(asks({ rules: [{ hint: 'billing.costly', action: 'ask' }] }, of)).toBe(expected);
      expect(asks({ rules: [{ hint: 'billing.constructor', action: 'ask' }] }, of)).toBe(false);
    });
  });

  it.each<[ApprovalRule, boolean]>([
    [{ access: 'write', action: 'ask' }, true],
    [{ access: 'delete', action: 'ask' }, false],
    [{ source: 'stock', action: 'ask' }, true],
    [{ source: 'other', action: 'ask' }, false],
    [{ operation: 'items.change', action: 'ask' }, true],
    [{ operation: 'items.chang', action: 'ask' }, false],
    [{ tag: 'items', action: 'ask' }, true],
    [{ tag: 'users', action: 'ask' }, false],
    [{ role: 'intern', action: 'ask' }, true],
    [{ role: 'admin', action: 'ask' }, false],
    [{ tool: 'stock_change', action: 'ask' }, true],
    [{ hint: 'x-llm-hints', action: 'ask' }, true],
    [{ hint: 'x-llm-hints.requires_confirmation', action: 'ask' }, true],
    [{ hint: 'x-llm-hints.risk', action: 'ask' }, false],
    [{ hint: 'constructor', action: 'ask' }, false],
    [{ source: 'stock', tag: 'users', action: 'ask' }, false],
  ])('every part of %j must match', (rule, expected) => {
    expect(asks({ rules: [rule] }, operation('write'), ['intern'])).toBe(expected);
  });

  it('finds the rule of the own tool where the operation is called by way of another', () => {
    const by = (ownTool: string | undefined) => ({
      tool: 'call_tool',
      ownTool,
      operation: operation('write'),
      roles: [],
    });
    const policy = { ...DEFAULT_APPROVALS, rules: [{ tool: 'stock_change', action: 'ask' } as const] };
    expect(needsApproval(policy, by('stock_change'))).toBeDefined();
    expect(needsApproval(policy, by('stock_other'))).toBeUndefined();
    expect(needsApproval(policy, by(undefined))).toBeUndefined();
  });

  it('says how far an approval may stand', () => {
    expect(need({ write: 'ask' }, operation('write'))?.standing).toBe('tool');
    expect(need({}, operation('delete'))?.standing).toBe('arguments');
  });

  it('never lets what was dangerous stand, however it was enabled', () => {
    const enabled = (access: Access, rules: Parameters<typeof applyAccessRules>[1]) =>
      need({ delete: 'allow' }, applyAccessRules([operation(access)], rules)[0]!);
    const byName = { operation: 'items.change', access: 'delete' } as const;
    expect(enabled('dangerous', [byName])?.standing).toBe('never');
    expect(enabled('write', [{ tag: 'items', access: 'dangerous' }, byName])?.standing).toBe('never');
    expect(enabled('write', [byName])?.standing).toBe('arguments');
  });
});

describe('policyHash', () => {
  it('changes with what is asked and who decides, not with how people are reached', () => {
    const hash = policyHash(DEFAULT_APPROVALS);
    expect(policyHash({ ...DEFAULT_APPROVALS, write: 'ask' })).not.toBe(hash);
    expect(policyHash({ ...DEFAULT_APPROVALS, approvers: ['owner'] })).not.toBe(hash);
    expect(policyHash({ ...DEFAULT_APPROVALS, waitMs: 5000, elicitation: 'url' })).toBe(hash);
  });
});
