import type { Gateway } from '../../gateway.ts';
import type { CallRequest } from '../../gateway-core.ts';
import type { Result } from '../../operations/index.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { cardLines } from './approval-card.ts';
import { decideAtTerminal } from './decide-card.ts';

/** The person who typed the command is asked at once, where there is one; without an answer the call stays open. */
export async function withApproval(
  gateway: Gateway,
  request: CallRequest,
  result: Result,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<Result> {
  const id = askedFor(result);
  if (id === undefined || gateway.approvals === undefined || !terminal.interactive) return result;
  if (terminal.choose === undefined) return result;
  const approvals = await gateway.approvals();
  const approval = await approvals.get(id, { kind: 'operator' });
  for (const line of cardLines(approval.card, terminal)) terminal.note(line);
  const decided = await decideAtTerminal(approval, approvals, terminal, signal);
  if (decided === undefined) return result;
  return gateway.call({ ...request, channel: { ...request.channel, approval: id } });
}

function askedFor(result: Result): string | undefined {
  if (result.kind !== 'completed' || result.error?.code !== 'approval_required') return undefined;
  const id = result.error.details?.['approval'];
  return typeof id === 'string' ? id : undefined;
}
