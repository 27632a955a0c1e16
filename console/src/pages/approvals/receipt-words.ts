import type { ShownApproval } from './queries.ts';

/** What became of a call, with the name of whoever decided. The note behind it stands as it was written. */
export function receiptWords(
  { card, decidedBy }: Pick<ShownApproval, 'card' | 'decidedBy'>,
  nameOf: (id: string) => string,
): string {
  const summary = card.receipt?.summary ?? '';
  if (decidedBy === undefined) return summary;
  const begins = `Decided by ${decidedBy} (`;
  const at = summary.indexOf(begins);
  if (at < 0) return summary;
  return `${summary.slice(0, at)}Decided by ${nameOf(decidedBy)} (${summary.slice(at + begins.length)}`;
}
