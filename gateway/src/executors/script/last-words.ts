/** Lines from the end of stderr in which a runtime's report is looked for. */
const MOST_LINES = 100;
const NODE_ENDED = /^Node\.js v\d+\.\d+\.\d+/;
/** Below the place in the source that Node shows before a report. */
const CARETS = /^\s*\^+\s*$/;
const STACK_FRAME = /^\s+at /;
const AFTER_A_THROWN_VALUE = '(Use `node --trace-uncaught';
/** A file of the package, whose paths are relative. Node writes `path:line:column`, or `path:line` above the source. */
const NODE_PLACE = /^(?:\s+at (?:.*\()?)?((?!node:|file:|\/|\[)[^\s:()]+:\d+)(?::\d+)?\)?$/;
const PYTHON_PLACE = /^ +File "((?![/<])[^"]+)", line (\d+)/;

/**
 * Why a program says that it failed: the last line of its stderr, or the message that a runtime reports, with the file
 * and line in the package where it does.
 *
 * @param stderr with paths of the package relative to it
 */
export function lastWords(stderr: string): string {
  const lines = lastLines(stderr);
  const last = lines.at(-1) ?? '';
  if (NODE_ENDED.test(last)) return ofNode(lines.slice(0, -1)) ?? last;
  const place = lines.findLast((line) => PYTHON_PLACE.test(line));
  const [, file, line] = (place !== undefined && PYTHON_PLACE.exec(place)) || [];
  return file === undefined ? last : `${last} (${file}:${line})`;
}

/** What was thrown stands below the carets: its message, its stack, its members. */
function ofNode(lines: readonly string[]): string | undefined {
  const carets = lines.findIndex((line) => CARETS.test(line));
  if (carets === -1) return undefined;
  const report = lines.slice(carets + 1);
  const stack = report.findIndex((line) => STACK_FRAME.test(line) || line.startsWith(AFTER_A_THROWN_VALUE));
  const message = report
    .slice(0, stack === -1 ? 1 : stack)
    .join(' ')
    .trim();
  const places = [...report.filter((line) => STACK_FRAME.test(line)), lines[carets - 2] ?? ''];
  const place = places.map((line) => NODE_PLACE.exec(line)?.[1]).find((one) => one !== undefined);
  return place === undefined ? message : `${message} (${place})`;
}

/** Those that say anything, without reading more of a long text than is needed. */
function lastLines(text: string): string[] {
  let from = text.length;
  for (let line = 0; line <= MOST_LINES && from > 0; line++) from = text.lastIndexOf('\n', from - 1);
  return text
    .slice(from + 1)
    .split('\n')
    .filter((line) => line.trim() !== '');
}
