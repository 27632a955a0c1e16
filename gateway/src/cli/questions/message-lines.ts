import { cutText } from '../../operations/text/cut-text.ts';
import { printable } from '../../operations/text/printable.ts';
import { painter, type Terminal } from '../terminal/terminal.ts';

/** UTF-16 units of a question that are shown. */
const MAX_MESSAGE = 4000;

/** The words of a question, with their lines; nothing in them moves the cursor. */
export function messageLines(message: string, terminal: Terminal): string[] {
  const paint = painter(terminal);
  const shown = message.length > MAX_MESSAGE ? `${cutText(message, MAX_MESSAGE)}…` : message;
  return shown.split(/\r?\n/).map((line) => paint('bold', printable(line)));
}
