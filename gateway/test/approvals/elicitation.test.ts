import { describe, expect, it } from 'vitest';
import { formQuestion, readAnswer, urlQuestion, waysToAsk } from '../../src/approvals/elicitation.ts';
import type { StoredApproval } from '../../src/approvals/records.ts';
import type { JsonObject } from '../../src/operations/index.ts';

const APPROVAL: StoredApproval = {
  id: 'a'.repeat(32),
  state: 'pending',
  principal: 'ann',
  tool: 'stock_delete',
  source: 'stock',
  operation: 'deleteItem',
  access: 'delete',
  definition: '',
  argumentsHash: '',
  policy: '',
  preview: { id: 7 },
  reason: 'The operation destroys data.',
  standing: 'arguments',
  createdAt: 0,
  expiresAt: 600_000,
  call: 'c',
  run: '',
  rounds: 0,
};

describe('a client is asked in the ways that it declared', () => {
  it.each<[JsonObject | undefined, ReturnType<typeof waysToAsk>]>([
    [undefined, undefined],
    [{}, undefined],
    [{ elicitation: true }, undefined],
    [{ elicitation: {} }, { form: true, url: false }],
    [{ elicitation: { form: {} } }, { form: true, url: false }],
    [{ elicitation: { url: {} } }, { form: false, url: true }],
    [{ elicitation: { form: {}, url: {} } }, { form: true, url: true }],
  ])('%j', (capabilities, ways) => {
    expect(waysToAsk(capabilities)).toEqual(ways);
  });
});

describe('an answer', () => {
  const answer = (response: unknown, asked: 'form' | 'url' = 'form') =>
    readAnswer({ approval: response } as JsonObject, asked, APPROVAL.preview);
  const decided = (decision: object) => ({ kind: 'decision', decision });
  const reject = decided({ decision: 'reject' });

  it('to a form is the decision in it', () => {
    const accept = (content: JsonObject) => answer({ action: 'accept', content });
    expect(accept({ decision: 'approve' })).toEqual(decided({ decision: 'approve' }));
    expect(accept({ decision: 'edit', edited: '{"id":8}' })).toEqual(
      decided({ decision: 'edit', arguments: { id: 8 } }),
    );
    // the caller is told why
    const slip = decided({ decision: 'reject', reason: 'The edited arguments are no JSON object.' });
    expect(accept({ decision: 'edit', edited: '8' })).toEqual(slip);
    expect(accept({ decision: 'edit' })).toEqual(slip);
    expect(accept({})).toEqual(reject);
  });

  it('to a form with edited arguments, and the choice of those before, approves neither', () => {
    const accept = (text: string) =>
      answer({ action: 'accept', content: { decision: 'approve', edited: text } });
    expect(accept('{"id":7}')).toEqual(decided({ decision: 'approve' }));
    expect(accept('{"id":8}')).toMatchObject(decided({ decision: 'reject' }));
  });

  it('to a form that holds no content approves nothing', () => {
    for (const content of [undefined, null, 'approve', ['approve']])
      expect(answer({ action: 'accept', content })).toEqual(reject);
  });

  it('to an address decides nothing, whatever it holds: the page does', () => {
    expect(answer({ action: 'accept' }, 'url')).toEqual({ kind: 'opened' });
    const content = { decision: 'approve' };
    expect(answer({ action: 'accept', content }, 'url')).toEqual({ kind: 'opened' });
  });

  it.each(['form', 'url'] as const)(
    'that refuses a question by %s rejects the call, and one closed does not',
    (asked) => {
      expect(answer({ action: 'decline' }, asked)).toEqual(reject);
      expect(answer({ action: 'ACCEPT', content: { decision: 'approve' } }, asked)).toEqual(reject);
      expect(answer({ content: { decision: 'approve' } }, asked)).toEqual(reject);
      expect(answer({ action: 'cancel' }, asked)).toEqual({ kind: 'dismissed' });
    },
  );

  it('to another question is none to ours', () => {
    const other = { other: { action: 'accept', content: { decision: 'approve' } } };
    expect(readAnswer(other, 'form', {})).toEqual({ kind: 'none' });
    expect(readAnswer(undefined, 'form', {})).toEqual({ kind: 'none' });
    expect(answer('approve')).toEqual({ kind: 'none' });
  });
});

describe('the form', () => {
  const choices = (standing: StoredApproval['standing']) => {
    const { params } = formQuestion({ ...APPROVAL, standing }) as unknown as {
      params: {
        requestedSchema: {
          properties: { decision: { oneOf: ReadonlyArray<{ const: string; title: string }> } };
          required: readonly string[];
        };
      };
    };
    const { properties, required } = params.requestedSchema;
    expect(required).toEqual(['decision']);
    return properties.decision.oneOf.map((choice) => [choice.const, choice.title]);
  };
  const ONCE = [
    ['approve', 'Approve this call'],
    ['edit', 'Approve with the edited arguments'],
    ['reject', 'Reject'],
  ];

  it('asks for the choice first, also where fields stand in the order of their names', () => {
    const { params } = formQuestion(APPROVAL);
    const names = Object.keys((params!['requestedSchema'] as JsonObject)['properties'] as JsonObject);
    expect(names[0]).toBe('decision');
    expect(names).toEqual(names.toSorted());
  });

  it('offers for later calls what such an approval would cover, and says so', () => {
    expect(choices('never')).toEqual(ONCE);
    const always = 'Approve this and every later call';
    expect(choices('tool')).toEqual([...ONCE, ['approve_always', `${always} of the tool`]]);
    expect(choices('arguments')).toEqual([...ONCE, ['approve_always', `${always} with the same arguments`]]);
  });

  it('says that to approve a skill’s tool agrees to the skill, and to edit does not', () => {
    expect(choices('skill')).toEqual([
      ['approve', 'Approve this and every later call of tools of this skill in this version'],
      ['edit', 'Approve this call alone, with the edited arguments'],
      ['reject', 'Reject'],
    ]);
  });
});

it('form and address show the person whose call it is, of what, why and with which arguments', () => {
  const url = 'https://gateway.example/approve/x';
  for (const { params } of [formQuestion(APPROVAL), urlQuestion(APPROVAL, url)]) {
    const lines = (params!['message'] as string).split('\n');
    expect(lines[0]).toBe('Destructive call: deleteItem (by stock_delete)');
    // there are clients that show three lines
    expect(lines[1]).toBe('id: 7');
    expect(lines[2]).toContain('The operation destroys data.');
    expect(lines).toContain('caller: ann');
  }
  expect(urlQuestion(APPROVAL, url).params).toMatchObject({ mode: 'url', url, elicitationId: APPROVAL.id });
});

describe('the arguments in the form', () => {
  const shown = (preview: JsonObject) => {
    const { params } = formQuestion({ ...APPROVAL, preview });
    const { properties } = params!['requestedSchema'] as { properties: { edited: { default?: string } } };
    return properties.edited.default;
  };

  it('stand there to be edited', () => {
    expect(shown({ id: 7, to: ['ann', { name: 'Bö' }] })).toBe('{"id":7,"to":["ann",{"name":"Bö"}]}');
    expect(shown({})).toBe('{}');
  });

  it('hide nothing, and mean what they did', () => {
    const preview = { text: 'a\u202eb\u200bc\u2028d\u{e0041}e\n\u0085' };
    const text = shown(preview)!;
    expect(text).toMatch(/^[ -~]+$/);
    expect(JSON.parse(text)).toEqual(preview);
  });

  it('are left out where no field would show them', () => {
    expect(shown({ text: 'x'.repeat(1_900) })).toHaveLength(1_911);
    expect(shown({ text: 'x'.repeat(2_100) })).toBeUndefined();
  });
});
