import { describe, expect, it } from 'vitest';
import { differences } from '../../../src/pages/approvals/argument-diff.ts';

describe('differences', () => {
  it('names what was added, removed and changed by its pointer', () => {
    const before = { id: 7, tags: ['a', 'b'], owner: { name: 'Ann' }, note: 'x' };
    const after = { id: 8, tags: ['a', 'b'], owner: { name: 'Ann', 'e/mail~': null } };
    expect(differences(before, after)).toEqual([
      { pointer: '/id', kind: 'changed', before: 7, after: 8 },
      { pointer: '/owner/e~1mail~0', kind: 'added', after: null },
      { pointer: '/note', kind: 'removed', before: 'x' },
    ]);
  });

  it('leaves out what both ends of a list have in common', () => {
    expect(differences([1, 2, 3, 4], [1, 9, 2, 3, 4])).toEqual([{ pointer: '/1', kind: 'added', after: 9 }]);
    expect(differences([1, 2, 3], [1, 3])).toEqual([{ pointer: '/1', kind: 'removed', before: 2 }]);
    expect(differences([{ a: 1 }], [{ a: 2 }])).toEqual([
      { pointer: '/0/a', kind: 'changed', before: 1, after: 2 },
    ]);
  });

  it('sees nothing where only the order of members is another, and the whole where the kind is', () => {
    expect(differences({ a: 1, b: [{}] }, { b: [{}], a: 1 })).toEqual([]);
    expect(differences([], {})).toEqual([{ pointer: '', kind: 'changed', before: [], after: {} }]);
    expect(differences({ a: null }, {})).toEqual([{ pointer: '/a', kind: 'removed', before: null }]);
  });

  it('takes no inherited member for one of the value', () => {
    expect(differences({}, { constructor: 1 })).toEqual([
      { pointer: '/constructor', kind: 'added', after: 1 },
    ]);
  });
});
