import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import { DEFAULT_TOPOLOGY_OPTIONS } from '../../src/operations/index.ts';
import { base } from '../../src/topology/base.ts';
import { POOLS } from './calling/sample-sets.ts';
import { plainOperations, setOf, toolNamed } from './search-set.ts';
import { callThrough } from './walk.ts';

describe('base', () => {
  const set = setOf(POOLS);
  const tools = base.publish(set, DEFAULT_TOPOLOGY_OPTIONS);

  it('is three tools, however many operations there are', () => {
    const names = ['call_api_endpoint', 'get_reference_schema', 'list_api_endpoints'];
    expect(tools.map(({ name }) => name)).toEqual(names);
    const many = base.publish(setOf(plainOperations('big', 300)), DEFAULT_TOPOLOGY_OPTIONS);
    expect(many.map(({ name }) => name)).toEqual(names);
  });

  it('takes at most 500 tokens together', () => {
    const tokens = tools.map(({ tool: { name, description, inputSchema } }) =>
      countTokens(JSON.stringify({ name, description, inputSchema })),
    );
    expect(tokens.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(500);
  });

  it('reaches every operation, and says once how lists are filtered', async () => {
    const call = toolNamed(tools, 'call_api_endpoint');
    for (const { facts } of set.operations) {
      expect((await callThrough(call, { operation: facts.id })).operation.id).toBe(facts.id);
    }
    const texts = tools.map(({ tool }) => tool.description);
    expect(texts.filter((text) => text.includes('~regex'))).toHaveLength(1);
    expect(call.tool.description).toContain('10 rows (services, servers 25; stats 50; logs 100)');
  });

  it('an operation that the set does not hold is not there', async () => {
    const reader = setOf(POOLS.filter(({ facts }) => facts.access === 'read'));
    const call = toolNamed(base.publish(reader, DEFAULT_TOPOLOGY_OPTIONS), 'call_api_endpoint');
    for (const target of [{ operation: 'deletePool' }, { method: 'DELETE', path: '/pools/7' }]) {
      await expect(callThrough(call, target)).rejects.toMatchObject({ code: 'operation_unknown' });
    }
  });
});
