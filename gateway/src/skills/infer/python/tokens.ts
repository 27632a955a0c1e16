import type { Token } from '../expressions.ts';

const NAME_START = /[\p{L}_]/u;
const NAME_PART = /[\p{L}\p{N}_]/u;
/** Marks of two characters that would be read wrongly as two of one. */
const PAIRS: ReadonlySet<string> = new Set([
  '==',
  '!=',
  '<=',
  '>=',
  '->',
  ':=',
  '**',
  '//',
  '<<',
  '>>',
  '+=',
  '-=',
]);
const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '',
  '\n': '',
  '\\': '\\',
  "'": "'",
  '"': '"',
};

/**
 * Python as tokens: one `line` at each end of a logical line, comments gone, brackets joined. Never throws: what no
 * Python would accept comes out as it best can. Linear.
 */
export function pythonTokens(source: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  let line = 1;
  let depth = 0;
  let indent = 0;
  let isLineStart = true;
  const push = (kind: Token['kind'], text: string, started = line, computed?: true) => {
    tokens.push({ kind, text, line: started, indent, ...(computed === undefined ? {} : { computed }) });
    isLineStart = false;
  };
  while (at < source.length) {
    const character = source[at]!;
    if (isLineStart && depth === 0) {
      const start = at;
      while (source[at] === ' ' || source[at] === '\t') at++;
      indent = at - start;
      isLineStart = false;
      if (at >= source.length) break;
      continue;
    }
    if (character === '\n') {
      if (depth === 0) {
        if (tokens.length > 0 && tokens.at(-1)!.kind !== 'line') push('line', '\n');
        isLineStart = true;
      }
      line++;
      at++;
    } else if (character === ' ' || character === '\t' || character === '\r' || character === '\f') at++;
    else if (character === '#') {
      while (at < source.length && source[at] !== '\n') at++;
    } else if (character === '\\' && source[at + 1] === '\n') {
      line++;
      at += 2;
    } else if (NAME_START.test(character)) {
      const start = at;
      while (at < source.length && NAME_PART.test(source[at]!)) at++;
      const word = source.slice(start, at);
      const quote = source[at];
      if ((quote === '"' || quote === "'") && /^(?:[rbuft]|[rft][brt]|b[r]|r[f])$/i.test(word))
        readText(word.toLowerCase());
      else push('name', word);
    } else if (/[0-9]/.test(character)) {
      const start = at;
      while (at < source.length && /[0-9a-zA-Z_.]/.test(source[at]!)) at++;
      push('number', source.slice(start, at));
    } else if (character === '"' || character === "'") readText('');
    else {
      const pair = source.slice(at, at + 2);
      const mark = PAIRS.has(pair) ? pair : character;
      if (mark === '(' || mark === '[' || mark === '{') depth++;
      else if (mark === ')' || mark === ']' || mark === '}') depth = Math.max(0, depth - 1);
      push('mark', mark);
      at += mark.length;
    }
  }
  if (tokens.length > 0 && tokens.at(-1)!.kind !== 'line') push('line', '\n');
  tokens.push({ kind: 'end', text: '', line, indent: 0 });
  return tokens;

  /** From the opening quote on; `at` stands behind the closing one after it. */
  function readText(prefix: string): void {
    const started = line;
    const quote = source[at]!;
    const long = source.startsWith(quote.repeat(3), at);
    const close = long ? quote.repeat(3) : quote;
    const raw = prefix.includes('r');
    let text = '';
    at += close.length;
    let from = at;
    while (at < source.length && !source.startsWith(close, at)) {
      if (source[at] === '\n') {
        if (!long) break;
        line++;
      }
      if (source[at] === '\\' && at + 1 < source.length) {
        const next = source[at + 1]!;
        if (next === '\n') line++;
        if (raw) at += 2;
        else {
          text += source.slice(from, at) + (ESCAPES[next] ?? `\\${next}`);
          at += 2;
          from = at;
        }
      } else at++;
    }
    text += source.slice(from, at);
    if (source.startsWith(close, at)) at += close.length;
    push('text', text, started, prefix.includes('f') || prefix.includes('t') ? true : undefined);
  }
}
