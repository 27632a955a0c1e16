import type { Token } from './expressions.ts';
import { FLAG, type FoundArgument, MAX_ARGUMENTS } from './found.ts';

const JOINED = /^(--[A-Za-z][\w-]*)=$/;
const EQUAL = /^={2,3}$/;
const HELP: ReadonlySet<string> = new Set(['-h', '--help']);
/** Tokens between two spellings of one flag: `|| argv[i] ===`, `: case`, `,`. */
const MAX_GAP = 7;
/** Tokens behind a flag in which its value is looked for. */
const MAX_BODY = 80;

/**
 * Flags that a script of Python or JavaScript compares its arguments with in a loop of its own: `case '--out':`,
 * `arg === '-o' || arg === '--out'`, `arg in ("-o", "--out")`, `arg.startsWith('--out=')`. Linear.
 */
export function comparedFlags(tokens: readonly Token[]): FoundArgument[] {
  const found = new Map<string, FoundArgument>();
  for (let at = 0; at < tokens.length && found.size < MAX_ARGUMENTS; at++) {
    const { kind, text, line } = tokens[at]!;
    if (kind !== 'text') continue;
    const joined = JOINED.exec(text)?.[1];
    if (joined !== undefined && /^startswith$/i.test(tokens[at - 2]?.text ?? '')) {
      if (!found.has(joined)) found.set(joined, { ...base(joined, line), kind: 'value', joined: true });
      continue;
    }
    if (!FLAG.test(text)) continue;
    const last = lastSpelling(tokens, at);
    if (!isCompared(tokens, at, last)) continue;
    const spellings = tokens.slice(at, last + 1).filter((token) => token.kind === 'text');
    at = last;
    const flag = (spellings.find((one) => one.text.startsWith('--')) ?? spellings[0]!).text;
    if (found.has(flag) || spellings.some((one) => HELP.has(one.text))) continue;
    found.set(flag, { ...base(flag, line), ...useOf(tokens, last + 1) });
  }
  return [...found.values()];
}

function base(flag: string, line: number): FoundArgument {
  return { spelling: flag, flag, kind: 'switch', type: 'string', required: false, line };
}

/** The last token of the spellings of one flag that stand behind each other. */
function lastSpelling(tokens: readonly Token[], from: number): number {
  let last = from;
  for (let at = from + 1; at <= last + MAX_GAP && at < tokens.length; at++) {
    const { kind, text } = tokens[at]!;
    if (kind === 'text') {
      if (!FLAG.test(text)) break;
      last = at;
    } else if (kind === 'line' || /^(?:[{;=?)]|elif|else|if|and|&&|return)$/.test(text)) break;
    else if (text === ':' && tokens[at + 1]?.text !== 'case') break;
  }
  return last;
}

function isCompared(tokens: readonly Token[], first: number, last: number): boolean {
  const before = tokens[first - 1]?.text ?? '';
  const after = tokens[last + 1]?.text ?? '';
  if (before === 'case') return true;
  if (EQUAL.test(before)) return !isPlace(tokens, first - 2);
  if (EQUAL.test(after)) return true;
  if (/^[([{]$/.test(before) && tokens[first - 2]?.text === 'in') return true;
  return before === '[' && after === ']' && tokens[last + 3]?.text === 'includes';
}

/** `argv[2] ==` is a question about one place. */
function isPlace(tokens: readonly Token[], at: number): boolean {
  return tokens[at]?.text === ']' && tokens[at - 1]?.kind === 'number' && tokens[at - 2]?.text === '[';
}

/** What is done where the flag stands there: up to the next flag, or the end of the branch. */
function useOf(tokens: readonly Token[], from: number): Pick<FoundArgument, 'kind' | 'type' | 'values'> {
  const words: string[] = [];
  for (let at = from; at < Math.min(tokens.length, from + MAX_BODY); at++) {
    const { kind, text } = tokens[at]!;
    if (kind === 'text' && (FLAG.test(text) || JOINED.test(text))) break;
    if (kind === 'name' && /^(?:break|continue|case|elif|default)$/.test(text)) break;
    if (kind === 'name' && text === 'else' && tokens[at + 1]?.text !== '{') break;
    words.push(kind === 'text' ? "''" : text);
  }
  const body = words.join(' ');
  const taken = body.match(/\[ \+\+ \w+ \]|\bnext \(|\. (?:shift|pop|popleft) \(/g)?.length ?? 0;
  const ahead = /\[ \w+ \+ ([1-9]) \]/g;
  const reach = Math.max(0, ...[...body.matchAll(ahead)].map(([, step]) => Number(step)));
  const count = taken > 0 ? taken : reach;
  if (count === 0) return { kind: 'switch', type: 'string' };
  const type = /\bparseInt \(|\bint \(/.test(body)
    ? 'integer'
    : /\b(?:Number|parseFloat|float) \(/.test(body)
      ? 'number'
      : 'string';
  return { kind: 'value', type, ...(count > 1 ? { values: count } : {}) };
}
