import { describe, expect, it } from 'vitest';
import { matchesPathGlob } from '../../src/operations/http/path-glob.ts';
import type { OperationSelector } from '../../src/operations/index.ts';
import { matchesSelector, reviewSelectors } from '../../src/policy/selector.ts';
import { processorTime } from '../processor-time.ts';
import { operation } from './operations.ts';

describe('matchesPathGlob', () => {
  it.each([
    // path, glob, matches
    ['/pets', '/pets', true],
    ['/pets', '/Pets', false],
    ['/pets', 'pets', true],
    ['/pets/', '/pets', false],
    ['/pets/{id}', '/pets/{id}', true],
    ['/pets/{id}', '/pets/*', true],
    ['/pets', '/pets/*', false],
    ['/pets/{id}/toys', '/pets/*', false],
    ['/pets/{id}/toys', '/pets/*/toys', true],
    ['/pets/{id}/toys', '/*/{id}/*', true],
    ['/pets/findByStatus', '/pets/findBy*', true],
    ['/pets/findByStatus', '/pets/*By*us', true],
    ['/pets/findByStatus', '/pets/*Tag*', false],
    ['/pets', '/pets/**', true],
    ['/pets/{id}', '/pets/**', true],
    ['/pets/{id}/toys/{toy}', '/pets/**', true],
    ['/petshop', '/pets/**', false],
    ['/v1/a/b/admin', '/**/admin', true],
    ['/admin', '/**/admin', true],
    ['/v1/admin/x', '/**/admin', false],
    ['/v1/admin/x/y', '/**/admin/**', true],
    ['/a/x/b/y/a/z/b', '/a/**/b', true],
    ['/anything/at/all', '**', true],
    ['/anything/at/all', '*', false],
    ['/v1/{+name}', '/v1/{+name}', true],
    ['/#Action=CreateQueue', '/#Action=*', true],
    ['/a.b', '/a?b', false],
    ['/pets/{id}', '/pets**', false],
  ])('%s against %s: %s', (path, glob, matches) => {
    expect(matchesPathGlob(path, glob)).toBe(matches);
  });

  it('answers at once whatever the pattern', async () => {
    const took = await processorTime(() => {
      expect(matchesPathGlob(`/${'a'.repeat(4000)}`, `/${'*a'.repeat(500)}*b`)).toBe(false);
      expect(matchesPathGlob('/a'.repeat(2000), `${'/**/a'.repeat(500)}/b`)).toBe(false);
    });
    expect(took).toBeLessThan(2000);
  });
});

describe('matchesSelector', () => {
  const pet = operation({ id: 'getPet', method: 'GET', path: '/pets/{id}', tags: ['pets', 'public'] });
  const fn = {
    ...operation({ id: 'add', tags: ['math'] }),
    invocation: { kind: 'function', function: 'add' } as const,
  };

  it.each<[OperationSelector, boolean]>([
    [{}, true],
    [{ operation: 'getPet' }, true],
    [{ operation: 'getpet' }, false],
    [{ operation: 'get*' }, false],
    [{ tag: 'public' }, true],
    [{ tag: 'Public' }, false],
    [{ method: 'get' }, true],
    [{ method: 'DELETE' }, false],
    [{ path: '/pets/*' }, true],
    [{ tag: 'pets', method: 'GET', path: '/pets/**', operation: 'getPet' }, true],
    [{ tag: 'pets', method: 'POST' }, false],
  ])('%j on GET /pets/{id}: %s', (selector, matches) => {
    expect(matchesSelector(pet, selector)).toBe(matches);
  });

  it.each<[OperationSelector, boolean]>([
    [{ operation: 'add' }, true],
    [{ tag: 'math' }, true],
    [{ path: '**' }, false],
    [{ method: 'GET' }, false],
  ])('%j on a function: %s', (selector, matches) => {
    expect(matchesSelector(fn, selector)).toBe(matches);
  });
});

describe('reviewSelectors', () => {
  const operations = [operation({ id: 'deletePet', method: 'DELETE', tags: ['pets'] })];

  it('is silent where each matches', () => {
    expect(reviewSelectors(operations, 'exclude', [{ tag: 'pets' }, { method: 'delete' }])).toEqual([]);
  });

  it('names those that match nothing, with the id that was meant', () => {
    expect(reviewSelectors(operations, 'exclude', [{ operation: 'delet_pet' }])).toEqual([
      {
        code: 'exclude-unmatched',
        severity: 'warning',
        message:
          'Selector 1 of `exclude` (operation delet_pet) matches no operation and leaves none out. Did you mean "deletePet"?',
        pointer: '#/exclude/0',
      },
    ]);
    expect(reviewSelectors(operations, 'include', [{}, { tag: 'shops', method: 'GET' }])).toMatchObject([
      {
        code: 'include-unmatched',
        message: 'Selector 2 of `include` (tag shops, method GET) matches no operation and brings none in.',
        pointer: '#/include/1',
      },
    ]);
  });
});
