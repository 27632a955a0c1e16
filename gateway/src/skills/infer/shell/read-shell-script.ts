import { FLAG, type FoundArgument, MAX_ARGUMENTS, type ScriptReading, USE_UNREAD } from '../found.ts';
import { leadingComment } from '../leading-comment.ts';
import { isTextNeeded } from '../text-input.ts';
import { readUsageLine, usageLine } from '../usage-line.ts';
import { type CodeLine, shellLines } from './code-lines.ts';
import { environmentOf, inputLine, networkOf } from './surroundings.ts';

/** How a shell script is called: getopts, a `case` on its flags, a usage line, or `$1`, `$2`, … */
export function readShellScript(source: string): ScriptReading {
  const lines = shellLines(source);
  const usage = usageOf(source);
  const getopts = readGetopts(lines);
  const flags = getopts ?? readCases(lines);
  const places = readPlaces(lines);
  const description = leadingComment(source, 'shell');
  const network = networkOf(lines);
  const { how, all } = joined(usage, flags, places, getopts !== undefined);
  const text = inputLine(lines);
  return {
    how: text !== undefined && all.length === 0 ? 'text on standard input' : how,
    command: { arguments: all.slice(0, MAX_ARGUMENTS), commands: [] },
    environment: environmentOf(lines),
    doubts: [],
    ...(text === undefined ? {} : { text: { line: text, required: isTextNeeded(all) } }),
    ...(description === undefined ? {} : { description }),
    ...(network === undefined ? {} : { network }),
  };
}

/** What the code says of flags, what the usage line says of places; the line also knows what is required. */
function joined(
  usage: FoundArgument[] | undefined,
  flags: readonly FoundArgument[],
  places: readonly FoundArgument[],
  isGetopts: boolean,
): { how: string; all: FoundArgument[] } {
  const spoken = new Map(
    usage?.filter(({ flag }) => flag !== undefined).map((argument) => [argument.flag, argument]),
  );
  if (flags.length === 0) {
    if (usage !== undefined && usage.length > 0) return { how: 'usage line', all: usage };
    return { how: places.length > 0 ? 'positions' : 'no arguments', all: [...places] };
  }
  const known = flags.map((flag): FoundArgument => {
    const said = flag.kind === 'value' ? spoken.get(flag.flag) : undefined;
    // one value for each time, as arms and getopts take them
    const many = said?.values === 'many' ? { values: 'many' as const, repeats: true as const } : {};
    return { ...flag, required: said?.required === true, ...many };
  });
  const rest = usage?.filter(({ flag }) => flag === undefined) ?? [];
  return { how: isGetopts ? 'getopts' : 'case on flags', all: [...known, ...rest] };
}

function usageOf(source: string): FoundArgument[] | undefined {
  const lines = source.split('\n');
  for (const [index, raw] of lines.entries()) {
    const line = raw.slice(0, 2000);
    if (!/usage/i.test(line)) continue;
    const spoken = usageLine([line, lines[index + 1] ?? ''].map(plainProgram).join('\n'));
    if (spoken !== undefined) return readUsageLine(spoken, index + 1);
  }
  return undefined;
}

/** `$(basename "$0")` is one word; what the shell does after the text is not part of it. */
function plainProgram(line: string): string {
  const text = line
    .replaceAll(/\$\(basename [^)]{0,40}\)/g, '$0')
    .replaceAll(/\$\{0[^}]{0,20}\}/g, '$0')
    .replaceAll('\\"', '')
    .replace(/^ *#/, '');
  const ends = [' >&2', ' 1>&2', '";', "';", '" ;', '" >&2', '" && ', '" || ']
    .map((mark) => text.indexOf(mark))
    .filter((at) => at >= 0);
  return text.slice(0, Math.min(text.length, ...ends));
}

/** `getopts "ab:c" opt`; undefined where it is not used. */
function readGetopts(lines: readonly CodeLine[]): FoundArgument[] | undefined {
  for (const { text, raw, line } of lines) {
    if (!text.includes('getopts')) continue;
    const found = /\bgetopts\s+["']?:?([A-Za-z0-9:]{1,60})/.exec(raw);
    if (found === null) continue;
    const names = namesOfLetters(lines, line);
    return [...found[1]!.matchAll(/([A-Za-z0-9])(:?)/g)].flatMap(([, letter, colon]): FoundArgument[] =>
      letter === 'h' && colon === ''
        ? []
        : [
            {
              spelling: names.get(letter!) ?? letter!,
              flag: `-${letter}`,
              kind: colon === '' ? 'switch' : 'value',
              type: 'string',
              required: false,
              line,
            },
          ],
    );
  }
  return undefined;
}

/** `b) branch="$OPTARG" ;;` names the letter. */
function namesOfLetters(lines: readonly CodeLine[], from: number): Map<string, string> {
  const names = new Map<string, string>();
  for (const { text, line } of lines) {
    if (line < from) continue;
    const arm = /^\s*\(?["']?([A-Za-z0-9])["']?\)\s*([A-Za-z_]\w{0,60})=/.exec(text);
    if (arm !== null && !names.has(arm[1]!)) names.set(arm[1]!, arm[2]!.toLowerCase());
  }
  return names;
}

/** Arms of `case "$1" in`: one that takes `$2` or shifts twice has a value. */
function readCases(lines: readonly CodeLine[]): FoundArgument[] {
  const found = new Map<string, FoundArgument>();
  for (const [index, { text, line }] of lines.entries()) {
    const arm = /^\s*\(?(-[\w|\s"=*-]{0,120})\)(.*)$/.exec(text);
    if (arm === null) continue;
    const words = arm[1]!
      .replaceAll('"', '')
      .split('|')
      .map((word) => word.trim());
    const flags = words.map((word) => word.replace(/=\*?$/, '')).filter((word) => FLAG.test(word));
    const flag = flags.find((word) => word.startsWith('--')) ?? flags[0];
    if (flag === undefined || flags.includes('--help') || flags.includes('-h') || found.has(flag)) continue;
    const hasValue =
      armHasValue(lines, index, arm[2]!) || words.every((word) => word.endsWith('=*') || word.endsWith('='));
    const isJoined = words.every((word) => word.includes('='));
    found.set(flag, {
      spelling: flag,
      flag,
      kind: hasValue ? 'value' : 'switch',
      type: 'string',
      required: false,
      line,
      ...(isJoined ? { joined: true } : {}),
    });
  }
  return [...found.values()].slice(0, MAX_ARGUMENTS);
}

/** Within the arm, which ends with `;;`; at most 20 lines. */
function armHasValue(lines: readonly CodeLine[], index: number, rest: string): boolean {
  for (let at = index; at < Math.min(index + 20, lines.length); at++) {
    const text = at === index ? rest : lines[at]!.text;
    const [own = ''] = text.split(';;', 1);
    if (/\$\{?2\b|\bshift\s+2\b/.test(own)) return true;
    if (text.includes(';;')) return false;
  }
  return false;
}

/** `NAME="$1"`, `${1:-default}`, `${1:?message}`, each where it is the script's own. */
function readPlaces(lines: readonly CodeLine[]): FoundArgument[] {
  const passed = new Set<string>();
  for (const { text, owner } of lines) {
    const call = owner === undefined ? /^\s*([A-Za-z_][\w-]{0,60})\s+"\$@"/.exec(text) : null;
    if (call !== null) passed.add(call[1]!);
  }
  const required = requiredCount(lines);
  const found = new Map<number, FoundArgument>();
  let shifted = 0;
  /** The first `"$@"`, with how many are gone before it. */
  let rest: { readonly line: number; readonly after: number } | undefined;
  let most = 0;
  for (const { text, line, owner } of lines) {
    if (owner === undefined && /"\$@"/.test(text) && !/^\s*\w[\w-]*\s+"\$@"\s*$/.test(text))
      rest ??= { line, after: shifted };
    if (owner !== undefined && !passed.has(owner)) continue;
    for (const [, braced, plain] of text.matchAll(/\$(?:\{([1-9](?::?[-?=][^}]{0,200})?)\}|([1-9]))/g)) {
      const position = Number((braced ?? plain)![0]) + shifted;
      const more = /^\d:?([-?=])(.*)$/.exec(braced ?? '');
      const fallback =
        more !== null && more[1] !== '?' && !more[2]!.includes('$')
          ? more[2]!.replaceAll('"', '')
          : undefined;
      most = Math.max(most, position);
      const assigned = /^\s*(?:local |readonly |export |declare )?([A-Za-z_]\w{0,60})=["']?\$\{?([1-9])/.exec(
        text,
      );
      const isOwn = assigned !== null && Number(assigned[2]) + shifted === position;
      if (found.has(position) && !isOwn) continue;
      const known = found.get(position);
      const isOptional = more !== null && more[1] !== '?';
      found.set(position, {
        spelling: isOwn ? assigned[1]!.toLowerCase() : `argument_${position}`,
        kind: 'value',
        type: 'string',
        required:
          known === undefined
            ? !isOptional && (required === undefined || position <= required || more?.[1] === '?')
            : known.required && !isOptional,
        line,
        ...(fallback === undefined || fallback === '' ? {} : { fallback }),
      });
    }
    const shift = /(?:^|[;&]\s*|\s)shift(?:\s+([1-9]))?\s*(?:;|$|&|\|)/.exec(text);
    if (shift !== null && shifted < 20) shifted += Number(shift[1] ?? 1);
  }
  const all: FoundArgument[] = [];
  for (let position = 1; position <= Math.min(most, 20); position++) {
    const known = found.get(position);
    all.push(
      known ?? {
        spelling: `argument_${position}`,
        kind: 'value',
        type: 'string',
        required: true,
        line: 0,
        doubt: USE_UNREAD,
      },
    );
  }
  if (rest === undefined || rest.after !== all.length) return all;
  const many: FoundArgument = {
    ...{ spelling: 'arguments', kind: 'value', type: 'string', values: 'many', line: rest.line },
    required: required !== undefined && required > all.length,
  };
  return [...all, all.length === 0 ? { ...many, doubt: USE_UNREAD } : many];
}

/** `[ $# -lt 2 ]`, `[[ $# -ne 2 ]]`, `(( $# < 2 ))`. */
function requiredCount(lines: readonly CodeLine[]): number | undefined {
  for (const { text, owner } of lines) {
    if (owner !== undefined) continue;
    const found = /\$\{?#\}?["']?\s*(-lt|-ne|-le|-eq|<=|<|!=|==)\s*["']?(\d)/.exec(text);
    if (found === null) continue;
    const count = Number(found[2]);
    if (found[1] === '-eq' || found[1] === '==') return count === 0 ? 1 : undefined;
    return found[1] === '-le' || found[1] === '<=' ? count + 1 : count;
  }
  return undefined;
}
