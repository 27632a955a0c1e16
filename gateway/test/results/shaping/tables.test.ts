import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../../src/operations/index.ts';
import { tableText } from '../../../src/results/shaping/tables.ts';
import fc from '../../properties.ts';

/** What a reader makes of a table. */
function readTable(text: string): JsonObject[] {
  const [header, ...lines] = text.split('\n').map(cells);
  return lines.map((line) =>
    Object.fromEntries(
      line.flatMap((cell, index): [string, Json][] =>
        cell === undefined ? [] : [[String(header![index]), cell]],
      ),
    ),
  );
}

function cells(line: string): (Json | undefined)[] {
  const found = [...line.matchAll(/("(?:\\.|[^"\\])*"|[^,]*)(?:,|$)/g)].map(([, cell]) => cell!);
  const wanted = found.slice(0, found.length - (line.endsWith(',') ? 0 : 1));
  return (line === '' ? [''] : wanted).map((cell) => {
    if (cell === '') return undefined;
    try {
      return JSON.parse(cell);
    } catch {
      return cell;
    }
  });
}

describe('flat rows as a table', () => {
  it('is a line of names and a line a row', () => {
    const rows = [
      { id: 1, name: 'osd.1', up: true, error: null },
      { id: 2, name: 'a, "b"\nc', up: false, host: '' },
      { id: 3, name: '5', host: 'null' },
    ];
    expect(tableText(rows)).toBe(
      ['id,name,up,error,host', '1,osd.1,true,null,', '2,"a, \\"b\\"\\nc",false,,""', '3,"5",,,"null"'].join(
        '\n',
      ),
    );
  });

  it.each<[string, Json[]]>([
    ['nested rows', [{ a: { b: 1 } }, { a: { b: 2 } }]],
    ['rows with lists', [{ a: [] }, { a: [] }]],
    ['scalars', ['a', 'b']],
    ['one row', [{ a: 1 }]],
    ['rows without fields', [{}, {}]],
    [
      'rows that share no fields, where JSON is shorter',
      Array.from({ length: 60 }, (_, i) => ({ [`f${i}`]: i })),
    ],
  ])('is no table: %s', (_what, rows) => expect(tableText(rows)).toBeUndefined());

  it('says exactly what the rows say', () => {
    const name = fc.string({ unit: 'binary', minLength: 1, maxLength: 12 });
    const names = fc.uniqueArray(name, { minLength: 1, maxLength: 4 });
    const scalar = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('', ' ', 'null', 'true', '1', '-.5', '1e3', '"', ',', '\\', '\n', '\r', '\u2028'),
      fc.integer(),
      fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => (Object.is(n, -0) ? 0 : n)),
      fc.boolean(),
      fc.constant(null),
    );
    fc.assert(
      fc.property(
        names.chain((keys) =>
          fc.array(fc.dictionary(fc.constantFrom(...keys), scalar, { noNullPrototype: true }), {
            minLength: 2,
          }),
        ),
        (rows) => {
          const text = tableText(rows as JsonObject[]);
          if (text === undefined) return;
          expect(readTable(text)).toEqual(rows);
          expect(text.length).toBeLessThan(JSON.stringify(rows).length);
          expect(text).not.toMatch(/[\r\u2028\u2029]/);
        },
      ),
      { numRuns: 120 },
    );
  });
});
