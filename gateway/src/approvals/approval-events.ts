import type { ApprovalEvent, StandingApproval } from '../operations/index.ts';
import type { Viewer } from './deciders.ts';
import type { StoredApproval } from './records.ts';

/** What became of one approval, with whatever more is known. */
export function eventOf(
  type: ApprovalEvent['type'],
  approval: StoredApproval,
  more: { readonly call?: string; readonly message?: string },
): ApprovalEvent {
  const { id, principal, organisation, tool, source, operation, state, decidedBy, channel } = approval;
  return {
    type,
    approval: id,
    principal,
    ...(organisation === undefined ? {} : { organisation }),
    tool,
    source,
    operation,
    state,
    ...(decidedBy === undefined ? {} : { decidedBy }),
    ...(channel === undefined ? {} : { channel }),
    ...more,
  };
}

/** A standing approval was taken back. */
export function revokedEvent(standing: StandingApproval, viewer: Viewer): ApprovalEvent {
  const { approval, principal, organisation, tool, source, operation } = standing;
  return {
    type: 'approval-void',
    approval,
    principal,
    ...(organisation === undefined ? {} : { organisation }),
    tool,
    source,
    operation,
    state: 'executed',
    decidedBy: viewer.kind === 'operator' ? 'operator' : viewer.principal.id,
    message: `Standing approval ${standing.id} was revoked.`,
  };
}
