import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/operations/index.ts';
import { fill, namesIn } from '../../../src/topology/generic/template.ts';

const schema: JsonObject = {
  type: 'object',
  properties: {
    id: { type: 'integer' },
    ids: { type: 'array', items: { type: 'integer' } },
    code: { type: 'string' },
    emails: {
      type: 'array',
      items: { type: 'object', properties: { value: { type: 'string' }, type: { type: 'string' } } },
    },
  },
};

describe('filling a template', () => {
  it.each<[string, JsonObject, JsonObject, JsonObject]>([
    ['a whole leaf keeps its value', { a: '{{x}}' }, { x: { y: [1] } }, { a: { y: [1] } }],
    ['digits become an integer where one is asked for', { id: '{{x}}' }, { x: '42' }, { id: 42 }],
    ['in lists too', { ids: ['{{x}}'] }, { x: '42' }, { ids: [42] }],
    ['text that is no number stays as it is', { id: '{{x}}' }, { x: '4 2' }, { id: '4 2' }],
    [
      'digits beyond what a number holds stay text',
      { id: '{{x}}' },
      { x: '1234567890123456789' },
      { id: '1234567890123456789' },
    ],
    ['a number becomes text where text is asked for', { code: '{{x}}' }, { x: 7 }, { code: '7' }],
    ['texts are joined', { n: '{{a}} {{b}}' }, { a: 'Ada', b: 'Byron' }, { n: 'Ada Byron' }],
    ['a missing part is left out', { n: '{{a}} {{b}}' }, { b: 'Byron' }, { n: 'Byron' }],
    ['a text of which nothing is there is left out', { n: '{{a}} {{b}}', c: 1 }, {}, { c: 1 }],
    ['a time as milliseconds', { at: '{{t|ms}}' }, { t: '2023-11-14T22:13:20Z' }, { at: 1_700_000_000_000 }],
    ['a time that is none stays', { at: '{{t|ms}}' }, { t: 'soon' }, { at: 'soon' }],
    ['a constant stays', { type: 'fixed' }, {}, { type: 'fixed' }],
    [
      'a constant beside what is missing goes with it',
      { emails: [{ value: '{{email}}', type: 'personal' }], name: '{{name}}' },
      { name: 'Ada' },
      { name: 'Ada' },
    ],
    [
      'a constant beside what is there stays',
      { emails: [{ value: '{{email}}', type: 'personal' }] },
      { email: 'a@b.example' },
      { emails: [{ value: 'a@b.example', type: 'personal' }] },
    ],
    ['braces in a value are a value', { a: '{{x}}' }, { x: '{{y}}', y: 'no' }, { a: '{{y}}' }],
  ])('%s', (_case, template, args, expected) => {
    expect(fill(template, args, schema)).toEqual(expected);
  });

  it('knows which arguments it can place', () => {
    expect([...namesIn({ a: '{{x}} {{y}}', b: [{ c: '{{z}}' }], d: 'fixed' })]).toEqual(['x', 'y', 'z']);
  });
});
