import { describe, expect, it } from 'vitest';
import { accessOf, safetyOf } from '../../../src/sources/openapi/access.ts';

const access = (method: string, operationId?: string, path = '/things', node = {}): string =>
  accessOf({ method, path, operationId, node });

describe('accessOf', () => {
  it.each<[string, string | undefined, string, string]>([
    ['GET', undefined, '/things', 'read'],
    ['HEAD', undefined, '/things', 'read'],
    ['OPTIONS', undefined, '/things', 'read'],
    ['QUERY', undefined, '/things', 'read'],
    ['DELETE', 'getThing', '/things', 'delete'],
    ['PUT', 'searchThings', '/search', 'write'],
    ['PATCH', undefined, '/things', 'write'],
    ['POST', undefined, '/things', 'write'],
    ['COPY', undefined, '/things', 'write'],
    ['TRACE', undefined, '/things', 'dangerous'],
    ['CONNECT', undefined, '/things', 'dangerous'],
    // a POST that only searches
    ['POST', 'searchThings', '/things', 'read'],
    ['POST', 'list-things', '/things', 'read'],
    ['POST', 'find_things', '/things', 'read'],
    ['POST', undefined, '/things/search', 'read'],
    ['POST', undefined, '/things:search', 'read'],
    ['POST', undefined, '/{index}/_search', 'read'],
    ['POST', 'things.query', '/things/query', 'read'],
    // and one that only sounds like it
    ['POST', 'createSearch', '/search', 'write'],
    ['POST', 'search_delete_index', '/x', 'write'],
    ['POST', 'listenTo', '/x', 'write'],
    ['POST', 'saveSearch', '/searches', 'write'],
    ['POST', 'querySql', '/query', 'write'],
    ['POST', 'runQuery', '/query', 'write'],
    ['POST', 'startSearch', '/search', 'write'],
    // deleting by another method
    ['GET', 'deleteThing', '/things', 'delete'],
    ['GET', undefined, '/things/remove', 'delete'],
    ['GET', 'listDeletedThings', '/deleted', 'read'],
    ['POST', 'deleteThings', '/things', 'delete'],
    ['POST', undefined, '/things/delete', 'delete'],
    ['PUT', 'removeMember', '/members', 'delete'],
    // changing by GET
    ['GET', 'createThing', '/things', 'write'],
    ['GET', 'exportThings', '/things', 'read'],
    ['GET', 'RefreshLibrary', '/Library/Refresh', 'write'],
    ['GET', 'update_status', '/update', 'read'],
    ['GET', 'upload_retrieve', '/uploads/{id}', 'read'],
  ])('%s %s %s → %s', (method, operationId, path, expected) => {
    expect(access(method, operationId, path)).toBe(expected);
  });

  it('x-toolcrib-access wins, a word it does not know does not', () => {
    expect(access('POST', undefined, '/x', { 'x-toolcrib-access': 'read' })).toBe('read');
    expect(access('GET', undefined, '/x', { 'x-toolcrib-access': 'dangerous' })).toBe('dangerous');
    expect(access('DELETE', undefined, '/x', { 'x-toolcrib-access': 'harmless' })).toBe('delete');
  });

  it('a description that speaks of SQL keeps a query a write', () => {
    expect(access('POST', 'queryDatabase', '/db/query', { description: 'Runs a SQL statement.' })).toBe(
      'write',
    );
  });
});

describe('safetyOf', () => {
  it.each([
    ['GET', 'read', false, true],
    ['PUT', 'write', false, true],
    ['POST', 'write', false, false],
    ['PATCH', 'write', false, false],
    ['DELETE', 'delete', true, true],
    ['GET', 'delete', true, true],
  ] as const)('%s %s', (method, level, destructive, idempotent) => {
    expect(safetyOf(method, level)).toEqual({
      network: true,
      file: false,
      destructive,
      idempotent,
      openWorld: true,
    });
  });
});
