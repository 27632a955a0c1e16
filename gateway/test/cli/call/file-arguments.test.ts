import { expect, it } from 'vitest';
import { fileArguments } from '../../../src/cli/call/file-arguments.ts';
import type { BodyBinding } from '../../../src/operations/index.ts';
import { operationOf } from '../../executors/http/operation-under-test.ts';

const contentType = 'multipart/form-data';
const part = (name: string, arg: string): BodyBinding => ({ in: 'body', name, arg, contentType });

it('are the arguments of parts that are files, by whatever name', () => {
  const encoding = { file: { file: true }, note: { contentType: 'text/plain' } };
  const operation = operationOf({
    bindings: [part('file', 'body_file'), part('note', 'note'), { in: 'query', name: 'file', arg: 'file' }],
    body: { contentType, required: true, encoding },
  });
  expect([...fileArguments(operation)]).toEqual([['body_file', 'name']]);
});

it.each([
  ['a range of types leaves that of the file open', 'image/*', [['body', 'type']]],
  ['nothing else does', undefined, []],
])('%s', (_, range, expected) => {
  const octets = 'application/octet-stream';
  const operation = operationOf({
    bindings: [{ in: 'body', name: '', arg: 'body', contentType: octets }],
    body: { contentType: octets, required: true, binary: true, ...(range === undefined ? {} : { range }) },
  });
  expect([...fileArguments(operation)]).toEqual(expected);
});
