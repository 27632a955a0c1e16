export { type Approvals, type ApprovalsOptions, createApprovals, type ShownApproval } from './approvals.ts';
export { createApproverToken } from './approver-token.ts';
export type { Decider } from './deciders.ts';
export { readDecision } from './decision.ts';
export type { ApprovalGate } from './gate.ts';
export { needsApproval } from './policy.ts';
export { skillNeed } from './skill-need.ts';
