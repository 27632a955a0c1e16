import { describe, expect, it } from 'vitest';
import { placeholderFor, placeholdersOf } from '../../../../src/sources/openapi/requests/template.ts';

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
