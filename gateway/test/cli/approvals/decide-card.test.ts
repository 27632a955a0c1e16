import { expect, it } from 'vitest';
import type { ShownApproval } from '../../../src/approvals/index.ts';
import { decideAtTerminal } from '../../../src/cli/approvals/decide-card.ts';
import type { Terminal } from '../../../src/cli/terminal/terminal.ts';
import type { ApprovalDecision } from '../../../src/operations/index.ts';

/** What the keys are that may be pressed, and what the one that is pressed decides. */
async function asked(tool: string, key: string) {
  const offered: string[] = [];
  const decided: ApprovalDecision[] = [];
  const approval = { id: 'a', tool, standing: 'tool', preview: {} } as unknown as ShownApproval;
  const terminal = {
    note: () => undefined,
    choose: async (question: string, keys: readonly string[]) => {
      offered.push(question, keys.join(''));
      return keys.includes(key) ? key : undefined;
    },
    line: async () => '{"id": 7}',
  } as unknown as Terminal;
  const decide = async (_id: string, decision: ApprovalDecision) => {
    decided.push(decision);
    return approval;
  };
  await decideAtTerminal(approval, { decide }, terminal, new AbortController().signal);
  return { offered, decided };
}

it('a call can be approved, edited, rejected or approved from now on', async () => {
  expect(await asked('stock_deleteItem', 'e')).toEqual({
    offered: ['a approve, e edit, r reject, A from now on, s skip: ', 'aerAs'],
    decided: [{ decision: 'edit', arguments: { id: 7 } }],
  });
});

it('a proxied request cannot be edited: no arguments would be taken, however often they are asked for', async () => {
  expect(await asked('ats-proxy', 'e')).toEqual({
    offered: ['a approve, r reject, A from now on, s skip: ', 'arAs'],
    decided: [],
  });
});
