import { describe, expect, it } from 'vitest';
import { DEFAULT_TOPOLOGY_OPTIONS, type TopologyOptions } from '../../src/operations/index.ts';
import { categories } from '../../src/topology/categories.ts';
import fc from '../properties.ts';
import { endpoint, POOLS } from './calling/sample-sets.ts';
import { contextBench, setOf, toolNamed } from './search-set.ts';
import { actionsOf, walkCategories } from './walk.ts';

const publish = (set = setOf(POOLS), options: Partial<TopologyOptions> = {}) =>
  categories.publish(set, { ...DEFAULT_TOPOLOGY_OPTIONS, ...options });
const names = (tools: ReturnType<typeof publish>) => tools.map(({ name }) => name);

describe('categories', () => {
  it('a tool for each category, and one for stored answers', () => {
    expect(names(publish())).toEqual(['manage_files', 'manage_logs', 'manage_pools', 'query_result']);
  });

  it('what is too small or too far down stands in manage_other', () => {
    const tools = publish(undefined, { maxCategoryTools: 1 });
    expect(names(tools)).toEqual(['manage_other', 'manage_pools', 'query_result']);
    expect(actionsOf(toolNamed(tools, 'manage_other'))).toEqual(['getFile', 'getLogs']);
  });

  it('a category for admins is no tool for others; what they may call of it stands in manage_other', async () => {
    const options = { adminOnlyTags: ['pools'] };
    expect(names(publish(undefined, options))).toEqual([
      'manage_files',
      'manage_logs',
      'manage_other',
      'query_result',
    ]);
    const viewer = publish(setOf(POOLS.filter(({ facts }) => facts.access === 'read')), options);
    expect(actionsOf(toolNamed(viewer, 'manage_other'))).toEqual([
      'getPool',
      'getSnapshot',
      'listPools',
      'listSnapshots',
    ]);
    const admin = { ...setOf(POOLS), roles: () => ['ADMIN'] };
    expect(names(publish(admin, options))).toContain('manage_pools');
  });

  it('an action that the tool does not have is told with those that it has', () => {
    const tool = toolNamed(publish(), 'manage_pools');
    expect(() => tool.resolve({ action: 'explode' }, contextBench())).toThrowError(
      expect.objectContaining({ code: 'arguments_invalid', message: expect.stringContaining('scrubPool') }),
    );
  });

  it('filters, fields, limit and cursor ask for a shape; reserved arguments within action_args, too', async () => {
    const tool = toolNamed(publish(), 'manage_pools');
    const resolved = await tool.resolve(
      {
        action: 'list',
        filters: { status: 'error' },
        limit: 3,
        action_args: { size: 1, _filter_name: '~a' },
      },
      contextBench(),
    );
    expect(resolved).toMatchObject({
      arguments: { size: 1 },
      shaped: { defaultLimit: 10, request: { filters: { status: 'error', name: '~a' }, limit: 3 } },
    });
  });

  it('tools are as harmful as what they reach', () => {
    const tools = publish();
    expect(toolNamed(tools, 'manage_logs').tool.annotations.readOnlyHint).toBe(true);
    expect(toolNamed(tools, 'manage_pools').tool.annotations.readOnlyHint).toBe(false);
  });

  it('names are unique, allowed everywhere, and give way to operations of the same name', () => {
    const tags = ['x'.repeat(100), `${'x'.repeat(99)}y`, 'a-b', 'a_b', 'Ünïcode!'];
    const set = setOf(
      tags.map((tag, index) => endpoint(`op${index}`, `GET /p${index}`, { tags: [tag] })),
      [endpoint('manage_a_b', 'GET /clash', { tags: ['clash'] })],
    );
    const all = names(publish(set));
    expect(new Set(all).size).toBe(all.length);
    for (const name of all) expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
    expect(all).toContain('manage_a_b_2');
  });

  it('an empty set is only the tool that reads stored answers', () => {
    expect(names(publish(setOf([])))).toEqual(['query_result']);
  });

  it('every operation is one action of exactly one tool, and none else is reached', async () => {
    const word = fc.constantFrom('pools', 'disks', 'logs', 'rbd-mirror', 'x');
    const description = fc.record({
      words: fc.array(fc.oneof(word, fc.constant('{id}')), { minLength: 1, maxLength: 4 }),
      tags: fc.array(word, { maxLength: 2 }),
      method: fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE'),
      source: fc.constantFrom('ceph', 'lab'),
      deprecated: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(description, { maxLength: 60 }), fc.nat(4), async (described, most) => {
        const operations = described.map(({ words, method, ...facts }, index) => {
          const path = words.map((one, place) => (one === '{id}' ? `{p${place}}` : one)).join('/');
          return endpoint(`op${index}`, `${method} /${path}`, facts);
        });
        const tools = publish(setOf(operations), { maxCategoryTools: most, adminOnlyTags: ['logs'] });
        const ways = await walkCategories(tools, () => ({ any: [1] }));
        expect(ways.map(({ resolved }) => resolved.operation.id).sort()).toEqual(
          operations.map(({ facts }) => facts.id).sort(),
        );
        for (const { tool, resolved } of ways) {
          expect(tool.reaches).toContain(`${resolved.operation.source}/${resolved.operation.id}`);
          expect(resolved.arguments).toEqual({ any: [1] });
          expect(Buffer.byteLength(JSON.stringify(tool.tool))).toBeLessThanOrEqual(5000);
        }
      }),
      { numRuns: 12 },
    );
  });
});
