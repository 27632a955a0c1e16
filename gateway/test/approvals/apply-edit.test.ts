import { describe, expect, it } from 'vitest';
import { applyEdit, standInsOf } from '../../src/approvals/apply-edit.ts';
import { previewOf } from '../../src/approvals/preview.ts';
import type { JsonObject } from '../../src/operations/index.ts';
import { redact } from '../../src/telemetry/redact.ts';

const preview = (args: JsonObject) => previewOf(redact(args, ['s3cr3t-value']));

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
    const thrice = { tokens: [hidden!, hidden!, hidden!] };
    expect(() => applyEdit(alike, preview(alike), thrice)).toThrow('was not shown');
  });

  it('gives none what another has hidden that it looks more like', () => {
    const rewritten = { id: 3, password: 'new' };
    expect(() => edit([{ ...second, note: 'x' }, rewritten])).toThrow('was not shown');
    expect(edit([{ ...first, note: 'x' }, rewritten])).toEqual([{ ...ann, note: 'x' }, rewritten]);
    const asBob = { id: 2, password: 'new' };
    expect(edit([asBob, rewritten])).toEqual([asBob, rewritten]);
    expect(
      edit([
        { ...first, note: 'x' },
        { ...second, id: 9 },
      ]),
    ).toEqual([
      { ...ann, note: 'x' },
      { ...bob, id: 9 },
    ]);
  });

  it('sends no argument by a name that stands for the one that was called', () => {
    const named = { 's3cr3t-value': 5, id: 1 };
    const shownNames = preview(named);
    expect(shownNames).toEqual({ '[redacted]': 5, id: 1 });
    expect(() => applyEdit(named, shownNames, { ...shownNames, id: 2 })).toThrow('was not shown');
    expect(applyEdit(named, shownNames, { id: 2 })).toEqual({ id: 2 });
  });
});

describe('applyEdit beside hidden values', () => {
  const hidden = { password: 'hunter22' };

  it.each([
    ['[redacted]', 'as [redacted]'],
    ['http://***@x', 'http://***@y'],
    ['http://###@x', '### and more'],
    ['what no mark is in', 'what no mark is in, and more'],
  ])('puts nothing in the place of %j, and sends %j nowhere else', (shown, note) => {
    const original = { url: 'http://u:p@x', note: 'n' };
    const seen = { url: shown, note: 'n' };
    expect(applyEdit(original, seen, { ...seen, note: 'm' })).toEqual({ ...original, note: 'm' });
    expect(() => applyEdit(original, seen, { ...seen, note })).toThrow('was not shown');
  });

  it('takes a mark that the caller wrote beside one of ours for a text', () => {
    const original = { ...hidden, note: '[redacted] by s3cr3t-value' };
    const shown = preview(original);
    expect(applyEdit({ note: original.note }, { note: shown['note']! }, { note: 'was [redacted]' })).toEqual({
      note: 'was [redacted]',
    });
    expect(() => applyEdit(original, shown, { ...shown, note: 'was [redacted]' })).toThrow('was not shown');
  });

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

  it('puts nothing that stands for a secret before the rest of a text', () => {
    const args = { password: 'hunter22', text: 'a'.repeat(600) };
    const shown = preview(args);
    const text = `[redacted] ${shown['text']}`;
    expect(() => applyEdit(args, shown, { ...shown, text })).toThrow('was not shown');
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

describe('standInsOf', () => {
  const shown = preview({
    password: 'hunter22',
    text: 'a'.repeat(600),
    ids: Array.from({ length: 60 }, () => 1),
  });
  const isUnknown = standInsOf(shown, shown);

  it.each([
    ['a secret', shown['password']],
    ['a text that was cut', shown['text']],
    ['an edited text that was cut', `!${shown['text']}`],
    ['the rest of a list', shown['ids']],
    ['a member that holds one', { deep: [shown['password']] }],
  ])('finds %s', (_what, edited) => {
    expect(isUnknown(edited)).toBe(true);
  });

  it('leaves what a person wrote', () => {
    for (const edited of ['hunter2', ['a'], { text: 'b' }, 7, null]) expect(isUnknown(edited)).toBe(false);
    expect(standInsOf({ id: 1 }, { id: 1 })('[redacted]')).toBe(false);
  });
});
