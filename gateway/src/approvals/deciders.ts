import { ToolcribError } from '../errors.ts';
import type { Approval, ApprovalChannel, Principal } from '../operations/index.ts';

/** Who decides, through which channel. */
export type Decider =
  /** The owner of the machine or of the approver token: decides everything. */
  | { readonly kind: 'operator'; readonly channel: ApprovalChannel; readonly id: string }
  /** Whoever has a link that was handed out for one approval. */
  | { readonly kind: 'link'; readonly approval: string }
  /** The person at the client that asked, by elicitation. */
  | { readonly kind: 'caller'; readonly principal: Principal }
  /** A user of an organisation, by a credential of their own. */
  | {
      readonly kind: 'user';
      readonly channel: ApprovalChannel;
      readonly principal: Principal;
      /** Held now. */
      readonly roles: readonly string[];
    };

/** Who looks at approvals; `operator` sees all of them. */
export type Viewer =
  | { readonly kind: 'operator' }
  | { readonly kind: 'user'; readonly principal: Principal; readonly roles: readonly string[] };

type Bound = Pick<Approval, 'id' | 'principal' | 'organisation' | 'source'>;

/**
 * Throws `approval_forbidden` where the credential must not decide, and `approval_unknown` where the decider is not to
 * know that there is such an approval. Whoever is handed a link decides by it, and is checked here, too.
 */
export function checkDecider(approval: Bound, by: Decider | Viewer, approvers: readonly string[]): void {
  switch (by.kind) {
    case 'operator':
      return;
    case 'link':
      if (by.approval !== approval.id) throw unknownApproval(approval.id);
      return;
    case 'caller':
      if (!isOwn(approval, by.principal)) throw unknownApproval(approval.id);
      return;
    case 'user': {
      if (!isWithinReach(approval, by.principal)) throw unknownApproval(approval.id);
      if (isOwn(approval, by.principal)) {
        throw forbidden("The caller's own credential does not decide the caller's calls.");
      }
      if (!isApprover(by.roles, approvers)) throw unknownApproval(approval.id);
      if (by.principal.purpose !== 'approve') {
        throw forbidden('This credential calls tools; approvals are decided with one that was made for it.');
      }
      return;
    }
    default:
      throw unknownApproval(approval.id);
  }
}

/** How a decider stands in records and events. */
export function deciderName(by: Decider): {
  readonly id: string;
  readonly channel: ApprovalChannel;
} {
  switch (by.kind) {
    case 'link':
      return { id: 'link', channel: 'link' };
    case 'caller':
      return { id: by.principal.id, channel: 'elicitation' };
    case 'user':
      return { id: by.principal.id, channel: by.channel };
    default:
      return { id: by.id, channel: by.channel };
  }
}

/** An approver sees the organisation's, everybody else the own ones; by a limited credential those of its sources. */
export function maySee(approval: Bound, viewer: Viewer, approvers: readonly string[]): boolean {
  if (viewer.kind === 'operator') return true;
  const { principal, roles } = viewer;
  if (!isWithinReach(approval, principal)) return false;
  return approval.principal === principal.id || isApprover(roles, approvers);
}

export function isApprover(roles: readonly string[], approvers: readonly string[]): boolean {
  return roles.some((role) => approvers.includes(role));
}

/** The same for an id that nobody has and for one that belongs to others. */
export function unknownApproval(id: string): ToolcribError {
  return new ToolcribError('approval_unknown', `There is no approval "${id.slice(0, 64)}".`);
}

/** Sources whose approvals a credential has to do with; undefined: all. One that only decides calls none of them. */
export function approvalSources({ purpose, sources, decides }: Principal): readonly string[] | undefined {
  return purpose === 'approve' ? decides : sources;
}

/** Of the principal's organisation, and of a source that the credential is good for. */
function isWithinReach({ organisation, source }: Bound, principal: Principal): boolean {
  return (
    principal.organisation !== undefined &&
    principal.organisation === organisation &&
    (approvalSources(principal)?.includes(source) ?? true)
  );
}

function isOwn(approval: Bound, principal: Principal): boolean {
  return approval.principal === principal.id && approval.organisation === principal.organisation;
}

function forbidden(message: string): ToolcribError {
  return new ToolcribError('approval_forbidden', message);
}
