import { describe, expect, it } from 'vitest';
import { DEFAULT_TOPOLOGY_OPTIONS } from '../../../src/operations/index.ts';
import { callTool as callEndpoint } from '../../../src/topology/calling/call-tool.ts';
import { callTool } from '../../../src/topology/finding/call-tool.ts';
import { hybrid } from '../../../src/topology/hybrid.ts';
import { contextBench, setOf, toolNamed } from '../search-set.ts';
import { POOLS } from './sample-sets.ts';

const set = setOf(POOLS);
const pools = toolNamed(hybrid.publish(set, DEFAULT_TOPOLOGY_OPTIONS), 'manage_pools');

describe("an operation's arguments beside those of the tool that calls it", () => {
  it.each([
    ['call_endpoint', callEndpoint('call_endpoint', set), { operation: 'createPool' }, 'arguments'],
    ['call_tool', callTool(set, { shapes: true }), { name: 'createPool' }, 'arguments'],
    ['manage_pools', pools, { action: 'create' }, 'action_args'],
  ] as const)('%s says where they belong, once for all of them', async (name, tool, own, place) => {
    const args = { ...own, pool_name: 'rbd', size: 3 };
    expect(await tool.advise?.(args, contextBench())).toMatchObject({
      code: 'arguments_invalid',
      pointer: '/pool_name',
      message: `${name} has no "pool_name", "size" of its own; arguments of the operation stand in "${place}".`,
    });
    expect(await tool.advise?.(own, contextBench())).toBeUndefined();
  });

  it.each([
    [
      'call_endpoint',
      callEndpoint('call_endpoint', set),
      / It has operation, method, path, arguments, .*…\.$/,
    ],
    ['call_tool', callTool(set, { shapes: false }), / It has name, arguments.*\.$/],
    ['manage_pools', pools, / It has action, action_args.*\.$/],
  ] as const)('%s says what it has, where its caller knows none of it', async (_name, tool, said) => {
    const error = await tool.advise?.({ id: 'createPool', parameters: {} }, contextBench());
    expect(error?.message).toMatch(said);
  });

  it('leaves what asks for a shape to the schema: it is no argument of an operation', async () => {
    const tool = callTool(set, { shapes: false });
    const args = { name: 'listPools', fields: ['id'], pages: 3 };
    expect(await tool.advise?.(args, contextBench())).toBeUndefined();
  });

  it('leaves a name that is nearly one of its own to the schema', async () => {
    const tool = callTool(set, { shapes: true });
    expect(await tool.advise?.({ name: 'createPool', _limit: 3 }, contextBench())).toBeUndefined();
  });
});

describe('an action that a category tool does not have', () => {
  const advise = async (action: unknown) =>
    await pools.advise?.({ action: action as string }, contextBench());

  it.each([
    ['createPool', /has no action "createPool"\. Nearest: "create"/],
    ['create_pool', /Nearest: "create"/],
    ['CREATE', /Nearest: .*"create"/],
    ['scrub-pool', /Nearest: "scrubPool"/],
    ['???', /has no action "\?\?\?"\. Its description lists them\.$/],
  ])('%s leads to those that are most likely meant', async (action, said) => {
    expect(await advise(action)).toMatchObject({ code: 'arguments_invalid', pointer: '/action' });
    expect((await advise(action))!.message).toMatch(said);
  });

  it('is left to the schema where it is no text', async () => {
    expect(await advise(7)).toBeUndefined();
    expect(await advise('create')).toBeUndefined();
  });
});
