import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/operations/index.ts';
import { descriptionOf, plainText, titleOf } from '../../../src/sources/openapi/texts.ts';

describe('plainText', () => {
  it.each([
    ['plain', 'plain'],
    ['  trimmed \n', 'trimmed'],
    ['<p>One</p><p>Two</p>', 'One\nTwo'],
    ['a<br/>b', 'a\nb'],
    ['<ul><li>x</li><li>y</li></ul>', '- x\n\n- y'],
    ['see <a href="https://x.example" target="_blank">here</a>', 'see here'],
    ['give <id> and a < b', 'give <id> and a < b'],
    ['**bold** `code`', '**bold** `code`'],
    ['&lt;b&gt; &amp;amp;', '<b> &amp;'],
    ['<!-- hidden -->shown', 'shown'],
  ])('%j → %j', (text, expected) => {
    expect(plainText(text)).toBe(expected);
  });

  it('anything but text is nothing', () => {
    expect(plainText(5)).toBe('');
  });
});

describe('descriptionOf', () => {
  it.each<[object, object, string]>([
    [{ summary: 'List pets', description: 'All of them.' }, {}, 'List pets\n\nAll of them.'],
    [
      { summary: 'List pets.', description: 'List pets and their owners.' },
      {},
      'List pets and their owners.',
    ],
    [{ summary: 'List pets' }, {}, 'List pets'],
    [{ summary: '/pets', description: 'All of them.' }, {}, 'All of them.'],
    [{ summary: 'GET /pets/', description: 'All of them.' }, {}, 'All of them.'],
    [{ summary: '/pets' }, {}, 'GET /pets'],
    [{ 'x-ms-summary': 'Pets' }, {}, 'Pets'],
    [{}, { description: 'Of the path.' }, 'Of the path.'],
    [{}, {}, 'GET /pets'],
    [{ deprecated: true, summary: 'Old' }, {}, 'Deprecated.\n\nOld'],
  ])('%j', (node, pathItem, expected) => {
    expect(descriptionOf(node as never, pathItem as never, 'GET', '/pets')).toBe(expected);
  });
});

describe('titleOf', () => {
  it('is a short summary', () => {
    const title = (node: JsonObject) => titleOf(node, 'GET', '/pets/{id}');
    expect(title({ summary: 'List pets' })).toBe('List pets');
    expect(title({ summary: 'x'.repeat(200) })).toBeUndefined();
    expect(title({ description: 'D' })).toBeUndefined();
    expect(title({ summary: '/pets/:id' })).toBeUndefined();
  });
});
