import { describe, expect, it } from 'vitest';
import { DEFAULT_TOPOLOGY_OPTIONS, type TopologyOptions } from '../../../src/operations/index.ts';
import { categoryIndex } from '../../../src/topology/category/category-index.ts';
import { rankCategories } from '../../../src/topology/category/rank-categories.ts';
import { endpoint } from '../calling/sample-sets.ts';
import { setOf } from '../search-set.ts';

const many = (tag: string, count: number, deprecated = false) =>
  Array.from({ length: count }, (_, index) =>
    endpoint(`${tag}${index}`, `GET /${tag}/${index}`, {
      tags: [tag],
      ...(deprecated ? { deprecated } : {}),
    }),
  );
const set = setOf(
  many('pools', 2),
  many('servers', 4),
  many('logs', 1),
  many('hooks', 5, true),
  many('disks', 2),
);

function ranked(options: Partial<TopologyOptions>, roles: readonly string[] = []) {
  const all = { ...DEFAULT_TOPOLOGY_OPTIONS, ...options };
  const asked = { ...set, roles: () => roles };
  const { chosen, others } = rankCategories(categoryIndex(asked, all).categories, asked, all);
  return [chosen.map(({ name }) => name), others.map(({ name }) => name)];
}

describe('rankCategories', () => {
  it('by number of operations, deprecated ones not counted, ties by name', () => {
    expect(ranked({})).toEqual([['servers', 'disks', 'pools', 'logs'], ['hooks']]);
  });

  it('the first `maxCategoryTools`; smaller ones than `minEndpointsPerCategory` never', () => {
    expect(ranked({ maxCategoryTools: 2 })).toEqual([
      ['servers', 'disks'],
      ['hooks', 'logs', 'pools'],
    ]);
    expect(ranked({ minEndpointsPerCategory: 3 })[0]).toEqual(['servers']);
    expect(ranked({ maxCategoryTools: 0 })[0]).toEqual([]);
  });

  it('pinned categories first, then the ranking that the configuration gives', () => {
    expect(ranked({ pinned: ['logs', 'anOperation'], ranking: ['pools'] })[0]).toEqual([
      'logs',
      'pools',
      'servers',
      'disks',
    ]);
  });

  it.each([
    [[], ['disks', 'pools', 'logs']],
    [['VIEWER'], ['disks', 'pools', 'logs']],
    [['ADMIN'], ['servers', 'disks', 'pools', 'logs']],
    [['administrator'], ['servers', 'disks', 'pools', 'logs']],
  ])('with the roles %j a category for admins is there or not', (roles, chosen) => {
    expect(ranked({ adminOnlyTags: ['servers'] }, roles)[0]).toEqual(chosen);
  });
});
