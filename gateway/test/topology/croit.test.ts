import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { beforeAll, describe, expect, it } from 'vitest';
import { DEFAULT_TOPOLOGY_OPTIONS, type VisibleOperation } from '../../src/operations/index.ts';
import { base } from '../../src/topology/base.ts';
import { categories } from '../../src/topology/categories.ts';
import { hybrid } from '../../src/topology/hybrid.ts';
import { isTopologyTool, type OperationSet } from '../../src/topology/topology.ts';
import { answered, operationsOf, setOf, toolNamed } from './search-set.ts';
import { callThrough, sampleArguments, walkCategories } from './walk.ts';

const file = join(import.meta.dirname, '../../../../shared/data/croit/openapi.json.gz');
const OPTIONS = {
  ...DEFAULT_TOPOLOGY_OPTIONS,
  pinned: ['ceph-pools'],
  adminOnlyTags: ['maintenance', 'servers', 'ipmi', 'config', 'hooks', 'change-requests', 'config-templates'],
};

describe.skipIf(!existsSync(file))("croit's document (skipped without ../shared/data/croit)", () => {
  const sets: Record<string, OperationSet> = {};

  beforeAll(async () => {
    const operations = await operationsOf('croit', gunzipSync(readFileSync(file)).toString('utf8'));
    const viewers = operations.filter(
      ({ facts }) => !(facts.requirements?.permissions ?? []).some((one) => /admin/i.test(one)),
    );
    sets['admin'] = { ...setOf(operations), roles: () => ['ADMIN'] };
    sets['viewer'] = { ...setOf(viewers), roles: () => ['VIEWER'] };
  });

  const byId = (set: OperationSet) => new Map(set.operations.map((one) => [one.facts.id, one]));
  const ids = (operations: readonly VisibleOperation[]) => operations.map(({ facts }) => facts.id).sort();

  it.each(['admin', 'viewer'])(
    'categories, %s: reached is permitted, with the arguments of the flat call',
    async (who) => {
      const set = sets[who]!;
      const known = byId(set);
      const tools = categories.publish(set, OPTIONS);
      const plain = await walkCategories(tools);
      expect(plain.map(({ resolved }) => resolved.operation.id).sort()).toEqual(ids(set.operations));
      const ways = await walkCategories(tools, () => ({ 'every argument': [null, 'a b/ü%'] }));
      for (const { resolved } of ways) {
        expect(resolved.operation).toBe(known.get(resolved.operation.id)!.load());
        expect(resolved.arguments).toEqual({ 'every argument': [null, 'a b/ü%'] });
      }
    },
  );

  it.each([
    ['hybrid', 'admin', 'call_endpoint'],
    ['hybrid', 'viewer', 'call_endpoint'],
    ['base', 'admin', 'call_api_endpoint'],
    ['base', 'viewer', 'call_api_endpoint'],
  ])(
    '%s, %s: every operation by id, by template and by its path written out',
    async (name, who, toolName) => {
      const set = sets[who]!;
      const call = toolNamed({ hybrid, base }[name]!.publish(set, OPTIONS), toolName);
      expect([...call.reaches].sort()).toEqual(set.operations.map(({ operation }) => operation).sort());
      for (const operation of set.operations) {
        const args = sampleArguments(operation);
        const { method, path } = operation.facts.http!;
        const written = path.replace(/\{(\w+)\}/g, (_, parameter: string) =>
          encodeURIComponent(String(args[parameter])),
        );
        for (const target of [
          { operation: operation.facts.id },
          { method, path },
          { method, path: written },
        ]) {
          const resolved = await callThrough(call, { ...target, arguments: args });
          expect(resolved.operation.id).toBe(operation.facts.id);
          expect(resolved.arguments).toEqual(args);
        }
      }
      for (const { facts } of sets['admin']!.operations) {
        if (set.find(facts.id) !== undefined) continue;
        await expect(callThrough(call, { operation: facts.id })).rejects.toMatchObject({
          code: 'operation_unknown',
        });
      }
    },
  );

  it('hybrid is about 13 tools, the pools first; admin-only categories are for admins', () => {
    const admin = hybrid.publish(sets['admin']!, OPTIONS).map(({ name }) => name);
    expect(admin).toHaveLength(14);
    expect(admin).toEqual(
      expect.arrayContaining(['manage_ceph_pools', 'manage_services', 'manage_maintenance']),
    );
    const viewer = hybrid.publish(sets['viewer']!, OPTIONS).map(({ name }) => name);
    expect(viewer.filter((name) => /maintenance|servers|config/.test(name))).toEqual([]);
  });

  it('no category tool is over 5 KB, and its verbs are those of its collection', () => {
    for (const topology of [hybrid, categories]) {
      for (const who of ['admin', 'viewer']) {
        for (const { tool } of topology.publish(sets[who]!, OPTIONS)) {
          expect(Buffer.byteLength(JSON.stringify(tool)), tool.name).toBeLessThanOrEqual(5000);
        }
      }
    }
    const pools = toolNamed(hybrid.publish(sets['admin']!, OPTIONS), 'manage_ceph_pools');
    expect(pools.tool.inputSchema).toMatchObject({
      properties: { action: { enum: expect.arrayContaining(['list', 'create', 'update', 'delete']) } },
    });
  });

  it('eight hits fit in 400 tokens, base in 500', async () => {
    const tools = base.publish(sets['admin']!, OPTIONS);
    const list = toolNamed(tools, 'list_api_endpoints');
    for (const search of ['pool', 'iscsi host group', 'restart service', 'snapshot']) {
      const rows = (await answered(list, { search })).split('\n').slice(0, 8);
      expect(countTokens(rows.join('\n'))).toBeLessThanOrEqual(400);
    }
    const tokens = tools
      .filter(isTopologyTool)
      .map(({ tool: { name, description, inputSchema } }) =>
        countTokens(JSON.stringify({ name, description, inputSchema })),
      );
    expect(tokens.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(500);
  });

  it('the purposes of operations that a viewer may not call are nowhere in what it sees', () => {
    const hidden = new Set(
      ids(sets['admin']!.operations).filter((id) => sets['viewer']!.find(id) === undefined),
    );
    const text = JSON.stringify(categories.publish(sets['viewer']!, OPTIONS).map(({ tool }) => tool));
    for (const id of hidden) expect(text.includes(`"${id}"`)).toBe(false);
  });
});
