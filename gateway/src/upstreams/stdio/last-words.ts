import { printable } from '../../operations/text/printable.ts';

const MAX_WORDS = 300;

/** Tells nothing of why a program ended: stack frames, brackets and carets, what runtimes say after an error. */
const NOISE = /^(?:at .+|[\s{}[\]()^~,;]*|Node\.js v\d.*|goroutine \d.*|note: run with .*)$/;
/** npm begins each line so: what the error's members are, and what it says to every one of its kind. */
const OF_NPM = /^npm (?:error|ERR!)(?: |$)/;
const NPM_NOISE =
  /^(?:\d+|(?:code|errno|syscall|address|port|type): .*|(?:errno|syscall) .*|(?:network )?(?:This is a problem related to|In most cases you are|If you are behind a proxy|'proxy' config is set).*|network|A complete log .*)$/;
/** `_errors:` is a member of what was printed, and "the standard error stream" stands in usage texts. */
const FAILURE =
  /(?:(?<!_|standard )error|exception|fatal|panic)\w*\b.{0,80}?[:!]|(?<!standard )\b(?:error|ERR!) /i;

/**
 * Why a program ended, out of the tail of its stderr: from the last lines that name an error, since a stack or a
 * usage text may follow them; otherwise the last line.
 */
export function lastWords(tail: string): string {
  const lines = tail.split('\n').filter((line) => !isNoise(line.trim()));
  let from = lines.findLastIndex((line) => FAILURE.test(line));
  while (from > 0 && FAILURE.test(lines[from - 1]!)) from -= 1;
  const words = from < 0 ? lastLines(lines) : joined(lines.slice(from));
  return printable(words, MAX_WORDS).replace(/\.$/, '');
}

function isNoise(line: string): boolean {
  if (!OF_NPM.test(line)) return NOISE.test(line);
  const said = line.replace(OF_NPM, '').trim();
  return NOISE.test(said) || NPM_NOISE.test(said);
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
