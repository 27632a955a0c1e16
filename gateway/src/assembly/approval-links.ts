import type { Approvals } from '../approvals/index.ts';
import { type ErrorCode, isToolcribError } from '../errors.ts';
import type { LinkOf } from '../events/webhooks/webhook.ts';

export interface ApprovalLinksParts {
  readonly approvals: () => Promise<Pick<Approvals, 'link'>>;
  /** Where people reach the gateway as of now; undefined: nowhere. */
  readonly base: () => string | undefined;
}

/** Nobody decides it any more. */
const OVER: ReadonlySet<ErrorCode> = new Set(['approval_decided', 'approval_expired', 'approval_unknown']);

/**
 * Links for receivers of `approval-requested`, which may hear of it late: what was decided meanwhile, has expired or is
 * gone has no link, and its event is delivered all the same. Throws `store_unavailable`.
 */
export function approvalLinks({ approvals, base }: ApprovalLinksParts): LinkOf {
  return async (event) => {
    if (event.type !== 'approval-requested') return undefined;
    const at = base();
    if (at === undefined) return undefined;
    try {
      return new URL(await (await approvals()).link(event.approval, { kind: 'operator' }), at).href;
    } catch (error) {
      if (isToolcribError(error) && OVER.has(error.code)) return undefined;
      throw error;
    }
  };
}
