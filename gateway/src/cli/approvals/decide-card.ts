import { editedArguments } from '../../approvals/edited-arguments.ts';
import type { Approvals, ShownApproval } from '../../approvals/index.ts';
import { isToolcribError } from '../../errors.ts';
import type { ApprovalDecision } from '../../operations/index.ts';
import { PROXY_TOOL } from '../../proxy/proxy-types.ts';
import { terminalDecider } from '../commands/approvals.ts';
import type { Terminal } from '../terminal/terminal.ts';

/**
 * What became of it once the person at the terminal decided by a key; undefined: nothing was decided. Throws as
 * `Approvals.decide` does.
 * @param signal the command is asked to end: nothing is decided
 */
export async function decideAtTerminal(
  approval: ShownApproval,
  approvals: Pick<Approvals, 'decide'>,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<ShownApproval | undefined> {
  const { id, standing, tool } = approval;
  const decide = (decision: ApprovalDecision) => approvals.decide(id, decision, terminalDecider());
  // every approval of a skill holds from then on, and what was dangerous is asked for each time
  const mayStand = standing !== 'never' && standing !== 'skill';
  const mayEdit = tool !== PROXY_TOOL;
  const edit = mayEdit ? ', e edit' : '';
  const always = mayStand ? ', A from now on' : '';
  const keys = ['a', ...(mayEdit ? ['e'] : []), 'r', ...(mayStand ? ['A'] : []), 's'];
  const key = await terminal.choose?.(`a approve${edit}, r reject${always}, s skip: `, keys, signal);
  switch (key) {
    case 'a':
      return decide({ decision: 'approve' });
    case 'A':
      return decide({ decision: 'approve_always' });
    case 'r':
      return decide({ decision: 'reject' });
    case 'e':
      return decideEdited(approval, decide, terminal, signal);
    default:
      return undefined;
  }
}

/** Asks until the arguments can be taken; whoever breaks off decides nothing. */
async function decideEdited(
  { preview }: ShownApproval,
  decide: (decision: ApprovalDecision) => Promise<ShownApproval>,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<ShownApproval | undefined> {
  let text = JSON.stringify(preview);
  for (;;) {
    const line = await terminal.line?.('Arguments as JSON: ', text, signal);
    if (line === undefined || signal.aborted) return undefined;
    const args = editedArguments(line);
    if (typeof args === 'string') terminal.note(args);
    else {
      try {
        return await decide({ decision: 'edit', arguments: args });
      } catch (error) {
        if (!isToolcribError(error) || error.code !== 'arguments_invalid') throw error;
        terminal.note(error.message);
      }
    }
    text = line;
  }
}
