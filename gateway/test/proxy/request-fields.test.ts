import { expect, it } from 'vitest';
import type { Json } from '../../src/operations/index.ts';
import type { HttpOperation } from '../../src/proxy/proxy-types.ts';
import { acceptsFields } from '../../src/proxy/request-fields.ts';
import { readPath } from '../../src/proxy/request-path.ts';
import { operation } from './loopback-proxy.ts';

const PLAIN = operation('plain', 'PUT /x', 'write', { body: ['id!', 'name'] });
const WRAPPED = operation('wrapped', 'PUT /x', 'write', {
  body: ['id!', 'name'],
  more: { body: { contentType: 'application/json', required: true, wrapInData: true } },
});
const NOTHING_REQUIRED = operation('open', 'PUT /x', 'write', { body: ['name'] });
const NOTHING_REQUIRED_IN_DATA = operation('open', 'PUT /x', 'write', {
  body: ['name'],
  more: { body: { contentType: 'application/json', required: true, wrapInData: true } },
});
const CONSTANT = operation('constant', 'PUT /x', 'write', {
  more: { bindings: [{ in: 'query', name: 'kind', const: ['a'] }] },
});
const WHOLE = operation('whole', 'PUT /x', 'write', { body: [''] });

it.each<[string, typeof PLAIN, { query?: Record<string, Json>; body?: Json; path?: string }, boolean]>([
  ['its fields', PLAIN, { body: { id: 1, name: 'a' } }, true],
  ['a field that it does not name', PLAIN, { body: { id: 1, other: 'a' } }, false],
  ['nothing of what it requires', PLAIN, { body: { name: 'a' } }, false],
  ['nothing', NOTHING_REQUIRED, {}, true],
  ['a list', NOTHING_REQUIRED, { body: [{ name: 'a' }] }, false],
  ['a query that it does not name, in the path', PLAIN, { body: { id: 1 }, path: '/x?a=1' }, false],
  ['a record in data', WRAPPED, { body: { data: [{ id: 1 }] } }, true],
  ['a record that is not wrapped', WRAPPED, { body: { id: 1 } }, false],
  ['one record of two', WRAPPED, { body: { data: [{ id: 1 }, { other: 1 }] } }, false],
  ['no record', WRAPPED, { body: { data: [] } }, false],
  ['what is no record', NOTHING_REQUIRED_IN_DATA, { body: { data: [1] } }, false],
  ['its constant', CONSTANT, { query: { kind: ['a'] } }, true],
  ['its constant left out', CONSTANT, {}, true],
  ['another value of its constant', CONSTANT, { query: { kind: ['b'] } }, false],
  ['any members, where it takes the body as one', WHOLE, { body: { any: 1 } }, true],
])('an operation takes or does not take %s', (_, of, { path = '/x', ...given }, expected) => {
  expect(acceptsFields(of as HttpOperation, given, readPath(path, 'https://api.example.org')!)).toBe(
    expected,
  );
});
