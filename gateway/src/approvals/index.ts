export { type Approvals, type ApprovalsOptions, createApprovals, type ShownApproval } from './approvals.ts';
export { type ApproverToken, createApproverToken } from './approver-token.ts';
export { cardOf } from './card.ts';
export type { Decider, Viewer } from './deciders.ts';
export { readDecision, readFormDecision } from './decision.ts';
export type { ApprovalGate } from './gate.ts';
export { type ApprovalNeed, needsApproval } from './policy.ts';
