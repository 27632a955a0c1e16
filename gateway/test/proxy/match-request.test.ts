import { describe, expect, it } from 'vitest';
import type { Operation } from '../../src/operations/index.ts';
import type { ProxySource } from '../../src/proxy/index.ts';
import { matchRequest } from '../../src/proxy/match-request.ts';
import { readPath } from '../../src/proxy/request-path.ts';
import { operation } from './loopback-proxy.ts';

const match = (line: string, operations: readonly Operation[], closed: ProxySource['closed'] = []) => {
  const [method = '', path = ''] = line.split(' ');
  return matchRequest({ method }, readPath(path, 'https://api.example.org/v1')!, { operations, closed });
};

describe('a path that another server could cut in another way', () => {
  it('counts as the more harmful of both', () => {
    const operations = [
      operation('get_file', 'GET /files/{name}', 'read'),
      operation('lock_file', 'GET /files/{folder}/{name}', 'delete'),
    ];
    expect(match('GET /files/a%2Fb', operations)).toMatchObject({
      operation: { id: 'get_file' },
      access: 'delete',
    });
    expect(match('GET /files/a', operations)).toMatchObject({ access: 'read' });
  });

  it.each([
    ['an encoded slash', 'DELETE /candidates/17%2Fanonymize', '/candidates/{id}/anonymize'],
    ['a format', 'DELETE /candidates/bulk.json', '/candidates/bulk'],
    ['a parameter', 'DELETE /candidates/bulk.csv;x=1', '/candidates/bulk.csv'],
    ['none, for what is closed with its parameter', 'DELETE /candidates/bulk;all', '/candidates/bulk;all'],
  ])('is closed where the other cut is: %s', (_, line, path) => {
    const operations = [operation('remove_one', 'DELETE /candidates/{id}', 'delete')];
    const closed = [{ operation: 'remove_all', method: 'delete', path }];
    expect(match(line, operations)).toMatchObject({ kind: 'operation' });
    expect(match(line, operations, closed)).toEqual({ kind: 'none', open: false, closed: 'remove_all' });
    expect(match(line, [], closed)).toMatchObject({ kind: 'none', open: false });
  });

  it('is not open to raw requests where the other cut means an operation', () => {
    expect(match('POST /jobs%2Fclose', [operation('close', 'POST /jobs/close', 'write')])).toEqual({
      kind: 'none',
      open: false,
    });
  });

  it('is not open where an operation fits whose placeholders cannot be told', () => {
    const operations = [operation('range', 'GET /{from}-{to}', 'read')];
    expect(match('GET /1-2', operations)).toEqual({ kind: 'none', open: false });
    expect(match('GET /1-2%2F3', operations)).toEqual({ kind: 'none', open: false });
  });
});

describe('of several operations', () => {
  const operations = [
    operation('get_one', 'GET /jobs/{id}', 'read'),
    operation('open', 'GET /jobs/open', 'read'),
    operation('close', 'POST /jobs/{id}/close', 'write'),
  ];

  it('a literal segment wins over a placeholder, wherever it stands', () => {
    expect(match('GET /jobs/open', operations)).toMatchObject({ operation: { id: 'open' } });
    expect(match('GET /jobs/1', operations)).toMatchObject({ operation: { id: 'get_one' } });
  });

  it('none is meant by another method', () => {
    expect(match('DELETE /jobs/1', operations)).toMatchObject({ kind: 'none' });
    expect(match('GET /jobs/1/close', operations)).toMatchObject({ kind: 'none' });
  });
});

it('an access that nobody knows is the most harmful', () => {
  const unknown = operation('purge', 'DELETE /jobs', 'purge' as never);
  const harmless = operation('untag', 'DELETE /jobs', 'read');
  expect(match('DELETE /jobs', [harmless, unknown])).toMatchObject({ access: 'dangerous' });
  expect(match('DELETE /jobs', [unknown])).toMatchObject({ access: 'dangerous' });
});
