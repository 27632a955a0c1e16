import { printable } from '../../operations/text/printable.ts';

const MAX_WORDS = 300;

/** Tells nothing of why a program ended: stack frames, brackets and carets, what runtimes and npm say after an error. */
const NOISE =
  /^(?:at .+|[\s{}[\]()^~,;]*|Node\.js v\d.*|goroutine \d.*|note: run with .*|npm (?:error|ERR!) (?:\d+|A complete log .*))$/;
/** `_errors:` is a member of what was printed, and "the standard error stream" stands in usage texts. */
const FAILURE =
  /(?:(?<!_|standard )error|exception|fatal|panic)\w*\b.{0,80}?[:!]|(?<!standard )\b(?:error|ERR!) /i;

/**
 * Why a program ended, out of the tail of its stderr: from the last lines that name an error, since a stack or a
 * usage text may follow them; otherwise the last line.
 */
export function lastWords(tail: string): string {
  const lines = tail.split('\n').filter((line) => !NOISE.test(line.trim()));
  let from = lines.findLastIndex((line) => FAILURE.test(line));
  while (from > 0 && FAILURE.test(lines[from - 1]!)) from -= 1;
  const words = from < 0 ? lastLines(lines) : joined(lines.slice(from));
  return printable(words, MAX_WORDS).replace(/\.$/, '');
}

/** As many lines from the end as fit; one of them at least. */
function lastLines(lines: readonly string[]): string {
  let from = lines.length - 1;
  while (from > 0 && joined(lines.slice(from - 1)).length <= MAX_WORDS) from -= 1;
  return joined(lines.slice(from));
}

function joined(lines: readonly string[]): string {
  return lines.join(' ').replace(/\s+/g, ' ').trim();
}

/** As the end of a sentence. */
export function lastWrote(tail: string): string {
  const words = lastWords(tail);
  return words === '' ? '' : `; it last wrote: ${words}`;
}
