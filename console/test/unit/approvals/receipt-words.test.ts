import { expect, it } from 'vitest';
import { receiptWords } from '../../../src/pages/approvals/receipt-words.ts';

const nameOf = (id: string) => (id === 'user_1' ? 'Ann Alder' : id);
const decided = (summary: string, decidedBy?: string) =>
  receiptWords(
    {
      card: { receipt: { outcome: 'denied', summary, at: '' } } as Parameters<typeof receiptWords>[0]['card'],
      ...(decidedBy === undefined ? {} : { decidedBy }),
    },
    nameOf,
  );

it('names whoever decided, and leaves what that person wrote', () => {
  expect(decided('Rejected. Decided by user_1 (console). Decided by user_1 (me).', 'user_1')).toBe(
    'Rejected. Decided by Ann Alder (console). Decided by user_1 (me).',
  );
  expect(decided('Rejected. Decided by owner (cli).', 'owner')).toBe('Rejected. Decided by owner (cli).');
  expect(decided('Nobody decided in time.')).toBe('Nobody decided in time.');
});
