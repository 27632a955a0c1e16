import type { Token } from '../expressions.ts';

const NAME_START = /[\p{L}_$]/u;
const NAME_PART = /[\p{L}\p{N}_$]/u;
const MARKS = [
  '=>',
  '...',
  '?.',
  '??',
  '||',
  '&&',
  '===',
  '!==',
  '==',
  '!=',
  '<=',
  '>=',
  '++',
  '--',
  '+=',
].toSorted((one, other) => other.length - one.length);
/** Words after which a slash begins a regular expression. */
const BEFORE_PATTERN: ReadonlySet<string> = new Set([
  'return',
  'case',
  'typeof',
  'in',
  'of',
  'delete',
  'void',
  'throw',
  'await',
]);
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '', b: '', '\n': '' };

/** JavaScript or TypeScript as tokens, comments gone; a line's end is no token. Never throws. Linear. */
export function javascriptTokens(source: string): Token[] {
  const tokens: Token[] = [];
  let at = source.startsWith('#!') ? Math.max(source.indexOf('\n'), 0) : 0;
  let line = 1;
  const push = (kind: Token['kind'], text: string, started = line, computed?: true) =>
    tokens.push({ kind, text, line: started, indent: 0, ...(computed === undefined ? {} : { computed }) });
  while (at < source.length) {
    const character = source[at]!;
    if (character === '\n') {
      line++;
      at++;
    } else if (/\s/.test(character)) at++;
    else if (source.startsWith('//', at)) {
      while (at < source.length && source[at] !== '\n') at++;
    } else if (source.startsWith('/*', at)) {
      const end = source.indexOf('*/', at + 2);
      const next = end < 0 ? source.length : end + 2;
      for (; at < next; at++) if (source[at] === '\n') line++;
    } else if (character === '"' || character === "'") readText(character);
    else if (character === '`') readTemplate();
    else if (NAME_START.test(character)) {
      const start = at;
      while (at < source.length && NAME_PART.test(source[at]!)) at++;
      push('name', source.slice(start, at));
    } else if (/[0-9]/.test(character)) {
      const start = at;
      while (at < source.length && /[0-9a-zA-Z_.]/.test(source[at]!)) at++;
      push('number', source.slice(start, at));
    } else if (character === '/' && isPatternHere()) skipPattern();
    else {
      const mark = MARKS.find((one) => source.startsWith(one, at)) ?? character;
      push('mark', mark);
      at += mark.length;
    }
  }
  tokens.push({ kind: 'end', text: '', line, indent: 0 });
  return tokens;

  function readText(quote: string): void {
    const started = line;
    let text = '';
    let from = ++at;
    while (at < source.length && source[at] !== quote && source[at] !== '\n') {
      if (source[at] === '\\' && at + 1 < source.length) {
        const next = source[at + 1]!;
        if (next === '\n') line++;
        text += source.slice(from, at) + (ESCAPES[next] ?? next);
        at += 2;
        from = at;
      } else at++;
    }
    push('text', text + source.slice(from, at), started);
    if (source[at] === quote) at++;
  }

  /** A template literal; what it computes is left out of its text. */
  function readTemplate(): void {
    const started = line;
    let text = '';
    let computed = false;
    at++;
    while (at < source.length && source[at] !== '`') {
      if (source[at] === '\n') line++;
      if (source[at] === '\\') {
        const next = source[at + 1] ?? '';
        if (next === '\n') line++;
        text += ESCAPES[next] ?? next;
        at += 2;
      } else if (source.startsWith('${', at)) {
        computed = true;
        text += '$';
        skipComputed();
      } else text += source[at++];
    }
    at++;
    push('text', text, started, computed ? true : undefined);
  }

  /** `${…}`, with whatever brackets and strings it holds. */
  function skipComputed(): void {
    let depth = 0;
    let quote = '';
    for (; at < source.length; at++) {
      const character = source[at]!;
      if (character === '\n') line++;
      if (character === '\\') at++;
      else if (quote !== '') {
        if (character === quote) quote = '';
      } else if (character === '"' || character === "'" || character === '`') quote = character;
      else if (character === '{') depth++;
      else if (character === '}' && --depth === 0) {
        at++;
        return;
      }
    }
  }

  function isPatternHere(): boolean {
    const last = tokens.at(-1);
    if (last === undefined) return true;
    if (last.kind === 'mark') return last.text !== ')' && last.text !== ']' && last.text !== '}';
    return last.kind === 'name' && BEFORE_PATTERN.has(last.text);
  }

  function skipPattern(): void {
    let isClass = false;
    for (at++; at < source.length && source[at] !== '\n'; at++) {
      const character = source[at]!;
      if (character === '\\') at++;
      else if (character === '[') isClass = true;
      else if (character === ']') isClass = false;
      else if (character === '/' && !isClass) {
        at++;
        break;
      }
    }
    while (at < source.length && /[a-z]/.test(source[at]!)) at++;
    push('text', '', line, true);
  }
}
