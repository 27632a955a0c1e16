import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import {
  DEFAULT_TOPOLOGY_OPTIONS,
  type JsonObject,
  type TopologyOptions,
} from '../../../src/operations/index.ts';
import { listTool } from '../../../src/topology/calling/list-tool.ts';
import type { OperationSet } from '../../../src/topology/topology.ts';
import { answered, contextBench, plainOperations, setOf } from '../search-set.ts';
import { endpoint, POOLS } from './sample-sets.ts';

const list = (
  args: JsonObject,
  { set = setOf(POOLS), options = {}, context = contextBench() }: ListBench = {},
): Promise<string> =>
  answered(listTool('list_endpoints', set, { ...DEFAULT_TOPOLOGY_OPTIONS, ...options }), args, context);

interface ListBench {
  readonly set?: ReturnType<typeof setOf>;
  readonly options?: Partial<TopologyOptions>;
  readonly context?: ReturnType<typeof contextBench>;
}

const ids = (text: string) => text.split('\n').map((line) => line.split(/[ (]/, 1)[0]);

/** A set whose search narrows by tag, and by other names of tags. */
function withCategories(set: OperationSet, aliases: Readonly<Record<string, string>> = {}): OperationSet {
  return {
    ...set,
    search: async (query) => {
      const { category = '' } = query;
      const tag = aliases[category] ?? category;
      const hits = await set.search({ ...query, limit: 100 });
      return hits.filter(({ operation }) => operation.facts.tags.includes(tag));
    },
  };
}

describe('listTool', () => {
  it('one line an operation: name, required arguments, method and path, purpose', async () => {
    expect(await list({ method: 'post' })).toBe(
      [
        'createPool(name) POST /pools: Does createPool',
        'scrubPool(pool) POST /pools/{pool}/scrub: Does scrubPool',
      ].join('\n'),
    );
  });

  it.each([
    [{ intent: 'read', category: 'pools' }, ['getPool', 'getSnapshot', 'listPools', 'listSnapshots']],
    [{ intent: 'write' }, ['createPool', 'scrubPool', 'updatePool']],
    [{ intent: 'create' }, ['createPool', 'scrubPool']],
    [{ intent: 'update' }, ['scrubPool', 'updatePool']],
    [{ intent: 'delete' }, ['deletePool']],
    [{ intent: 'manage' }, ['createPool', 'deletePool', 'scrubPool', 'updatePool']],
    [{ category: 'logs' }, ['getLogs']],
    [{ category: 'files' }, ['getFile']],
    [{ source: 'ceph', category: 'logs' }, ['getLogs']],
    [{ search: 'snapshot', method: 'GET', category: 'pools', limit: 1 }, ['getSnapshot']],
  ])('%j gives %j', async (args, expected) => {
    const rows = (await list(args)).split('\n').filter((line) => !line.includes('cursor "'));
    expect(ids(rows.join('\n'))).toEqual(expected);
  });

  it("the configuration's own categories are categories, too", async () => {
    const options = { categories: { storage: { select: [{ path: '/pools/**' }] } } };
    expect(await list({ category: 'storage', intent: 'delete' }, { options })).toContain('deletePool');
    const tagged = withCategories(setOf(POOLS));
    await expect(list({ category: 'pool' }, { options, set: tagged })).rejects.toMatchObject({
      code: 'arguments_invalid',
      message: expect.stringContaining('There is files, logs, storage.'),
    });
  });

  it('a name that only the search has for a category is as good', async () => {
    const set = withCategories(setOf(POOLS), { journal: 'logs' });
    expect(await list({ category: 'journal' }, { set })).toContain('getLogs');
    expect(await list({ category: 'journal', search: 'logs' }, { set })).toContain('getLogs');
    expect(await list({ category: 'journal', search: 'nothing of it' }, { set })).toBe('No operation fits.');
  });

  it('an unknown source is told with those that there are', async () => {
    await expect(list({ source: 'cep' })).rejects.toMatchObject({ pointer: '/source' });
  });

  it('gives every operation once, page by page', async () => {
    const set = setOf(plainOperations('big', 130));
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const text = await list({ limit: 60, ...(cursor === undefined ? {} : { cursor }) }, { set });
      cursor = /cursor "(\d+)"/.exec(text)?.[1];
      seen.push(...text.split('\n').filter((line) => line.startsWith('big_op')));
    } while (cursor !== undefined);
    expect(new Set(seen).size).toBe(130);
    expect(seen).toHaveLength(130);
    await expect(list({ cursor: 'x' })).rejects.toMatchObject({ code: 'cursor_invalid' });
    expect(await list({ cursor: '500' })).toBe('No more operations.');
    expect(await list({ category: 'logs', intent: 'delete' })).toBe('No operation fits.');
  });

  it('hints are whole the first time, a mark afterwards; other people’s endpoints are not named in them', async () => {
    const hints = {
      purpose: 'Reads the health of the cluster.',
      usage: ['Ask before every change.'],
      related_endpoints: ['/pools', '/secret/operation'],
    };
    const set = setOf(POOLS, [endpoint('getHealth', 'GET /health', { hints, tags: ['health'] })]);
    const context = contextBench();
    const args = { category: 'health', include_hints: true };
    const first = await list(args, { set, context });
    expect(first).toContain('Ask before every change.');
    expect(first).not.toContain('secret');
    expect(await list(args, { set, context })).toBe(
      'getHealth GET /health: Reads the health of the cluster (has_hints: true)',
    );
    expect(await list({ category: 'health' }, { set, context })).not.toContain('has_hints');
  });

  it('eight hits fit in 400 tokens', async () => {
    const long = Array.from({ length: 9 }, (_, index) =>
      endpoint(
        `IscsiService_addHost${index}`,
        `PUT /services/iscsi/{serviceId}/groups/{group}/hosts/${index}`,
        {
          properties: { initiatorName: {}, username: {}, password: {} },
          required: ['initiatorName', 'username', 'password'],
          description:
            'Adds one initiator to a host group so that it sees every disk that is mapped to the group. '.repeat(
              3,
            ),
        },
      ),
    );
    const text = await list({ search: 'host' }, { set: setOf(long) });
    const rows = text.split('\n').filter((line) => line.startsWith('Iscsi'));
    expect(rows).toHaveLength(8);
    expect(countTokens(rows.join('\n'))).toBeLessThanOrEqual(400);
  });
});
