import { describe, expect, it } from 'vitest';
import { DEFAULT_TOPOLOGY_OPTIONS, type TopologyOptions } from '../../src/operations/index.ts';
import { createHybrid, hybrid } from '../../src/topology/hybrid.ts';
import { isTopologyTool } from '../../src/topology/topology.ts';
import { endpoint, POOLS } from './calling/sample-sets.ts';
import { setOf, toolNamed } from './search-set.ts';

const set = setOf(POOLS);
const publish = (options: Partial<TopologyOptions> = {}, among = set) =>
  hybrid.publish(among, { ...DEFAULT_TOPOLOGY_OPTIONS, ...options });
const names = (tools: ReturnType<typeof publish>) => tools.map(({ name }) => name);

describe('hybrid', () => {
  it('is the tools that reach everything and the largest categories, in the order of their names', () => {
    expect(names(publish())).toEqual([
      'call_endpoint',
      'get_schema',
      'list_endpoints',
      'manage_files',
      'manage_logs',
      'manage_pools',
      'query_result',
    ]);
    expect(names(publish({ maxCategoryTools: 1 }))).toContain('manage_pools');
    expect(names(publish({ maxCategoryTools: 0 })).filter((name) => name.startsWith('manage_'))).toEqual([]);
  });

  it('many categories come before many parts of one', () => {
    const large = Array.from({ length: 90 }, (_, index) =>
      endpoint(`service${index}`, `PUT /services/kind${index % 3}/{id}/${index}`, { tags: ['services'] }),
    );
    const tools = names(publish({ maxCategoryTools: 4 }, setOf(POOLS, large)));
    expect(tools.filter((name) => name.startsWith('manage_'))).toEqual([
      'manage_files',
      'manage_logs',
      'manage_pools',
      'manage_services_kind0',
    ]);
  });

  it('a pinned operation is a direct tool besides', () => {
    const pinned = publish({ pinned: ['getPool', 'ceph/listPools', 'logs', 'noSuch'] });
    expect(names(pinned)).toEqual(expect.arrayContaining(['getPool', 'listPools', 'manage_pools']));
    expect(isTopologyTool(pinned.find(({ name }) => name === 'getPool')!)).toBe(false);
  });

  it('says how lists are filtered in one tool, to which the others refer', () => {
    const texts = publish().map(({ tool }) => tool.description);
    expect(texts.filter((text) => text.includes('~regex'))).toHaveLength(1);
    expect(texts.filter((text) => text.includes('query_result')).length).toBeGreaterThan(2);
  });

  it('the same set gives the same tools, and nothing is described before it is read', () => {
    let loaded = 0;
    const watched = POOLS.map((one) => ({
      ...one,
      load: () => {
        loaded += 1;
        return one.load();
      },
    }));
    const tools = publish({}, setOf(watched));
    expect(loaded).toBe(0);
    expect(tools.map(({ tool }) => tool)).toEqual(publish().map(({ tool }) => tool));
  });

  it('a schema of its own gives category tools further properties', async () => {
    const withPool = createHybrid({
      name: 'storage',
      schema: ({ name }) => (name === 'pools' ? { pool: { type: 'string' } } : {}),
    });
    const tools = withPool.publish(set, DEFAULT_TOPOLOGY_OPTIONS);
    const pools = toolNamed(tools, 'manage_pools');
    expect(pools.tool.inputSchema['properties']).toHaveProperty('pool');
    expect(toolNamed(tools, 'manage_logs').tool.inputSchema['properties']).not.toHaveProperty('pool');
    expect(await pools.resolve({ action: 'delete', pool: 'a' }, {} as never)).toMatchObject({
      arguments: { pool: 'a' },
    });
  });
});
