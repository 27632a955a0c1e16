import { expect, test } from 'vitest';
import { approvalLinks } from '../../src/assembly/approval-links.ts';
import { ToolcribError } from '../../src/errors.ts';
import type { Event } from '../../src/operations/index.ts';
import { approvalBench, OPERATOR } from '../approvals/support/approval-bench.ts';

const asked = (approval: string) => ({ type: 'approval-requested', approval }) as Event;

function bench() {
  const { approvals, told, ...rest } = approvalBench();
  const links = approvalLinks({ approvals: async () => approvals, base: () => 'https://crib.example' });
  return { ...rest, approvals, ask: async (id: number) => (await told({ id })).approval, links };
}

test('a question that waits has a link', async () => {
  const { ask, links } = bench();
  expect(await links(asked(await ask(1)))).toMatch(/^https:\/\/crib\.example\/approve\/[\w-]{72}$/);
});

test.each([
  ['was approved', 'approve'],
  ['was rejected', 'reject'],
] as const)('one that %s before its receiver heard of it has none', async (_what, decision) => {
  const { ask, approvals, links } = bench();
  const id = await ask(1);
  await approvals.decide(id, { decision }, OPERATOR);
  expect(await links(asked(id))).toBeUndefined();
});

test('one that is gone has none, nor has an event of another kind, or a gateway that nobody reaches', async () => {
  const { ask, approvals, links } = bench();
  expect(await links(asked('f'.repeat(32)))).toBeUndefined();
  expect(await links({ ...asked(await ask(1)), type: 'approval-decided' } as Event)).toBeUndefined();
  const nowhere = approvalLinks({ approvals: async () => approvals, base: () => undefined });
  expect(await nowhere(asked(await ask(2)))).toBeUndefined();
});

test('a store that is away is no reason to leave it out', async () => {
  const approvals = async () => {
    throw new ToolcribError('store_unavailable', 'The store did not answer.');
  };
  const links = approvalLinks({ approvals, base: () => 'https://crib.example' });
  await expect(links(asked('a'))).rejects.toThrow('The store did not answer.');
});
