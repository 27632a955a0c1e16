import { describe, expect, it } from 'vitest';
import type { Json } from '../../../src/operations/index.ts';
import { project } from '../../../src/results/shaping/projection.ts';
import fc from '../../properties.ts';

const ROW: Json = {
  id: 1,
  name: 'a',
  owner: { name: 'x', mail: 'y' },
  disks: [
    { id: 1, size: 10 },
    { id: 2, size: 20 },
  ],
  labels: { 'app.example.com/tier': 'gold', zone: 'b' },
  none: null,
};

describe('only the fields asked for, where they stood', () => {
  it.each<[string[], Json]>([
    [['id'], { id: 1 }],
    [['name', 'id'], { name: 'a', id: 1 }],
    [['owner.name'], { owner: { name: 'x' } }],
    [['owner.name', 'owner.mail', 'id'], { owner: { name: 'x', mail: 'y' }, id: 1 }],
    [['owner', 'owner.name'], { owner: { name: 'x', mail: 'y' } }],
    [['disks.id'], { disks: [{ id: 1 }, { id: 2 }] }],
    [['disks[].size'], { disks: [{ size: 10 }, { size: 20 }] }],
    [['disks.1.size'], { disks: [{ size: 20 }] }],
    [['labels.app.example.com/tier'], { labels: { 'app.example.com/tier': 'gold' } }],
    [['none'], { none: null }],
    [['*'], ROW],
    [['missing'], {}],
  ])('%j', (fields, expected) => expect(project([ROW], fields).rows).toEqual([expected]));

  it('names what no row has', () => {
    expect(project([ROW, { other: 1 }], ['id', 'other', 'nmae', 'owner.age']).unknown).toEqual([
      'nmae',
      'owner.age',
    ]);
    expect(project([], ['id']).unknown).toEqual([]);
  });

  it('leaves rows that are no objects as they are', () => {
    expect(project(['a', 1, null], ['id'])).toEqual({ rows: ['a', 1, null], unknown: ['id'] });
  });

  it('makes no prototypes out of names', () => {
    const row = JSON.parse('{"__proto__":{"polluted":1},"id":1}');
    const [picked] = project([row], ['__proto__.polluted', 'id']).rows;
    expect(JSON.stringify(picked)).toBe('{"__proto__":{"polluted":1},"id":1}');
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });

  it('is the same when done twice, and is a part of the row', () => {
    const leaf = fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.integer());
    const inner = fc.dictionary(
      fc.constantFrom('a', 'b', 'c'),
      fc.oneof(fc.integer(), leaf, fc.array(leaf, { maxLength: 4 })),
    );
    const value = fc.dictionary(
      fc.constantFrom('a', 'b', 'c'),
      fc.oneof(fc.integer(), inner, fc.array(inner, { maxLength: 4 })),
    );
    const fields = fc.array(fc.constantFrom('a', 'b', 'a.b', 'a[].c', 'b.a.c'), { minLength: 1 });
    fc.assert(
      fc.property(value, fields, (row, wanted) => {
        const [once] = project([row as Json], wanted).rows;
        expect(project([once!], wanted).rows).toEqual([once]);
        expect(row).toMatchObject(once as object);
      }),
    );
  });
});
