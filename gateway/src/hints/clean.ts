import { cleanText } from '../operations/text/clean-text.ts';
import { cutText } from '../operations/text/cut-text.ts';

/** One line of foreign text as models and people may see it: hidden characters and imitated control tags are gone. */
export function hintText(text: string, maxLength: number): string {
  const line = cleanText(text.slice(0, 4 * maxLength + 64))
    .text.replace(/\s+/g, ' ')
    .trim();
  return line.length <= maxLength ? line : `${cut(line, maxLength - 1)}…`;
}

/** Ends at a word where one ends near. */
function cut(text: string, length: number): string {
  const head = cutText(text, length);
  const space = head.lastIndexOf(' ');
  return space > length * 0.7 ? head.slice(0, space) : head;
}

/** Spacing that is more than one blank between words. */
const UNEVEN = /^\s|\s$|[^\S ]| {2}/;

/** What two texts that say the same have in common: case, spacing and the full stop do not count. */
export function sameness(text: string): string {
  const line = UNEVEN.test(text) ? text.replace(/\s+/g, ' ').trim() : text;
  return (line.endsWith('.') ? line.slice(0, -1) : line).toLowerCase();
}
