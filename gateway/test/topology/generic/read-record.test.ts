import { describe, expect, it } from 'vitest';
import type { Json } from '../../../src/operations/index.ts';
import { locate, readField, readRecord } from '../../../src/topology/generic/read-record.ts';

const record = {
  id: 17,
  first: 'Ada',
  last: '',
  emails: [{ value: 'a@b.example' }, { value: null }, { value: 'c@d.example' }],
  'a/b': 'slash',
  at: 1_700_000_000_000,
};

describe('reading a field', () => {
  it.each<[string, string | string[], Json | undefined]>([
    ['a pointer', '/first', 'Ada'],
    ['an escaped pointer', '/a~1b', 'slash'],
    ['the first that holds something', ['/last', '/first'], 'Ada'],
    ['a list collected, without the empty ones', '/emails/*/value', ['a@b.example', 'c@d.example']],
    ['an item of a list', '/emails/0/value', 'a@b.example'],
    ['texts joined', '{/first} {/last}', 'Ada'],
    ['milliseconds as ISO 8601', '/at|ms', '2023-11-14T22:13:20.000Z'],
    ['milliseconds that are none', '/first|ms', undefined],
    ['an empty text', '/last', undefined],
    ['nothing there', '/none/at/all', undefined],
    ['a list of what is no list', '/first/*', undefined],
    ['no inherited property', '/constructor', undefined],
  ])('%s', (_case, source, expected) => expect(readField(record, source)).toEqual(expected));

  it('gives ids as text, and says where the record is from', () => {
    expect(readRecord(record, { fields: { id: '/id', none: '/none' }, actions: {} }, 'greenhouse')).toEqual({
      provider: 'greenhouse',
      id: '17',
    });
  });

  it('finds the record in an answer', () => {
    expect(locate({ data: [record] }, '/data/0')).toBe(record);
    expect(locate(record, undefined)).toBe(record);
    expect(locate(record, ['/candidate', ''])).toBe(record);
    expect(locate({ data: [] }, '/data/0')).toBeUndefined();
  });
});
