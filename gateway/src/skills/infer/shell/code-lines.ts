/** A line of a shell script as code: comments gone, what stands in single quotes and here-documents blanked. */
export interface CodeLine {
  readonly text: string;
  /** As it stands there. */
  readonly raw: string;
  readonly line: number;
  /** The function whose body it is in; its `$1` is not the script's. */
  readonly owner?: string;
}

const MAX_LINE = 2000;

/** Reads a shell script line by line. Never throws. Linear. */
export function shellLines(source: string): CodeLine[] {
  const lines: CodeLine[] = [];
  let quote = '';
  let until: string | undefined;
  let owner: { readonly name: string; readonly indent: string } | undefined;
  for (const [index, raw] of source.split('\n').entries()) {
    const whole = raw.slice(0, MAX_LINE);
    if (until !== undefined) {
      if (whole.trim() === until) until = undefined;
      continue;
    }
    const read = withoutQuoted(whole, quote);
    quote = read.quote;
    const { text } = read;
    const started =
      /^(\s*)(?:function\s+)?([A-Za-z_][\w-]{0,60})\s*\(\)/.exec(text) ??
      /^(\s*)function\s+([A-Za-z_][\w-]{0,60})\s*\{/.exec(text);
    if (owner === undefined && started !== null) {
      if (!/\};?$/.test(text.trimEnd())) owner = { name: started[2]!, indent: started[1]! };
      lines.push({ text, raw: whole, line: index + 1, owner: started[2]! });
    } else if (owner !== undefined) {
      lines.push({ text, raw: whole, line: index + 1, owner: owner.name });
      if (text.startsWith(`${owner.indent}}`)) owner = undefined;
    } else lines.push({ text, raw: whole, line: index + 1 });
    until = quote === '' ? hereDocument(text, whole) : undefined;
  }
  return lines;
}

/** Blanks single-quoted parts, drops the comment; `quote` is the one that stays open at the end. */
function withoutQuoted(line: string, open: string): { text: string; quote: string } {
  let quote = open;
  let text = '';
  for (let at = 0; at < line.length; at++) {
    const character = line[at]!;
    if (quote === "'") {
      if (character === "'") quote = '';
      continue;
    }
    if (character === '\\') {
      text += line.slice(at, at + 2);
      at++;
    } else if (character === '"') {
      quote = quote === '"' ? '' : '"';
      text += character;
    } else if (character === "'" && quote === '') quote = "'";
    else if (
      character === '#' &&
      quote === '' &&
      (at === 0 || line[at - 1] === ' ' || line[at - 1] === '\t' || line[at - 1] === ';')
    )
      break;
    else text += character;
  }
  return { text, quote };
}

/** The word that ends a here-document that begins in this line. */
function hereDocument(text: string, whole: string): string | undefined {
  if (!text.includes('<<') || text.includes('<<<')) return undefined;
  return /<<-?\s*["'\\]?([A-Za-z_]\w*)/.exec(whole)?.[1];
}
