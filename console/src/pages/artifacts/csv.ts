/**
 * Rows of separated values (RFC 4180). What separates is what the first line has most of: comma, semicolon or tab.
 * A text that was cut loses its last row, which may be half.
 */
export function readCsv(text: string, { cut = false }: { readonly cut?: boolean } = {}): readonly string[][] {
  const separator = separatorOf(text);
  const rows: string[][] = [];
  let row: string[] = [];
  let at = 0;
  while (at < text.length) {
    const { value, end } = text[at] === '"' ? quoted(text, at, separator) : plain(text, at, separator);
    row.push(value);
    at = end;
    if (text[at] === separator) {
      at++;
      if (at < text.length) continue;
      row.push('');
    }
    if (text[at] === '\r') at++;
    if (text[at] === '\n') at++;
    rows.push(row);
    row = [];
  }
  return cut ? rows.slice(0, -1) : rows;
}

interface Cell {
  readonly value: string;
  readonly end: number;
}

function plain(text: string, start: number, separator: string): Cell {
  let end = start;
  while (end < text.length && text[end] !== separator && text[end] !== '\n' && text[end] !== '\r') end++;
  return { value: text.slice(start, end), end };
}

/** What stands behind the closing quote belongs to nobody's rule; it is kept. */
function quoted(text: string, start: number, separator: string): Cell {
  let value = '';
  let at = start + 1;
  for (;;) {
    const quote = text.indexOf('"', at);
    if (quote === -1) return { value: value + text.slice(at), end: text.length };
    value += text.slice(at, quote);
    if (text[quote + 1] !== '"') {
      const { value: rest, end } = plain(text, quote + 1, separator);
      return { value: value + rest, end };
    }
    value += '"';
    at = quote + 2;
  }
}

const SEPARATORS: readonly string[] = [',', ';', '\t'];

function separatorOf(text: string): string {
  const line = text.slice(0, 10_000).split('\n', 1)[0]!;
  const counts = SEPARATORS.map((separator) => line.split(separator).length);
  return SEPARATORS[counts.indexOf(Math.max(...counts))]!;
}
