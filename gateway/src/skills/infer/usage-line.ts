import type { Token } from './expressions.ts';
import { FLAG, type FoundArgument, MAX_ARGUMENTS } from './found.ts';

const MAX_LINE = 2000;
/** What starts a program of another name: `python x.py`, `uv run x.py`, `python -m x`. */
const LAUNCHER = /^(?:python3?|node|bash|sh|npx|tsx|uv|bun|deno|run)$/;
/** Words for any value of a kind: `<file|url>` is no choice between these two words. */
const KIND = /^-$|(?:^|[_-])(?:file|path|url|uri|dir|directory|folder|stdin|glob|string|number|query)s?$/i;
/** What stands behind the arguments: a remark, a redirection, another command. */
const REMARK = /^ (?:#|-|–|—|<{1,3}|>{1,2}|&&|;)(?: |$)/;

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
  if (LAUNCHER.test(words[0] ?? '')) at++;
  for (; at > 0 && at < 4 && /^(?:run|exec|-m|python3?|tsx|node)$/.test(words[at] ?? ''); at++);
  const program = words[at];
  if (program === undefined || !/^(?:\$|\{|%|\.?\.?\/|[\w./-]+\.\w{1,4}$|[\w.-]+$)/.test(program))
    return undefined;
  const rest = withoutOpenQuote(words.slice(at + 1).join(' '));
  return /^$|[<[{]|^(["'])[^"']{1,80}\1(?:\s|$)|^-|^[A-Z_]+\b|^[a-z_-]+(?: [a-z_[\]<>-]+)*$/.test(rest)
    ? rest
    : undefined;
}

/** What ends the text that the line stands in, and no argument. */
function withoutOpenQuote(line: string): string {
  const quote = /[`'"]$/.exec(line)?.[0];
  if (quote === undefined) return line;
  return line.split(quote).length % 2 === 0 ? withoutOpenQuote(line.slice(0, -1)) : line;
}

/** Bracketed parts and words, e.g. `[--limit`, `N]` → one optional part. */
interface Part {
  readonly words: readonly string[];
  readonly optional: boolean;
  /** In `[…]`, which holds a flag and its value. */
  readonly bracketed: boolean;
  readonly many: boolean;
  /** The dots stand behind the whole of it. */
  readonly again: boolean;
  /** In brackets or quotes: it stands for something, whatever it is called. */
  readonly marked: boolean;
}

/** What the first usage line in the texts of a script says. */
export function usageOf(tokens: readonly Token[]): FoundArgument[] | undefined {
  for (const { kind, text, line } of tokens) {
    const usage = kind === 'text' ? usageLine(text) : undefined;
    if (usage !== undefined) return readUsageLine(usage, line);
  }
  return undefined;
}

/** Reads `<in> [out] --repo DIR [--json] [-n COUNT] [files...]`. */
export function readUsageLine(line: string, at: number): FoundArgument[] {
  const found: FoundArgument[] = [];
  const parts = partsOf(line.slice(0, MAX_LINE));
  for (let index = 0; index < parts.length && found.length < MAX_ARGUMENTS; index++) {
    const { words, optional, bracketed, many, again, marked } = parts[index]!;
    const [first = '', second] = words;
    const [said, joined] = first.split('=', 2) as [string, string?];
    const name = longest(said);
    if (/^\[?options\]?$|^flags$|^-h$|^--help$|^\.{3}$/i.test(first)) continue;
    if (!FLAG.test(name)) {
      if (!marked && !/^[A-Za-z][\w. -]*$/.test(first)) continue;
      const spelling = words.filter((word) => !/^\.+$/.test(word)).join('_');
      const own = {
        ...position(optional ? spelling.replace(/=.*$/, '') : spelling, optional, many, at),
        ...choicesIn(words.length === 1 ? first : undefined),
      };
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
      !bracketed &&
      words.length === 1 &&
      joined === undefined &&
      next !== undefined &&
      !next.bracketed &&
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

/** `-o|--output` is one flag. */
function longest(word: string): string {
  const spellings = word.split(/[|/,]/);
  if (spellings.length < 2 || !spellings.every((one) => FLAG.test(one))) return word;
  return spellings.find((one) => one.startsWith('--')) ?? spellings[0]!;
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
  const areWords = parts.length > 1 && parts.every((part) => /^[\w.-]+$/.test(part) && !KIND.test(part));
  return areWords ? { choices: parts } : {};
}

function partsOf(line: string): Part[] {
  const parts: Part[] = [];
  /** A bar stands before the next: one of both is given. */
  let alternative = false;
  let at = 0;
  while (at < line.length) {
    const character = line[at]!;
    if (REMARK.test(line.slice(at, at + 5))) break;
    const quoted = /^(["'])([^"'<>[\]{}]{1,80})\1(?=\s|$)/.exec(line.slice(at, at + 90));
    if (quoted !== null) {
      const words = [quoted[2]!.trim().replaceAll(/\s+/g, '_')];
      parts.push({ words, optional: false, bracketed: false, many: false, again: false, marked: true });
      at += quoted[0].length;
      continue;
    }
    if (character === ' ' || character === '\t' || character === '"' || character === "'") {
      at++;
      continue;
    }
    const closing = character === '[' ? ']' : character === '<' ? '>' : character === '{' ? '}' : undefined;
    let end = closing === undefined ? -1 : closes(line, at, character, closing);
    let text: string;
    if (end >= 0) {
      text = line.slice(at + 1, end++);
      // `<key>=<value>` is one argument
      const more =
        character === '<' ? /^[=:@/][^\s"']{1,80}/.exec(line.slice(end, end + 82))?.[0] : undefined;
      if (more !== undefined) {
        text = [text, ...(more.match(/[\p{L}\p{N}]+/gu) ?? [])].join('_');
        end += more.length;
      }
    } else {
      end = at;
      while (end < line.length && line[end] !== ' ') end++;
      text = line.slice(at, end);
    }
    const dots = line.startsWith('...', end) || line.startsWith('…', end);
    if (dots) end += line[end] === '…' ? 1 : 3;
    at = Math.max(end, at + 1);
    if (text === '|') {
      alternative = true;
      continue;
    }
    const isOne = character === '<' || character === '{';
    const inners = isOne ? [text] : text.split(/\s\|\s/);
    const optional = character === '[' || alternative;
    if (alternative && parts.length > 0) parts[parts.length - 1] = { ...parts.at(-1)!, optional: true };
    alternative = false;
    for (const one of inners) {
      // `-o, --output` is one flag
      const inner = one
        .replaceAll(/[<>[\]{}]/g, ' ')
        .trim()
        .replace(/^(-\w),\s+(?=--)/, '$1|');
      const words = isOne ? [inner.replaceAll(/\s+/g, '_')] : inner.split(/\s+/);
      const many = dots || /\.{3}|…/.test(one);
      const bracketed = character === '[';
      if (inner !== '')
        parts.push({ words, optional, bracketed, many, again: dots, marked: closing !== undefined });
    }
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
