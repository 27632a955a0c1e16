import { expect, it } from 'vitest';
import { watchAccounts } from '../../../src/assembly/calling/watch-accounts.ts';
import { type ErrorCode, ToolcribError } from '../../../src/errors.ts';
import type { Call, Result } from '../../../src/operations/index.ts';

const ACCOUNT = { id: 'con_1', owner: 'organisation' } as const;

/** What is told of a call's account, where calls end so. */
async function told(end: number | ErrorCode | undefined, more: object = {}): Promise<readonly string[]> {
  const said: string[] = [];
  const watched = watchAccounts(
    {
      grants: { known: () => ({ source: () => ({ account: ACCOUNT }) }) as never },
      doubt: (source, account) => void said.push(`doubt ${source} ${account?.id}`),
      notes: {
        ended: (account) => void said.push(`ended ${account}`),
        worked: (account) => void said.push(`worked ${account}`),
      },
    },
    async () => {
      if (typeof end === 'string') throw new ToolcribError(end, 'It failed.');
      return { kind: 'completed', content: [], ...(end === undefined ? {} : { status: end }) } as Result;
    },
  );
  const call = {
    operation: { source: 'lever' },
    principal: { id: 'ann', kind: 'user', organisation: 'acme' },
    ...more,
  } as unknown as Call;
  await watched(call).catch(() => undefined);
  return said;
}

it.each<[number | ErrorCode | undefined, readonly string[]]>([
  [200, ['worked con_1']],
  [404, ['worked con_1']],
  [500, ['worked con_1']],
  [401, ['doubt lever con_1']],
  [403, ['doubt lever con_1']],
  ['reconnect_required', ['ended con_1']],
  ['connection_missing', ['ended con_1']],
  ['upstream_unreachable', []],
  [undefined, []],
])('a call that ends as %s tells %j', async (end, expected) => {
  expect(await told(end)).toEqual(expected);
});

it('a dry run and a call of no organisation tell nothing of an account', async () => {
  expect(await told(200, { dryRun: true })).toEqual([]);
  expect(await told(200, { principal: { id: 'local', kind: 'local' } })).toEqual([]);
  expect(await told('reconnect_required', { principal: { id: 'local', kind: 'local' } })).toEqual([]);
});
