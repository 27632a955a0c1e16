import type { ApprovalCard } from '../../operations/index.ts';
import { printable } from '../../operations/text/printable.ts';
import { painter, type Terminal } from '../terminal/terminal.ts';

/** A card as lines for a person. */
export function cardLines(card: ApprovalCard, terminal: Terminal): string[] {
  const paint = painter(terminal);
  const { title, description, metadata, variant, receipt, id } = card;
  const width = Math.max(...metadata.map(({ key }) => key.length), 8);
  return [
    paint(variant === 'destructive' ? ['bold', 'red'] : 'bold', printable(title)),
    `  ${printable(description)}`,
    ...metadata.map(({ key, value }) => `  ${printable(key).padEnd(width)}  ${printable(value)}`),
    `  ${'approval'.padEnd(width)}  ${id}`,
    ...(receipt === undefined ? [] : [`  ${paint('bold', printable(receipt.summary))}`]),
  ];
}
