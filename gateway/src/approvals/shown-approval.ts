import { ToolcribError } from '../errors.ts';
import type { Approval, ApprovalCard } from '../operations/index.ts';
import { cardOf } from './card.ts';
import type { StoredApproval } from './records.ts';

/** An approval with its card, as channels show it. */
export type ShownApproval = Approval & { readonly card: ApprovalCard };

/** Without what a person wrote and how it is kept. */
export function publicApproval({
  edited: _edited,
  run: _run,
  rounds: _rounds,
  toldAt: _toldAt,
  ...approval
}: StoredApproval): ShownApproval {
  return { ...approval, card: cardOf(approval) };
}

/** Throws `approval_expired`, `approval_decided`. */
export function checkPending({ id, state }: StoredApproval): void {
  if (state === 'pending') return;
  throw state === 'expired'
    ? new ToolcribError('approval_expired', `Approval ${id} has expired.`)
    : new ToolcribError('approval_decided', `Approval ${id} is ${state} already.`);
}
