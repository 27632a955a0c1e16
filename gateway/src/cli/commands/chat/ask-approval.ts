import type { Gateway } from '../../../gateway.ts';
import type { ChatApprovalAsked } from '../../../operations/chat.ts';
import { cardLines } from '../../approvals/approval-card.ts';
import { askTerminal } from '../../approvals/decide-card.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { terminalDecider } from '../approvals.ts';

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
  const decision = await askTerminal(approval, terminal, signal);
  if (decision === undefined) return 'open';
  await approvals.decide(id, decision, terminalDecider());
  return 'decided';
}
