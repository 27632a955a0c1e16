import { describe, expect, it } from 'vitest';
import { kindOf } from '../../../src/pages/artifacts/content-kind.ts';
import { hexDump } from '../../../src/pages/artifacts/hex.ts';
import { readContent } from '../../../src/pages/artifacts/read-content.ts';
import { tableOf } from '../../../src/pages/artifacts/table-of.ts';

const bytesOf = (text: string) => new TextEncoder().encode(text) as Uint8Array<ArrayBuffer>;

describe('kindOf', () => {
  it.each([
    ['application/json; charset=utf-8', 'json'],
    ['application/vnd.toolcrib.answer+json', 'json'],
    ['Text/CSV', 'csv'],
    ['image/png', 'image'],
    ['image/svg+xml', 'text'],
    ['text/html', 'text'],
    ['application/xhtml+xml', 'text'],
    ['application/pdf', 'bytes'],
    ['image/tiff', 'bytes'],
    ['', 'bytes'],
  ])('%s is looked at as %s', (type, kind) => {
    expect(kindOf(type)).toBe(kind);
  });
});

describe('readContent', () => {
  it('reads JSON as a tree, and as a table where its objects are flat', () => {
    const read = readContent('json', {
      bytes: bytesOf('{"items":[{"a":1},{"b":null,"a":"x"}],"total":2}'),
      whole: true,
    });
    expect(read.json?.value).toMatchObject({ total: 2 });
    expect(read.table).toEqual({
      columns: ['a', 'b'],
      rows: [
        ['1', ''],
        ['x', 'null'],
      ],
    });
    expect(readContent('json', { bytes: bytesOf('{"a":'), whole: true })).toEqual({
      text: '{"a":',
      notJson: true,
    });
  });

  it('reads a text that is JSON as such, and leaves others alone', () => {
    expect(readContent('text', { bytes: bytesOf(' [{"a":1}]'), whole: true }).table?.rows).toEqual([['1']]);
    expect(readContent('text', { bytes: bytesOf('[draft]'), whole: true })).toEqual({
      text: '[draft]',
      notJson: false,
    });
  });

  it('takes the beginning of a large one for text, without half a character', () => {
    const bytes = bytesOf('{"a":"é').slice(0, -1);
    expect(readContent('json', { bytes, whole: false })).toEqual({ text: '{"a":"', notJson: false });
  });
});

describe('tableOf', () => {
  it.each([
    ['no list', { a: 1 }],
    ['an empty one', []],
    ['two lists', { a: [{ b: 1 }], c: [{ d: 1 }] }],
    ['numbers', [1, 2]],
    ['nested objects', [{ a: { b: 1 } }]],
    ['objects without members', [{}]],
  ])('is none for %s', (_, value) => {
    expect(tableOf(value)).toBeUndefined();
  });

  it('takes no inherited member for a cell', () => {
    expect(tableOf([{ constructor: 1 }, { a: true }])).toEqual({
      columns: ['constructor', 'a'],
      rows: [
        ['1', ''],
        ['', 'true'],
      ],
    });
  });
});

it('hexDump shows offset, values and what can be printed', () => {
  const bytes = Uint8Array.from([0, 0x41, 0x7f, 0xff, ...Array.from({ length: 13 }, () => 0x20), 0x7e]);
  expect(hexDump(bytes)).toBe(
    '00000000  00 41 7f ff 20 20 20 20  20 20 20 20 20 20 20 20  ·A··            \n' +
      '00000010  20 7e                                             ' +
      ' ~',
  );
});
