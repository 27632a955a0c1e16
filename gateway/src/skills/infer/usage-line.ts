import { type FoundArgument, MAX_ARGUMENTS } from './found.ts';

const MAX_LINE = 2000;
const FLAG = /^--?[A-Za-z][\w-]*$/;

/** The first usage line of a text, behind the name of the program; undefined where there is none. */
export function usageLine(text: string): string | undefined {
  const lines = text.split('\n', 400);
  for (const [index, line] of lines.entries()) {
    const found = /(?:^|[^A-Za-z])usage\s?:?(?=\s|$)(.*)$/i.exec(line.slice(0, MAX_LINE));
    if (found === null) continue;
    const rest = found[1]!.trim() || (lines[index + 1] ?? '').slice(0, MAX_LINE).trim();
    const spoken = arguments_(rest);
    if (spoken !== undefined) return spoken;
  }
  return undefined;
}

/** Without the program: `python x.py`, `./x.sh`, `$0`, `node x.js`. */
function arguments_(line: string): string | undefined {
  const words = line.replace(/^[`'"]+/, '').split(/\s+/);
  let at = 0;
  if (/^(?:python3?|node|bash|sh|npx|tsx|uv|run)$/.test(words[0] ?? '')) at++;
  const program = words[at];
  if (program === undefined || !/^(?:\$|\{|%|\.?\.?\/|[\w./-]+\.\w{1,4}$|[\w.-]+$)/.test(program))
    return undefined;
  const rest = words
    .slice(at + 1)
    .join(' ')
    .replace(/[`'"]+$/, '');
  return /^$|[<[{]|^-|^[A-Z_]+\b|^[a-z_-]+(?: [a-z_[\]<>-]+)*$/.test(rest) ? rest : undefined;
}

/** Bracketed parts and words, e.g. `[--limit`, `N]` → one optional part. */
interface Part {
  readonly words: readonly string[];
  readonly optional: boolean;
  readonly many: boolean;
  /** The dots stand behind the whole of it. */
  readonly again: boolean;
}

/** Reads `<in> [out] --repo DIR [--json] [-n COUNT] [files...]`. */
export function readUsageLine(line: string, at: number): FoundArgument[] {
  const found: FoundArgument[] = [];
  const parts = partsOf(line.slice(0, MAX_LINE));
  for (let index = 0; index < parts.length && found.length < MAX_ARGUMENTS; index++) {
    const { words, optional, many, again } = parts[index]!;
    const [first = '', second] = words;
    const [name, joined] = first.split('=', 2) as [string, string?];
    if (/^\[?options\]?$|^flags$|^-h$|^--help$|^\.{3}$/i.test(first)) continue;
    if (!FLAG.test(name)) {
      if (!/^[A-Za-z][\w. -]*$/.test(first)) continue;
      const name = words.filter((word) => !/^\.+$/.test(word)).join('_');
      const own = position(name, optional, many, at);
      const last = found.at(-1);
      // `file [file ...]`: at least one
      if (many && last?.flag === undefined && last?.spelling === own.spelling)
        found[found.length - 1] = { ...own, required: last.required };
      else found.push(own);
      continue;
    }
    // Without brackets the value is the next part, as long as that is a placeholder.
    const next = parts[index + 1];
    const isNextValue =
      !optional &&
      words.length === 1 &&
      joined === undefined &&
      next !== undefined &&
      !next.optional &&
      isPlaceholder(next.words[0]);
    const value = joined ?? second ?? (isNextValue ? next.words[0] : undefined);
    if (isNextValue) index++;
    found.push({
      spelling: name,
      flag: name,
      kind: value === undefined ? 'switch' : 'value',
      type: value === undefined ? 'string' : typeOf(value),
      required: !optional && value !== undefined,
      line: at,
      ...(many && value !== undefined ? { values: 'many', ...(again ? { repeats: true } : {}) } : {}),
      ...choicesIn(value),
    });
  }
  return found;
}

function position(word: string, optional: boolean, many: boolean, line: number): FoundArgument {
  return {
    spelling: word.replaceAll(/\.{2,}/g, '').trim(),
    kind: 'value',
    type: 'string',
    required: !optional,
    line,
    ...(many ? { values: 'many' as const } : {}),
  };
}

function isPlaceholder(word: string | undefined): boolean {
  return word !== undefined && !FLAG.test(word) && !word.startsWith('-');
}

function typeOf(value: string): FoundArgument['type'] {
  return /^<?(?:n|num|number|count|port|int|integer)>?$/i.test(value) ? 'integer' : 'string';
}

/** `{json,text}` or `json|text` */
function choicesIn(value: string | undefined): Pick<FoundArgument, 'choices'> {
  const parts = value?.split(/[|,]/) ?? [];
  return parts.length > 1 && parts.every((part) => /^[\w.-]+$/.test(part)) ? { choices: parts } : {};
}

function partsOf(line: string): Part[] {
  const parts: Part[] = [];
  let at = 0;
  while (at < line.length) {
    const character = line[at]!;
    if (character === ' ' || character === '\t' || character === '"' || character === "'") {
      at++;
      continue;
    }
    const closing = character === '[' ? ']' : character === '<' ? '>' : character === '{' ? '}' : undefined;
    let end = closing === undefined ? -1 : closes(line, at, character, closing);
    let text: string;
    if (end >= 0) text = line.slice(at + 1, end++);
    else {
      end = at;
      while (end < line.length && line[end] !== ' ') end++;
      text = line.slice(at, end);
    }
    const dots = line.startsWith('...', end) || line.startsWith('…', end);
    if (dots) end += line[end] === '…' ? 1 : 3;
    const inner = text.replaceAll(/[<>[\]{}]/g, ' ').trim();
    const isOne = character === '<' || character === '{';
    const words = isOne ? [inner.replaceAll(/\s+/g, '_')] : inner.split(/\s+/);
    if (inner !== '') {
      const many = dots || /\.{3}|…/.test(text);
      parts.push({ words, optional: character === '[', many, again: dots });
    }
    at = Math.max(end, at + 1);
  }
  return parts;
}

function closes(line: string, from: number, open: string, close: string): number {
  let depth = 0;
  for (let at = from; at < line.length; at++) {
    if (line[at] === open) depth++;
    else if (line[at] === close && --depth === 0) return at;
  }
  return -1;
}
