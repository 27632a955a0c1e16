import { describe, expect, it } from 'vitest';
import {
  placeholderFor,
  placeholdersOf,
  withBraces,
  withoutRouterMarks,
} from '../../../../src/sources/openapi/requests/template.ts';

describe('placeholdersOf', () => {
  it.each([
    ['/a/{b}/{c}', ['b', 'c']],
    ['/{+name}:run', ['name']],
    ['/{rest*}', ['rest']],
    ['/{id}/again/{id}', ['id']],
    ['/a?b={b}#c={c}', ['b', 'c']],
    ['/a/{}', []],
    ['/a', []],
  ])('%s', (path, names) => {
    expect(placeholdersOf(path)).toEqual(names);
  });
});

describe('placeholderFor', () => {
  it('prefers the exact name to one that differs in case', () => {
    expect(placeholderFor('ID', ['id', 'ID'])).toBe('ID');
    expect(placeholderFor('Id', ['id'])).toBe('id');
    expect(placeholderFor('other', ['id'])).toBeUndefined();
  });
});

describe('withBraces', () => {
  it.each([
    ['/users/:id', '/users/{id}'],
    ['/users/:id/files/:file-name?x=1', '/users/{id}/files/{file-name}?x=1'],
    ['/users/:other', '/users/:other'],
    ['/users/{id}/:id', '/users/{id}/:id'],
    ['/v1/{name}:id', '/v1/{name}:id'],
    ['/:id.json', '/:id.json'],
  ])('%s is %s where id and file-name are declared', (path, expected) => {
    expect(withBraces(path, new Set(['id', 'file-name']))).toBe(expected);
  });
});

describe('withoutRouterMarks', () => {
  it.each([
    ['/two/{p*2}/x', '/two/{+p}/x'],
    ['/files/{*}', '/files/{+rest}'],
    ['/opt/{a}/{b}?', '/opt/{a}/{b}'],
    ['/files/{*path}', '/files/{+path}'],
    ['/files/{**path}', '/files/{+path}'],
    ['/{proxy+}', '/{+proxy}'],
    ['/files/{path...}', '/files/{+path}'],
    ['/files/{path:.*}', '/files/{+path}'],
    ['/files/{path:path}', '/files/{+path}'],
    ['/files/{path:[a-z]+}', '/files/{path:[a-z]+}'],
    ['/pets/{id?}', '/pets/{id}'],
    ['/a{?b}', '/a{?b}'],
    ['/rest/{p*}', '/rest/{p*}'],
    ['/a/{b}?c={d}', '/a/{b}?c={d}'],
    ['/a/*', '/a/*'],
  ])('%s is %s', (path, expected) => {
    expect(withoutRouterMarks(path)).toBe(expected);
  });
});
