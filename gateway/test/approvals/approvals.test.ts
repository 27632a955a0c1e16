import { describe } from 'vitest';
import { onEveryStore } from '../store/support/stores.ts';
import { approvalsCases, sharedApprovalsCases } from './approvals-cases.ts';

describe('approvals', () => {
  onEveryStore(({ open }) => {
    approvalsCases(open);
    sharedApprovalsCases(open);
  });
  describe('memory', () => approvalsCases(async () => undefined));
});
