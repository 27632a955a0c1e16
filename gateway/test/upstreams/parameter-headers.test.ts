import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/operations/index.ts';
import { headersFor, parameterHeaders } from '../../src/upstreams/parameter-headers.ts';

const text = (name: unknown): JsonObject => ({ type: 'string', 'x-mcp-header': name as string });
const object = (properties: JsonObject): JsonObject => ({ type: 'object', properties });

test.each<[string, JsonObject, number | undefined]>([
  ['no annotation', object({ a: { type: 'string' } }), 0],
  ['one', object({ a: text('A') }), 1],
  ['a nested one', object({ a: object({ b: text('B') }) }), 1],
  [
    'an integer and a boolean',
    object({ a: { type: 'integer', 'x-mcp-header': 'A' }, b: { type: 'boolean', 'x-mcp-header': 'B' } }),
    2,
  ],
  ['a property of that name', object({ 'x-mcp-header': { type: 'string' } }), 0],
  ['the word in an example', object({ a: { type: 'object', examples: [{ 'x-mcp-header': '(' }] } }), 0],
  ['a number', object({ a: { type: 'number', 'x-mcp-header': 'A' } }), undefined],
  ['an object', object({ a: { ...object({}), 'x-mcp-header': 'A' } }), undefined],
  ['the root', { ...object({}), 'x-mcp-header': 'A' }, undefined],
  ['an empty name', object({ a: text('') }), undefined],
  ['a name that is no token', object({ a: text('A B') }), undefined],
  ['a name that is no text', object({ a: text(7) }), undefined],
  ['the same name twice', object({ a: text('Same'), b: text('sAME') }), undefined],
  ['items', object({ a: { type: 'array', items: text('A') } }), undefined],
  ['an alternative', object({ a: { anyOf: [text('A')] } }), undefined],
  ['a definition', { ...object({}), $defs: { a: text('A') } }, undefined],
])('%s: %#', (_, schema, count) => {
  expect(parameterHeaders(schema)?.length).toBe(count);
});

test.each<[JsonObject, Record<string, string> | undefined]>([
  [{ a: 'plain text' }, { 'Mcp-Param-A': 'plain text' }],
  [{ a: '' }, { 'Mcp-Param-A': '' }],
  [{ a: 7 }, { 'Mcp-Param-A': '7' }],
  [{ a: true }, { 'Mcp-Param-A': 'true' }],
  [{ a: 'é' }, { 'Mcp-Param-A': '=?base64?w6k=?=' }],
  [{ a: ' padded' }, { 'Mcp-Param-A': '=?base64?IHBhZGRlZA==?=' }],
  [{ a: 'two\r\nlines: x' }, { 'Mcp-Param-A': '=?base64?dHdvDQpsaW5lczogeA==?=' }],
  [{ a: '=?base64?eA==?=' }, { 'Mcp-Param-A': '=?base64?PT9iYXNlNjQ/ZUE9PT89?=' }],
  [{ a: null }, undefined],
  [{ a: ['x'] }, undefined],
  [{}, undefined],
])('the headers of %j', (args, headers) => {
  expect(headersFor([{ header: 'A', path: ['a'] }], args)).toEqual(headers);
});
