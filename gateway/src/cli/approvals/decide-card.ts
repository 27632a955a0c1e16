import { editedArguments } from '../../approvals/edited-arguments.ts';
import type { ShownApproval } from '../../approvals/index.ts';
import type { ApprovalDecision, JsonObject } from '../../operations/index.ts';
import type { Terminal } from '../terminal/terminal.ts';

/**
 * What the person at the terminal decides by a key; undefined: nothing.
 * @param signal the command is asked to end: nothing is decided
 */
export async function askTerminal(
  { standing, preview }: ShownApproval,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<ApprovalDecision | undefined> {
  // every approval of a skill holds from then on, and what was dangerous is asked for each time
  const mayStand = standing !== 'never' && standing !== 'skill';
  const always = mayStand ? ', A from now on' : '';
  const keys = ['a', 'e', 'r', ...(mayStand ? ['A'] : []), 's'];
  const key = await terminal.choose?.(`a approve, e edit, r reject${always}, s skip: `, keys, signal);
  switch (key) {
    case 'a':
      return { decision: 'approve' };
    case 'A':
      return { decision: 'approve_always' };
    case 'r':
      return { decision: 'reject' };
    case 'e':
      return askArguments(preview, terminal, signal);
    default:
      return undefined;
  }
}

/** Asks until they can be taken; whoever breaks off decides nothing. */
async function askArguments(
  preview: JsonObject,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<ApprovalDecision | undefined> {
  let text = JSON.stringify(preview);
  for (;;) {
    const line = await terminal.line?.('Arguments as JSON: ', text, signal);
    if (line === undefined || signal.aborted) return undefined;
    const args = editedArguments(line);
    if (typeof args !== 'string') return { decision: 'edit', arguments: args };
    terminal.note(args);
    text = line;
  }
}
