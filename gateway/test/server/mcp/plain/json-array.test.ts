import { expect, test } from 'vitest';
import { jsonArray } from '../../../../src/server/mcp/plain/json-array.ts';
import { spliceTools } from '../../../../src/server/mcp/plain/splice-tools.ts';

const text = (pieces: readonly Uint8Array[]) => Buffer.concat(pieces).toString('utf8');
const side = Buffer.from('{"a":1},{"b":"ü"},{"c":3}');
const [a, b, c] = [side.subarray(0, 7), side.subarray(8, 18), side.subarray(19)];

test.each([
  ['nothing', [], '[]'],
  ['one value', [a], '[{"a":1}]'],
  ['values side by side', [a, b, c], '[{"a":1},{"b":"ü"},{"c":3}]'],
  ['values with a gap', [a, c], '[{"a":1},{"c":3}]'],
  ['values in another order', [b, a, c], '[{"b":"ü"},{"a":1},{"c":3}]'],
  ['values of several buffers', [a, Buffer.from('7'), b], '[{"a":1},7,{"b":"ü"}]'],
])('%s', (_name, values, expected) => {
  expect(text(jsonArray(values))).toBe(expected);
});

test('neighbours without a comma between them are not one piece', () => {
  const bytes = Buffer.from('1;2');
  expect(text(jsonArray([bytes.subarray(0, 1), bytes.subarray(2)]))).toBe('[1,2]');
});

test('values side by side are not copied', () => {
  expect(jsonArray([a, b, c])).toHaveLength(3);
});

test('a page takes the place of the empty list, and nothing else', () => {
  const message = '{"note":"\\"tools\\":[]","tools":[],"n":1}';
  expect(text(spliceTools(message, jsonArray([a])))).toBe(
    '{"note":"\\"tools\\":[]","tools":[{"a":1}],"n":1}',
  );
});
