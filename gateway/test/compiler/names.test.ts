import { describe, expect, it } from 'vitest';
import { assignNames, type NameRequest } from '../../src/compiler/names.ts';
import fc from '../properties.ts';

const requests = (...names: string[]): NameRequest[] =>
  names.map((name, at) => ({ preferred: name, identity: `${name} #${at}` }));

describe('tool names', () => {
  it.each([
    ['getPet', undefined, 'getPet'],
    ['getPet', 'shop', 'shop_getPet'],
    ['pets/list.all', undefined, 'pets_list_all'],
    ['Größe ändern', undefined, 'Gro_e_andern'],
    ['  --  ', undefined, '--'],
    ['日本', undefined, 'operation'],
  ])('%j with prefix %j is %s', (preferred, prefix, expected) => {
    expect(assignNames(requests(preferred), prefix)).toEqual([expected]);
  });

  it('cuts at 64 characters and keeps cut names apart by their identity', () => {
    const long = 'x'.repeat(80);
    const [first, second] = assignNames(requests(`${long}a`, `${long}b`), undefined);
    expect(first).toHaveLength(64);
    expect(second).toHaveLength(64);
    expect(first).not.toBe(second);
  });

  it.each([
    [
      'post_repositories_username_repo_slug_pullrequests_pull_request_id_approve',
      /^post_repositories_username_pull_request_id_approve_[0-9a-f]{8}$/,
    ],
    [
      'EmployeeQualificationDocument_GetApiV2BusinessByBusinessIdQualificationByQualificationId',
      /^EmployeeQualification_ByQualificationId_[0-9a-f]{8}$/,
    ],
    [`a_${'b'.repeat(80)}_c`, /^a_b{25}_b{25}_c_[0-9a-f]{8}$/],
  ])('cuts %s in its middle, between words, since its end says what is done', (name, expected) => {
    expect(assignNames(requests(name), undefined)[0]).toMatch(expected);
  });

  it('gives a clean name to the operation that is called so, whatever the order', () => {
    const [altered, exact] = assignNames(requests('get.pet', 'get_pet'), undefined);
    expect(exact).toBe('get_pet');
    expect(altered).toMatch(/^get_pet_[0-9a-f]{8}$/);
  });

  const operationId = fc.string({
    unit: fc.constantFrom('a', 'B', '7', '_', '-', '.', '/', ' ', 'é', '名'),
    minLength: 1,
    maxLength: 90,
  });
  const identified = fc
    .uniqueArray(operationId, { minLength: 1, maxLength: 40 })
    .map((ids) => ids.map((id) => ({ preferred: id, identity: id })));

  it('are unique and valid whatever the operationIds', () => {
    fc.assert(
      fc.property(identified, fc.option(fc.constant('source'), { nil: undefined }), (list, prefix) => {
        const names = assignNames(list, prefix);
        expect(new Set(names).size).toBe(names.length);
        for (const name of names) expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
      }),
    );
  });

  it('do not change when operations are added behind', () => {
    fc.assert(
      fc.property(identified, identified, (list, more) => {
        const fresh = more.filter((request) => !list.some((known) => known.identity === request.identity));
        const exact = new Set(fresh.map((request) => request.preferred));
        const before = assignNames(list, undefined);
        const after = assignNames([...list, ...fresh], undefined);
        for (const [at, name] of before.entries()) if (!exact.has(name)) expect(after[at]).toBe(name);
      }),
    );
  });
});
