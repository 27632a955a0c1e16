import { describe, expect, it } from 'vitest';
import { readCsv } from '../../../src/pages/artifacts/csv.ts';

describe('readCsv', () => {
  it.each([
    [
      'a,b\r\n1,2\r\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'a,b\n1,2',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'a;b\n"1;2";"say ""hi"""\n',
      [
        ['a', 'b'],
        ['1;2', 'say "hi"'],
      ],
    ],
    [
      'a\tb\n"two\nlines"\t',
      [
        ['a', 'b'],
        ['two\nlines', ''],
      ],
    ],
    [
      'a,b,\n,,\n',
      [
        ['a', 'b', ''],
        ['', '', ''],
      ],
    ],
    [
      'a,b\n"1;2"x,3',
      [
        ['a', 'b'],
        ['1;2x', '3'],
      ],
    ],
    ['a,b\n"never ends', [['a', 'b'], ['never ends']]],
    ['', []],
  ])('%j', (text, rows) => {
    expect(readCsv(text)).toEqual(rows);
  });

  it('leaves out the row that was cut', () => {
    expect(readCsv('a,b\n1,2\n3', { cut: true })).toEqual([
      ['a', 'b'],
      ['1', '2'],
    ]);
  });
});
