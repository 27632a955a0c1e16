import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Json, JsonObject } from '../../../src/operations/index.ts';
import { valuesAt } from '../../../src/results/shaping/field-path.ts';
import { compileFilter } from '../../../src/results/shaping/filter.ts';
import { createPatternEngine } from '../../../src/validation/linear-pattern.ts';

const engine = createPatternEngine();
const compile = (source: string) => engine.compile(source);

/** Of these values at `a` the ones that a condition keeps. */
function kept(given: Json, values: readonly Json[], name = 'a'): readonly Json[] {
  const { matches } = compileFilter({ [name]: given }, compile);
  return values.filter((a) => matches({ a }));
}

describe('a condition by the nature of the value', () => {
  const mixed: readonly Json[] = [null, 'null', 0, '0', '', false, 'false', true, 'true', 1, '1', [], {}];

  it.each<[Json, readonly Json[]]>([
    [null, [null]],
    ['null', ['null']],
    ['=null', ['null']],
    [0, [0, '0']],
    ['0', [0, '0']],
    ['', ['']],
    ['=', ['']],
    [false, [false, 'false']],
    ['true', [true, 'true']],
    ['!=null', [null, 0, '0', '', false, 'false', true, 'true', 1, '1', [], {}]],
    ['~^null$', ['null']],
    ['~^(true|1|\\{\\})$', [true, 'true', 1, '1', {}]],
    ['>=0', [0, '0', 1, '1']],
    [
      ['0', true],
      [0, '0', true, 'true'],
    ],
  ])('%j', (given, expected) => expect(kept(given, mixed)).toEqual(expected));

  it.each<[string, Json, readonly Json[]]>([
    ['a__contains', 'l', ['null', false, 'false']],
    ['a__contains', 1, [1, '1']],
    ['a__in', [null, 1], [null, 1, '1']],
    ['a__in', 'null , 0', ['null', 0, '0']],
    ['a__ne', null, ['null', 0, '0', '', false, 'false', true, 'true', 1, '1', [], {}]],
    ['a__gt', -1, [0, '0', 1, '1']],
  ])('%s %j', (name, given, expected) => expect(kept(given, mixed, name)).toEqual(expected));

  it('of a list counts by its items, and of what must differ all', () => {
    const lists = [['x', 'y'], ['x'], [], 'x', 'y'];
    expect(kept('x', lists)).toEqual([['x', 'y'], ['x'], 'x']);
    expect(kept('!=x', lists)).toEqual([[], 'y']);
    const rows = [[{ b: 'x' }, { b: 'y' }], [{ b: 'y' }], [{ b: ['x', 'y'] }], [{}]];
    expect(kept('!=x', rows, 'a[].b')).toEqual([[{ b: 'y' }]]);
    expect(kept('x', rows, 'a[].b__ne')).toEqual([[{ b: 'y' }]]);
  });

  it('a suffix that is none belongs to the name', () => {
    const { matches } = compileFilter({ a__size: 1 }, compile);
    expect([matches({ a__size: 1 }), matches({ a: 1 })]).toEqual([true, false]);
  });
});

describe('numbers and moments as services write them', () => {
  it.each<[string, readonly Json[], readonly Json[]]>([
    ['>1e3', ['1001', ' 1e4 ', '999', '0x1f40', '1_001', 'Infinity'], ['1001', ' 1e4 ']],
    ['<.5', ['.25', '+0.1', '-3', '.', ''], ['.25', '+0.1', '-3']],
    [
      '>2026-01-01T12:00',
      [
        '2026-01-01T12:00Z',
        '2026-01-01T12:01',
        '2026-01-01 13:00+00',
        '2026-01-01t12:00:00.5z',
        '2026-01-01',
      ],
      ['2026-01-01T12:01', '2026-01-01 13:00+00', '2026-01-01t12:00:00.5z'],
    ],
    [
      '=2026-01-01T12:00:00+0200',
      ['2026-01-01T10:00Z', ' 2026-01-01T11:00:00.000+01 ', '2026-01-01T08:30-01:30', '2026-01-01T12:00Z'],
      ['2026-01-01T10:00Z', ' 2026-01-01T11:00:00.000+01 ', '2026-01-01T08:30-01:30'],
    ],
    ['<2027', ['2026-01-01', 2026, '2026'], [2026, '2026']],
    ['>2026-01', ['2026-02-30x', '2026-13-01', '2026-1-5', 'since 2026-05-01', '2026-01-02'], ['2026-01-02']],
  ])('%s', (given, values, expected) => expect(kept(given, values)).toEqual(expected));
});

describe('what a filter may cost', () => {
  afterEach(() => vi.restoreAllMocks());

  it.each<[string, JsonObject, string | undefined]>([
    ['values of a list', { a: Array.from({ length: 500 }, (_, index) => index) }, undefined],
    ['one more', { a: Array.from({ length: 501 }, (_, index) => index) }, 'a list has at most 500 values'],
    ['one more by its suffix', { a__in: Array.from({ length: 501 }, () => 1) }, 'at most 500 values'],
    ['an empty list by its suffix', { a__in: [] }, 'the list is empty'],
    ['what is no value in it', { a__in: [{}] }, 'a value is a text, a number'],
    ['a text', { a__ne: 'x'.repeat(2000) }, undefined],
    ['a longer one', { a__ne: 'x'.repeat(2001) }, 'at most 2000 characters'],
    ['a pattern', { a: `~${'x'.repeat(500)}` }, undefined],
    ['a longer one', { a: `~${'x'.repeat(501)}` }, 'a pattern has at most 500 characters'],
    ['patterns', { a: Array.from({ length: 20 }, (_, index) => `~${index}`) }, undefined],
    ['more', { a: Array.from({ length: 21 }, (_, index) => `~${index}`) }, 'at most 20 regular expressions'],
    ['conditions', Object.fromEntries(Array.from({ length: 32 }, (_, index) => [`f${index}`, 1])), undefined],
    ['names of fields', { _has: Array.from({ length: 64 }, () => 'a') }, undefined],
    ['more', { _has: Array.from({ length: 65 }, () => 'a') }, 'it takes 1 to 64 field names'],
    ['none', { _has: [] }, 'it takes 1 to 64 field names'],
    ['a text of whole rows', { _text: 'x'.repeat(1000) }, undefined],
    ['a longer one', { _text: 'x'.repeat(1001) }, '1 to 1,000 characters'],
    ['a deep path', { [Array(16).fill('a').join('.')]: 1 }, undefined],
    ['a deeper one', { [Array(17).fill('a').join('.')]: 1 }, 'this is no field'],
    ['a long name', { ['a'.repeat(257)]: 1 }, 'this is no field'],
  ])('%s', (_what, filters, problem) => {
    const message = problem === undefined ? [] : [expect.stringContaining(problem)];
    const said: unknown[] = [];
    try {
      compileFilter(filters, compile);
    } catch (error) {
      said.push((error as Error).message);
    }
    expect(said).toEqual(message);
  });

  it('ends when it takes more than two seconds, over all rows together', () => {
    let now = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => now);
    const test = () => {
      now += 700;
      return true;
    };
    const slow = () => ({ test });
    const { matches } = compileFilter({ a: '~x' }, slow);
    const row = { a: 'x' };
    expect([matches(row), matches(row)]).toEqual([true, true]);
    // what is done between the rows is not the filter's
    now += 60_000;
    expect(matches(row)).toBe(true);
    expect(() => matches(row)).toThrow('The filter takes too long over these rows.');
    const { matches: both } = compileFilter({ a: '~x', b: '~x', c: '~x', d: '~x' }, slow);
    expect(() => both({ a: 'x', b: 'x', c: 'x', d: 'x' })).toThrow('takes too long');
  });

  it('a path leads to a thousand values at most, and to none behind the end of a list', () => {
    const row = { list: Array.from({ length: 5000 }, (_, index) => ({ x: index })) };
    expect(valuesAt(row, ['list', 'x'])).toHaveLength(1000);
    expect(valuesAt({ list: Array.from({ length: 50_000 }, () => ({})) }, ['list', 'x'])).toEqual([]);
    expect(valuesAt(row, ['list', '4999', 'x'])).toEqual([4999]);
    expect(valuesAt(row, ['list', '5000'])).toEqual([]);
    expect(kept('!=1', [[1], [1, 2], [1, 1]], 'a[1]')).toEqual([[1, 2]]);
  });
});
