import { cardOf } from '../../../approvals/card.ts';
import type { StoredApproval } from '../../../approvals/records.ts';
import { ToolcribError } from '../../../errors.ts';
import { calledName } from '../../../operations/called-name.ts';
import { printable } from '../../../operations/text/printable.ts';

/**
 * Throws `approval_required` with id, expiry and card. Never a link: whoever reads this may be the model that must not
 * decide.
 */
export function required(approval: StoredApproval): never {
  const { id, tool, operation, reason } = approval;
  const expiresAt = new Date(approval.expiresAt).toISOString();
  throw new ToolcribError(
    'approval_required',
    `A person must approve this call of ${calledName(tool, operation)}: ${reason} Approval ${id} is open until ${expiresAt}.`,
    { details: { approval: id, state: approval.state, expiresAt, card: cardOf(approval) } },
  );
}

type EndCode = 'approval_rejected' | 'approval_expired' | 'approval_void' | 'approval_unknown';

/** Throws: this approval leads to no call. */
export function unusable(code: EndCode, id: string, why = ''): never {
  const short = id.slice(0, 64);
  const messages: Record<EndCode, string> = {
    approval_rejected: `A person rejected the call (approval ${short})${why === '' ? '.' : `: ${printable(why, 500)}`}`,
    approval_expired: `Approval ${short} has expired.`,
    approval_void: `Approval ${short} is void: ${why}.`,
    approval_unknown: `This caller has no approval "${short}".`,
  };
  throw new ToolcribError(code, messages[code], { details: { approval: short } });
}
