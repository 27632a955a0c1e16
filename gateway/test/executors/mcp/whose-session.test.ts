import { expect, test } from 'vitest';
import { createMcpExecutor } from '../../../src/executors/mcp/mcp-executor.ts';
import { type Call, LOCAL_PRINCIPAL, type Operation, type Principal } from '../../../src/operations/index.ts';

const OPERATION = {
  id: 'look',
  source: 'board',
  access: 'read',
  safety: { idempotent: true },
  invocation: { kind: 'mcp', tool: 'look' },
} as unknown as Operation;

/** Whose session each of these callers' calls went to, and who may read what they were told of. */
async function sessionsOf(callers: readonly Principal[]): Promise<readonly string[]> {
  const whose: string[] = [];
  const executor = createMcpExecutor({
    upstreams: {
      ready: async () => undefined,
      call: async (_source, _tool, _args, { principal }) => {
        whose.push(principal);
        return { kind: 'answer', content: [{ type: 'resource_link', uri: 'a:b', name: 'b' }], failed: false };
      },
    },
    linked: (_source, _uris, principal) => whose.push(principal),
  });
  for (const principal of callers) {
    const call = { id: 'c', principal, tool: 'look', operation: OPERATION, arguments: {}, channel: {} };
    await executor.execute({ ...call, dryRun: false, depth: 0 } as unknown as Call, {} as never);
  }
  return whose;
}

const ann: Principal = { kind: 'user', id: 'ann', organisation: 'acme', maxAccess: 'read', roles: [] };

test('two of one name in two organisations have sessions of their own, and one person the same whatever the key', async () => {
  const [one, told] = await sessionsOf([ann]);
  expect(told).toBe(one);
  const others = [
    { ...ann, organisation: 'globex' },
    { ...ann, organisation: undefined },
    { ...ann, kind: 'token' },
    { ...LOCAL_PRINCIPAL, id: 'ann' },
  ] as Principal[];
  const whose = await sessionsOf(others);
  expect(new Set([one, ...whose]).size).toBe(5);
  expect(await sessionsOf([{ ...ann, key: 'k', roles: ['admin'] }])).toEqual([one, one]);
});
