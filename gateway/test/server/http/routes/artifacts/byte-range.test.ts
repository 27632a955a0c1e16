import { describe, expect, it } from 'vitest';
import {
  allowsRange,
  matchesTag,
  readRange,
} from '../../../../../src/server/http/routes/artifacts/byte-range.ts';

describe('a Range header for 100 bytes (RFC 9110 §14)', () => {
  it.each<[string | null, ReturnType<typeof readRange>]>([
    ['bytes=0-0', { first: 0, last: 0 }],
    ['bytes=0-99', { first: 0, last: 99 }],
    ['bytes=10-1000', { first: 10, last: 99 }],
    ['bytes=99-', { first: 99, last: 99 }],
    ['bytes=-1', { first: 99, last: 99 }],
    ['bytes=-1000', { first: 0, last: 99 }],
    ['BYTES= 5-6 ', { first: 5, last: 6 }],
    ['bytes=100-', 'unsatisfiable'],
    ['bytes=100-200', 'unsatisfiable'],
    ['bytes=-0', 'unsatisfiable'],
    [null, undefined],
    ['', undefined],
    ['bytes=', undefined],
    ['bytes=-', undefined],
    ['bytes=9-5', undefined],
    ['bytes=0-1,3-4', undefined],
    ['items=0-1', undefined],
    ['kilobytes=0-1', undefined],
    ['bytes=a-b', undefined],
    ['bytes=99999999999999999999-', undefined],
  ])('%s', (header, expected) => {
    expect(readRange(header, 100)).toEqual(expected);
  });

  it('finds no byte in nothing', () => {
    expect(readRange('bytes=0-', 0)).toBe('unsatisfiable');
    expect(readRange('bytes=-5', 0)).toBe('unsatisfiable');
  });
});

describe('conditions (RFC 9110 §13)', () => {
  it.each([
    ['"a"', true],
    ['W/"a"', true],
    ['"b", "a"', true],
    ['*', true],
    ['"b"', false],
    ['a', false],
    [null, false],
  ])('If-None-Match %s', (header, expected) => {
    expect(matchesTag(header, '"a"')).toBe(expected);
  });

  it.each([
    [null, true],
    ['"a"', true],
    ['W/"a"', false],
    ['"b"', false],
    ['Wed, 21 Oct 2026 07:28:00 GMT', false],
  ])('If-Range %s', (header, expected) => {
    expect(allowsRange(header, '"a"')).toBe(expected);
  });
});
