import type { ShownApproval } from '../../approvals/index.ts';
import { type ApprovalDecision, isObject, type JsonObject } from '../../operations/index.ts';
import type { Terminal } from '../terminal/terminal.ts';

/**
 * What the person at the terminal decides by a key; undefined: nothing. Whatever cannot be read rejects.
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
    case 'e': {
      const line = await terminal.line?.('Arguments as JSON: ', JSON.stringify(preview), signal);
      if (signal.aborted) return undefined;
      const args = parsed(line);
      if (args === undefined) terminal.note('That is no JSON object: the call is rejected.');
      return args === undefined ? { decision: 'reject' } : { decision: 'edit', arguments: args };
    }
    default:
      return undefined;
  }
}

function parsed(text: string | undefined): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text ?? '');
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
