import type { Gateway } from '../../../gateway.ts';
import type { ChatApprovalAsked } from '../../../operations/chat.ts';
import { cardLines } from '../../approvals/approval-card.ts';
import { decideAtTerminal } from '../../approvals/decide-card.ts';
import type { Terminal } from '../../terminal/terminal.ts';

/** Asks the person who typed the question; `open`: they left it, and the call is not carried out. */
export async function askApproval(
  gateway: Pick<Gateway, 'approvals'>,
  { id }: ChatApprovalAsked,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<'decided' | 'open'> {
  const approvals = await gateway.approvals();
  const approval = await approvals.get(id, { kind: 'operator' });
  for (const line of cardLines(approval.card, terminal)) terminal.note(line);
  const decided = await decideAtTerminal(approval, approvals, terminal, signal);
  return decided === undefined ? 'open' : 'decided';
}
