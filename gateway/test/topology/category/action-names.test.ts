import { describe, expect, it } from 'vitest';
import { actionNames } from '../../../src/topology/category/action-names.ts';
import fc from '../../properties.ts';
import { endpoint, POOLS } from '../calling/sample-sets.ts';

const names = (...places: ReadonlyArray<readonly [string, string]>) =>
  Object.fromEntries(
    [...actionNames(places.map(([id, place]) => endpoint(id, place)))].map(([action, { facts }]) => [
      action,
      facts.id,
    ]),
  );

describe('actionNames', () => {
  it('the five verbs are those of the collection that all stand under; the rest have their own names', () => {
    const pools = POOLS.filter(({ facts }) => facts.tags.includes('pools'));
    expect([...actionNames(pools).keys()]).toEqual([
      'list',
      'create',
      'get',
      'update',
      'delete',
      'scrubPool',
      'listSnapshots',
      'getSnapshot',
    ]);
  });

  it('without such a collection a verb stands only where one operation alone does it', () => {
    expect(
      names(
        ['getDisks', 'GET /disks'],
        ['getOsds', 'GET /osds'],
        ['getOsd', 'GET /osds/{id}'],
        ['wipe', 'POST /disks/wipe'],
      ),
    ).toEqual({ getDisks: 'getDisks', getOsds: 'getOsds', get: 'getOsd', wipe: 'wipe' });
  });

  it('operations that compete for a verb keep their own names', () => {
    expect(names(['replace', 'PUT /a/{id}'], ['change', 'PATCH /a/{id}'], ['all', 'GET /a'])).toEqual({
      replace: 'replace',
      change: 'change',
      list: 'all',
    });
  });

  it('among several categories no verb means one of them', () => {
    const mixed = POOLS.slice(0, 2);
    expect([...actionNames(mixed, { isMixed: true }).keys()]).toEqual(['listPools', 'createPool']);
  });

  it('a verb is what the place or the id says, not the method alone', () => {
    expect(
      names(['getStatus', 'GET /status'], ['reset', 'POST /status/reset'], ['drop', 'DELETE /status']),
    ).toEqual({
      getStatus: 'getStatus',
      reset: 'reset',
      drop: 'drop',
    });
    expect(
      names(['addUser', 'POST /users/new'], ['removeAll', 'DELETE /groups'], ['x', 'GET /a/boxes']),
    ).toEqual({
      create: 'addUser',
      delete: 'removeAll',
      list: 'x',
    });
  });

  it('a name that an operation has itself is not given to another', () => {
    expect(names(['list', 'POST /a/list'], ['getAll', 'GET /a'])).toEqual({ list: 'list', getAll: 'getAll' });
  });

  it.each([
    ['PoolResource_getPools', 'getPools'],
    ['AuthResource_loginBasic', 'loginBasic'],
    ['repos/list-for-org', 'list-for-org'],
    ['get_user_by_id', 'get_user_by_id'],
    ['mergeUser', 'mergeUser'],
  ])('the resource in front of %s falls away: %s', (id, action) => {
    expect(Object.keys(names([id, 'POST /x/y'], ['other', 'POST /x/z'])).includes(action)).toBe(true);
  });

  it('names that would be equal are told apart by the whole id, then by the tool', () => {
    expect(
      Object.keys(
        names(['AResource_getIt', 'POST /x/a'], ['BResource_getIt', 'POST /x/b'], ['o', 'POST /x/c']),
      ),
    ).toEqual(['AResource_getIt', 'BResource_getIt', 'o']);
    const twins = ['one', 'two'].map((source) => ({
      ...endpoint('run', 'POST /run', { source }),
      name: `${source}_run`,
    }));
    expect([...actionNames(twins).keys()]).toEqual(['one_run', 'two_run']);
  });

  it('every operation has exactly one action, whatever the ids', () => {
    const id = fc.oneof(
      fc.constantFrom('list', 'get', 'AResource_get', 'BResource_get', 'A/list', 'list_1', 'x'),
      fc.string({ minLength: 1, maxLength: 90 }),
    );
    fc.assert(
      fc.property(fc.uniqueArray(id, { maxLength: 30 }), (ids) => {
        const operations = ids.map((one, index) => ({
          ...endpoint(one, index % 2 === 0 ? 'GET /a/{b}' : `POST /a/x${index}`),
          name: `tool_${index}`,
        }));
        expect([...actionNames(operations).values()]).toHaveLength(operations.length);
        expect(new Set(actionNames(operations).values()).size).toBe(operations.length);
      }),
      { numRuns: 30 },
    );
  });
});
