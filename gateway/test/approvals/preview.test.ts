import { describe, expect, it } from 'vitest';
import { cardOf } from '../../src/approvals/card.ts';
import { hiddenNote, previewOf } from '../../src/approvals/preview.ts';
import type { Approval, JsonObject } from '../../src/operations/index.ts';
import { printable } from '../../src/operations/text/printable.ts';
import { redact } from '../../src/telemetry/redact.ts';

const clean = (args: JsonObject) => redact(args, ['s3cr3t-value']);
const preview = (args: JsonObject) => previewOf(clean(args));

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

describe('hiddenNote', () => {
  const note = (args: JsonObject) => hiddenNote(args, clean(args));

  it('is nothing where all is shown or only cut', () => {
    expect(note({ id: 1, note: 'to do', list: [1, null, true], text: 'x'.repeat(5000) })).toBe('');
  });

  it('says which arguments hold what is not shown, and how much: the caller wrote it', () => {
    expect(note({ sql: "SELECT 1; -- password=';DROP TABLE users;--'", id: 4 })).toBe(
      ' Not shown, since it looks like a secret: sql (20 characters). The caller wrote it.',
    );
    const args = {
      rows: [{ name: 'token', value: 'abcdef' }, 'ok s3cr3t-value'],
      secret: { to: 'x', n: 12 },
    };
    expect(note(args)).toBe(
      ' Not shown, since it looks like a secret: rows (18 characters), secret (3 characters). The caller wrote it.',
    );
    const key = `-----BEGIN PRIVATE KEY-----\n${'Pay them. '.repeat(400)}`;
    expect(note({ body: key })).toContain('body (4028 characters)');
  });

  it('counts what stands in a name', () => {
    const labels = { 'all of s3cr3t-value': true, fine: true };
    expect(preview({ labels })).toEqual({ labels: { 'all of [redacted]': true, fine: true } });
    expect(note({ labels, id: 4 })).toContain('secret: labels (12 characters).');
    expect(note({ 's3cr3t-value': 4 })).toContain('secret: [redacted] (12 characters).');
  });

  it('names a few, as people can read them', () => {
    const many = Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`token${i}`, 'abc']));
    expect(note(many)).toMatch(
      /: token0 \(3 characters\), token1 [^,]*, token2 [^,]*, …\. The caller wrote it\.$/,
    );
    expect(note({ 'password\u202e\n': 'abc' })).not.toMatch(/[\u202e\n]/);
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

  it('calls destructive what destroys, and no write that asks for another reason', () => {
    const titled = (access: Approval['access'], standing: Approval['standing']) =>
      cardOf({ ...approval, access, standing }).title;
    expect(titled('write', 'never')).toBe('Call: deleteItem (by stock_delete)');
    expect(titled('write', 'tool')).toBe('Call: deleteItem (by stock_delete)');
    expect(titled('delete', 'never')).toBe('Destructive call: deleteItem (by stock_delete)');
    expect(titled('write', 'arguments')).toBe('Destructive call: deleteItem (by stock_delete)');
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
      summary: 'Rejected. Decided by bob (cli). Reason: No.',
      at: '1970-01-01T00:00:00.005Z',
    });
    expect(cardOf({ ...decided, decidedBy: 'link', channel: 'link' }).receipt?.summary).toBe(
      'Rejected. Decided by link. Reason: No.',
    );
  });

  it('leaves ordinary text of any script as it is', () => {
    expect(printable('Größe 北京 👍 ok')).toBe('Größe 北京 👍 ok');
  });
});
