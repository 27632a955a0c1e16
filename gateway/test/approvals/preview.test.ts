import { describe, expect, it } from 'vitest';
import { applyEdit } from '../../src/approvals/apply-edit.ts';
import { cardOf } from '../../src/approvals/card.ts';
import { previewOf } from '../../src/approvals/preview.ts';
import type { Approval, JsonObject } from '../../src/operations/index.ts';
import { printable } from '../../src/operations/text/printable.ts';
import { redact } from '../../src/telemetry/redact.ts';

const preview = (args: JsonObject) => previewOf(args, (value) => redact(value, ['s3cr3t-value']));

describe('previewOf', () => {
  it('hides secrets by name and by value', () => {
    const shown = JSON.stringify(preview({ id: 1, password: 'hunter22', note: 'use s3cr3t-value here' }));
    expect(shown).toContain('"id":1');
    expect(shown).not.toMatch(/hunter22|s3cr3t-value/);
  });

  it('cuts long texts and lists, and stays small whatever comes', () => {
    const shown = preview({ text: 'x'.repeat(100_000), list: Array.from({ length: 5000 }, (_, i) => i) });
    expect(shown['text']).toMatch(/^x{500}… \(100000 characters\)$/);
    expect((shown['list'] as unknown[]).at(-1)).toBe('… (5000 items)');
    const many = Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`member${i}`, i]));
    expect(JSON.stringify(preview(many)).length).toBeLessThan(20_000);
  });
});

describe('applyEdit', () => {
  const original = { id: 1, password: 'hunter22', tags: ['a', 'b'], deep: { token: 'abcdefgh', n: 1 } };
  const shown = preview(original);

  it('keeps what was left as shown, secrets that were hidden included', () => {
    expect(applyEdit(original, shown, { ...shown, id: 7 })).toEqual({ ...original, id: 7 });
    expect(applyEdit(original, shown, shown)).toEqual(original);
    const deep = { ...(shown['deep'] as JsonObject), n: 2 };
    expect(applyEdit(original, shown, { ...shown, deep })).toEqual({
      ...original,
      deep: { token: 'abcdefgh', n: 2 },
    });
  });

  it('takes away what the person took away, and adds what they added', () => {
    expect(applyEdit(original, shown, { id: 1, more: true })).toEqual({ id: 1, more: true });
    expect(applyEdit(original, shown, { tags: ['a', 'c'] })).toEqual({ tags: ['a', 'c'] });
  });
});

describe('applyEdit of hidden values in lists', () => {
  const [ann, bob] = [
    { id: 1, password: 'of-ann' },
    { id: 2, password: 'of-bob' },
  ] as const;
  const original = { users: [ann, bob], passwords: ['one', 'two'] };
  const shown = preview(original);
  const [first, second] = shown['users'] as [JsonObject, JsonObject];
  const edit = (users: JsonObject[]) => applyEdit(original, shown, { users })['users'];

  it('gives each item its own, wherever it stands now', () => {
    expect(edit([second])).toEqual([bob]);
    expect(edit([second, first])).toEqual([bob, ann]);
    expect(edit([{ id: 3, password: 'new' }, first, second])).toEqual([{ id: 3, password: 'new' }, ann, bob]);
    expect(edit([{ ...first, id: 9 }, second])).toEqual([{ ...ann, id: 9 }, bob]);
  });

  it('sends neither another’s nor what stands for it', () => {
    expect(() => edit([{ ...second, id: 9 }])).toThrow('was not shown');
    expect(() => edit([{ id: 3, password: '[redacted]' }, first, second])).toThrow('was not shown');
    expect(() => applyEdit(original, shown, { secret: second['password']! })).toThrow('was not shown');
    const alike = { tokens: [{ password: 'a1' }, { password: 'b2' }] };
    const [hidden] = preview(alike)['tokens'] as [JsonObject];
    expect(() => applyEdit(alike, preview(alike), { tokens: [hidden] })).toThrow('was not shown');
  });
});

describe('applyEdit beside hidden values', () => {
  const hidden = { password: 'hunter22' };

  it('takes what was shown as it is for what it is', () => {
    const original = {
      ...hidden,
      note: 'hello',
      deep: { text: 'hello', token: 'abcdefgh' },
      list: ['hello'],
    };
    const shown = preview(original);
    const edited = {
      ...shown,
      note: 'hello world',
      deep: { ...(shown['deep'] as JsonObject), text: 'hello world' },
      list: ['hello world'],
      more: null,
    };
    expect(applyEdit(original, shown, edited)).toEqual({
      ...hidden,
      note: 'hello world',
      deep: { text: 'hello world', token: 'abcdefgh' },
      list: ['hello world'],
      more: null,
    });
  });

  it('gives equal items back as often as they stand there, and those that only look equal in their order', () => {
    const one = { users: [hidden] };
    const [user] = preview(one)['users'] as [JsonObject];
    expect(applyEdit(one, preview(one), { users: [user, user] })).toEqual({ users: [hidden, hidden] });
    const two = { keys: [{ password: 'a1' }, { password: 'b2' }, 'x'] };
    const [first, second] = preview(two)['keys'] as [JsonObject, JsonObject];
    expect(applyEdit(two, preview(two), { keys: [first, second, 'y'] })).toEqual({
      keys: [{ password: 'a1' }, { password: 'b2' }, 'y'],
    });
  });

  it('gives a changed item nothing of whatever stood in its place before others were moved', () => {
    const list = { keys: [1, 2, 3].map((id) => ({ id, password: `of ${id}` })) };
    const [first, second, third] = preview(list)['keys'] as [JsonObject, JsonObject, JsonObject];
    const moved = [third, { ...second, id: 9 }, first];
    expect(() => applyEdit(list, preview(list), { keys: moved })).toThrow('was not shown');
  });

  it('changes an argument that is called like what stands for all of them', () => {
    const original = { '…': 'all', id: 1 };
    expect(applyEdit(original, preview(original), { '…': 'some', id: 1 })).toEqual({ '…': 'some', id: 1 });
  });
});

describe('applyEdit of what was cut', () => {
  it('takes a whole new text for one that was cut, and puts no half of one behind a secret', () => {
    const long = { text: 'a'.repeat(600) };
    expect(applyEdit(long, preview(long), { text: 'short' })).toEqual({ text: 'short' });
    const secret = { text: `s3cr3t-value ${'a'.repeat(600)}` };
    const shown = preview(secret);
    const without = (shown['text'] as string).replace('[redacted] ', '');
    expect(without).not.toBe(shown['text']);
    expect(() => applyEdit(secret, shown, { text: without })).toThrow('was not shown');
  });

  it('changes an item of a list whose rest is not shown', () => {
    const long = { names: Array.from({ length: 60 }, (_, index) => `name ${index}`) };
    const names = ['name 0 and more', ...(preview(long)['names'] as string[]).slice(1)];
    expect(applyEdit(long, preview(long), { names })).toEqual({
      names: ['name 0 and more', ...long.names.slice(1)],
    });
  });

  it('keeps the rest of a list whose mark was left', () => {
    const long = { ids: Array.from({ length: 60 }, (_, index) => index) };
    const shown = preview(long);
    const ids = [7, ...(shown['ids'] as number[]).slice(1)];
    expect(applyEdit(long, shown, { ids })).toEqual({ ids: [7, ...long.ids.slice(1)] });
  });

  it('never sends the mark of the rest', () => {
    const long = { ids: Array.from({ length: 60 }, (_, index) => index) };
    const shown = preview(long);
    const marked = [1, (shown['ids'] as string[]).at(-1)!];
    expect(applyEdit(long, shown, { ids: marked })).toEqual({ ids: [1, ...long.ids.slice(50)] });
    expect(applyEdit(long, shown, { ids: [1] })).toEqual({ ids: [1] });
    expect(() => applyEdit(long, shown, { ids: [...marked, 2] })).toThrow('was not shown');
    const one = { ids: Array.from({ length: 51 }, (_, index) => index) };
    const ids = (preview(one)['ids'] as number[]).slice(1);
    expect(applyEdit(one, preview(one), { ids })).toEqual({ ids: one.ids.slice(1) });
  });

  it('keeps the rest of a text whose mark was left, and never sends half of one', () => {
    const texts = { texts: ['a'.repeat(600), 'b'.repeat(600)], note: `x${'👍'.repeat(300)}` };
    const shown = preview(texts);
    const [first, second] = shown['texts'] as [string, string];
    expect(applyEdit(texts, shown, { ...shown, texts: [second] })).toEqual({
      ...texts,
      texts: [texts.texts[1]],
    });
    expect(applyEdit(texts, shown, { ...shown, texts: [`!${first}`, second] })).toEqual({
      ...texts,
      texts: [`!${texts.texts[0]}`, texts.texts[1]],
    });
    expect(() => applyEdit(texts, shown, { texts: [`!${second}`] })).toThrow('was not shown');
    // a browser has no half characters
    expect(JSON.stringify(shown).isWellFormed()).toBe(true);
    expect((shown['note'] as string).isWellFormed()).toBe(true);
  });

  it('adds to arguments that were too large to show', () => {
    const many = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`member${index}`, index]));
    const shown = preview(many);
    expect(applyEdit(many, shown, { ...shown, member0: 9 })).toEqual({ ...many, member0: 9 });
  });
});

describe('cardOf', () => {
  const approval: Approval = {
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
    preview: { id: 7, name: 'evil\u202etxt\u001b[2J' },
    reason: 'The operation destroys data.',
    standing: 'arguments',
    createdAt: 0,
    expiresAt: 600_000,
    call: 'c',
  };

  it('says what would happen, and nothing moves the cursor or turns the text', () => {
    const card = cardOf(approval);
    expect(card).toMatchObject({
      id: approval.id,
      variant: 'destructive',
      title: 'Destructive call: deleteItem (by stock_delete)',
    });
    expect(card.metadata).toContainEqual({ key: 'id', value: '7' });
    expect(card.metadata).toContainEqual({ key: 'expires', value: '1970-01-01T00:10:00.000Z' });
    expect(JSON.stringify(card)).not.toMatch(/\\u001b|\u202e/);
    expect(card.receipt).toBeUndefined();
  });

  it.each([
    ['write', 'tool', 'default'],
    ['read', 'skill', 'default'],
    ['write', 'arguments', 'destructive'],
    ['read', 'never', 'destructive'],
    ['delete', 'tool', 'destructive'],
    ['dangerous', 'tool', 'destructive'],
  ] as const)('shows a call of access %s, agreed to for %s, as %s', (access, standing, variant) => {
    expect(cardOf({ ...approval, access, standing }).variant).toBe(variant);
  });

  it('says whose organisation it is, and how many arguments it leaves out', () => {
    const preview = Object.fromEntries(Array.from({ length: 43 }, (_, index) => [`a${index}`, index]));
    const { metadata } = cardOf({ ...approval, organisation: 'acme', preview });
    expect(metadata).toContainEqual({ key: 'caller', value: 'ann (acme)' });
    expect(metadata).toContainEqual({ key: '…', value: '3 more arguments' });
    expect(cardOf(approval).metadata).toContainEqual({ key: 'caller', value: 'ann' });
    expect(cardOf(approval).metadata.map(({ key }) => key)).not.toContain('…');
  });

  it('lets no argument pass for what the gateway says', () => {
    const spoofed = { access: 'read', ' Operation\u200b': 'notes/list', '…': 'nothing more' };
    const { metadata } = cardOf({ ...approval, preview: spoofed });
    const own = metadata.filter(({ key }) => /^\s*(?:access|operation|…|\.\.\.)\s*$/i.test(key));
    expect(own.map(({ value }) => value)).toEqual(['stock/deleteItem', 'delete']);
    const alike = [
      '\u043eperation',
      '\u0430\u0441\u0441\u0435\u0455\u0455',
      'caIler',
      'operation:',
      '0peration',
    ];
    for (const name of alike) {
      const [first] = cardOf({ ...approval, preview: { [name]: 'notes/list' } }).metadata;
      expect(first?.key).toBe(`argument "${name}"`);
    }
  });

  it('has a receipt once it is decided', () => {
    const decided = {
      ...approval,
      state: 'denied',
      decidedAt: 5,
      decidedBy: 'bob',
      channel: 'cli',
      note: 'No.',
    } as const;
    expect(cardOf(decided).receipt).toEqual({
      outcome: 'denied',
      summary: 'Rejected. Decided by bob (cli). No.',
      at: '1970-01-01T00:00:00.005Z',
    });
  });

  it('leaves ordinary text of any script as it is', () => {
    expect(printable('Größe 北京 👍 ok')).toBe('Größe 北京 👍 ok');
  });
});
