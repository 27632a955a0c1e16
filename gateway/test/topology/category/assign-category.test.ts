import { describe, expect, it } from 'vitest';
import type { CategoryRule, TopologyOptions } from '../../../src/operations/index.ts';
import { DEFAULT_TOPOLOGY_OPTIONS, selects } from '../../../src/operations/index.ts';
import { categoryOf } from '../../../src/topology/category/assign-category.ts';
import { categoryIndex } from '../../../src/topology/category/category-index.ts';
import { endpoint, POOLS } from '../calling/sample-sets.ts';
import { setOf } from '../search-set.ts';

const labelOf = (place: string, tags: readonly string[] = [], rules: Record<string, CategoryRule> = {}) =>
  categoryOf(endpoint('x', place, { tags }).facts, rules).label;

describe('categoryOf', () => {
  it.each([
    ['GET /pools', ['ceph-pools', 'pools'], 'ceph-pools'],
    ['GET /pools/{pool}/snapshots', [], 'pools'],
    ['GET /api/v1/{tenant}/disks', [], 'disks'],
    ['GET /apis/v2beta1/jobs', [], 'jobs'],
    ['GET /{bucket}', [], 'ceph'],
    ['GET /pools', [' '], 'pools'],
  ])('%s with tags %j is %s', (place, tags, label) => {
    expect(labelOf(place, tags)).toBe(label);
  });

  it('a category of the configuration comes first, by tag or by selector', () => {
    const rules = { storage: { tags: ['rbds'], select: [{ path: '/pools/**' }] } };
    expect(labelOf('GET /pools/{pool}', ['ceph-pools'], rules)).toBe('storage');
    expect(labelOf('GET /x', ['other', 'rbds'], rules)).toBe('storage');
    expect(labelOf('GET /x', ['other'], rules)).toBe('other');
  });
});

describe('selects', () => {
  const { facts } = endpoint('getPool', 'GET /pools/{pool}/snapshots', { tags: ['pools'] });
  it.each([
    [{}, true],
    [{ operation: 'getPool' }, true],
    [{ operation: 'GetPool' }, false],
    [{ tag: 'pools', method: 'get' }, true],
    [{ tag: 'pools', method: 'POST' }, false],
    [{ path: '/pools/*/snapshots' }, true],
    [{ path: '/pools/**' }, true],
    [{ path: '**/snapshots' }, true],
    [{ path: '/**/pools/**/snapshots/**' }, true],
    [{ path: '/pools/*' }, false],
    [{ path: '/po*/{pool}/*shots' }, true],
    [{ path: '/po*' }, false],
  ])('%j: %s', (selector, selected) => {
    expect(selects(selector, facts)).toBe(selected);
  });

  it('a pattern of many wildcards takes no longer than its length allows', () => {
    const { facts: long } = endpoint('x', `GET /${'a/'.repeat(500)}b`);
    expect(selects({ path: `/${'**/a/'.repeat(200)}c` }, long)).toBe(false);
    expect(selects({ path: `/${'*a'.repeat(500)}b` }, endpoint('y', `GET /${'a'.repeat(3000)}`).facts)).toBe(
      false,
    );
  });
});

describe('categoryIndex', () => {
  const index = (set: ReturnType<typeof setOf>, options: Partial<TopologyOptions> = {}) =>
    categoryIndex(set, { ...DEFAULT_TOPOLOGY_OPTIONS, ...options });

  it('every operation stands in exactly one category', () => {
    const { categories } = index(setOf(POOLS));
    expect(categories.map(({ name, operations }) => [name, operations.length])).toEqual([
      ['files', 1],
      ['logs', 1],
      ['pools', 8],
    ]);
  });

  it('a name that two sources have is told apart by the source; a configured category holds both', () => {
    const lab = [endpoint('labPools', 'GET /pools', { source: 'lab', tags: ['pools'] })];
    const set = setOf(POOLS, lab);
    expect(index(set).names).toEqual(['ceph_pools', 'files', 'lab_pools', 'logs']);
    expect(index(set, { categories: { storage: { tags: ['pools'] } } }).names).toEqual([
      'files',
      'logs',
      'storage',
    ]);
  });

  it('labels become names: what no tool may be called is cleaned, and case is kept', () => {
    const set = setOf([
      endpoint('a', 'GET /a', { tags: ['ceph-pools'] }),
      endpoint('b', 'GET /b', { tags: ['Größe & Öl'] }),
      endpoint('c', 'GET /c', { tags: ['___'] }),
      endpoint('d', 'GET /d', { tags: ['storageVersion_v1'] }),
    ]);
    expect(index(set).names).toEqual(['Gro_e_Ol', 'ceph_pools', 'operations', 'storageVersion_v1']);
  });

  it('is asked by name, label or any tag', () => {
    const set = setOf([
      endpoint('a', 'GET /a', { tags: ['rbd-mirror', 'osds'] }),
      endpoint('b', 'GET /b', { tags: ['osds'] }),
    ]);
    const { members } = index(set);
    expect([...members('rbd-mirror')!]).toEqual(['ceph/a']);
    expect([...members('rbd_mirror')!]).toEqual(['ceph/a']);
    expect([...members('osds')!].sort()).toEqual(['ceph/a', 'ceph/b']);
    expect(members('nothing')).toBeUndefined();
    expect(members('__proto__')).toBeUndefined();
  });
});
