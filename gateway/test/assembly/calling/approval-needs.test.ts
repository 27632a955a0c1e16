import { expect, test } from 'vitest';
import { createApprovalNeeds } from '../../../src/assembly/calling/approval-needs.ts';
import type { Catalog } from '../../../src/catalog/catalog.ts';
import type { Configuration } from '../../../src/config/configuration.ts';
import { DEFAULT_APPROVALS } from '../../../src/config/settings/approvals.ts';
import type { ApprovalPolicy, Grants } from '../../../src/operations/index.ts';
import { nothing } from '../../../src/principals/grants/snapshot-grants.ts';
import { ADD_ITEM, ANN } from '../../approvals/support/approval-bench.ts';

const POLICY: ApprovalPolicy = {
  ...DEFAULT_APPROVALS,
  rules: [{ access: 'write', role: 'intern', action: 'ask' }],
};

function asks(grants: Grants): boolean {
  const needs = createApprovalNeeds({
    configuration: () => ({ policy: { approvals: POLICY } }) as Configuration,
    catalog: { current: { entries: [] } as unknown as Catalog },
    grants: { known: () => grants },
    isolated: () => false,
  });
  return needs({ tool: 'stock_addItem', operation: ADD_ITEM, principal: ANN }) !== undefined;
}

test('whoever lost access between authorising and asking is asked as any role would be', () => {
  const gone = nothing(ANN, 'dynamic');
  const grant = { category: 'api', level: 'read-write', connection: 'connected' } as never;
  const held = (roles: readonly string[]): Grants => ({ ...gone, roles, source: () => grant });
  expect([asks(held(['intern'])), asks(held(['lead']))]).toEqual([true, false]);
  expect(asks(gone)).toBe(true);
});
