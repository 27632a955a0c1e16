export { standInsOf } from './apply-edit.ts';
export { type Approvals, type ApprovalsOptions, createApprovals } from './approvals.ts';
export { createApproverToken } from './approver-token.ts';
export type { Decider } from './deciders.ts';
export { readDecision } from './decision.ts';
export type { ApprovalGate } from './gate.ts';
export { needsApproval } from './policy.ts';
export type { ShownApproval } from './shown-approval.ts';
export { skillNeed } from './skill-need.ts';
