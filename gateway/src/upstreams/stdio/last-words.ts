import { printable } from '../../operations/text/printable.ts';

const MAX_WORDS = 300;

/** Tells nothing of why a program ended: stack frames, brackets and carets, what runtimes and npm say after an error. */
const NOISE =
  /^(?:at .+|[\s{}[\]()^~,;]*|Node\.js v\d.*|goroutine \d.*|note: run with .*|npm (?:error|ERR!) (?:\d+|A complete log .*))$/;
const FAILURE = /(?:error|exception|fatal|panic)\w*\b.{0,80}?[:!]|\b(?:error|ERR!) /i;

/**
 * Why a program ended, out of the tail of its stderr: from the last lines that name an error, since a stack or a
 * usage text may follow them; otherwise the last line.
 */
export function lastWords(tail: string): string {
  const lines = tail.split('\n').filter((line) => !NOISE.test(line.trim()));
  let from = lines.findLastIndex((line) => FAILURE.test(line));
  while (from > 0 && FAILURE.test(lines[from - 1]!)) from -= 1;
  const words = lines.slice(from).join(' ').replace(/\s+/g, ' ').trim();
  return printable(words, MAX_WORDS).replace(/\.$/, '');
}

/** As the end of a sentence. */
export function lastWrote(tail: string): string {
  const words = lastWords(tail);
  return words === '' ? '' : `; it last wrote: ${words}`;
}
