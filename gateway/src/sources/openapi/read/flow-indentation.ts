type Yaml = Pick<typeof import('yaml'), 'CST' | 'Lexer'>;

export interface IndentedText {
  readonly text: string;
  /** Where the texts and lists begin whose lines were moved: offsets, which lie in the same lines as before. */
  readonly starts: readonly number[];
}

interface Region {
  readonly start: number;
  readonly end: number;
}

/** One that is mended shows the next, where the reader took the end of one for the beginning of another. */
const MAX_PASSES = 5;

/** Spaces that are added at most, in characters. */
const MAX_ADDED = 1_000_000;

/**
 * A quoted text, or a list or mapping in brackets, may not go on in lines that are indented as little as its key
 * (YAML 1.2.2, 6.1 and 7.4). Readers built on libyaml, and those of Go and JavaScript that most tools use, read it all
 * the same, so published documents hold it. Spaces at the beginning of such lines mean nothing: they are added.
 *
 * @returns nothing where there is no such place
 */
export function indentFlow(given: string, yaml: Yaml): IndentedText | undefined {
  let text = given;
  let added = 0;
  const starts: number[] = [];
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    const regions = cutRegions(text, yaml);
    if (regions.length === 0) break;
    let moved = '';
    let from = 0;
    for (const { start, end } of regions) {
      const column = contentColumn(text, start) + 1;
      const region = text.slice(start, end);
      added += column * (region.split('\n').length - 1);
      if (added > MAX_ADDED) return undefined;
      moved += text.slice(from, start);
      starts.push(moved.length);
      moved += indent(region, column);
      from = end;
    }
    text = moved + text.slice(from);
  }
  return starts.length === 0 ? undefined : { text, starts };
}

/**
 * Quoted texts and bracketed values that the lexer ended before their own end, in order, none in another. One that has
 * no end is the last that is looked at: each would be read to the end of the text.
 */
function cutRegions(text: string, { CST, Lexer }: Yaml): Region[] {
  const regions: Region[] = [];
  let [offset, done, depth, opened, isContent] = [0, 0, 0, 0, false];
  const add = (start: number, end: number): void => {
    if (start < done || leavesDocument(text, start, end)) return;
    regions.push({ start, end });
    done = end;
  };
  for (const token of new Lexer().lex(text)) {
    const type = isContent ? 'content' : CST.tokenType(token);
    isContent = type === 'scalar';
    if (type === 'flow-error-end') {
      const end = endOfFlow(text, opened);
      if (end === undefined) return regions;
      add(opened, end);
      depth = 0;
    }
    // marks of the lexer's own stand for no character
    if (type === 'scalar' || type === 'doc-mode' || type === 'flow-error-end') continue;
    if (type === 'flow-seq-start' || type === 'flow-map-start') {
      if (depth++ === 0) opened = offset;
    } else if (type === 'flow-seq-end' || type === 'flow-map-end') depth = Math.max(0, depth - 1);
    else if (type?.endsWith('-quoted-scalar') && offset >= done) {
      const end = endOfQuoted(text, offset);
      if (end === undefined) return regions;
      if (end > offset + token.length) add(offset, end);
    }
    offset += token.length;
  }
  return regions;
}

/** Behind the closing quote. */
function endOfQuoted(text: string, start: number): number | undefined {
  const quote = text[start]!;
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\' && quote === '"') at++;
    else if (text[at] !== quote) continue;
    else if (quote === "'" && text[at + 1] === "'") at++;
    else return at + 1;
  }
  return undefined;
}

/** Behind the closing bracket. */
function endOfFlow(text: string, start: number): number | undefined {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const sign = text[at]!;
    if (sign === '[' || sign === '{') depth++;
    else if (sign === ']' || sign === '}') {
      if (--depth === 0) return at + 1;
    } else if ((sign === '"' || sign === "'") && /[\s[{,:]/.test(text[at - 1]!)) {
      const end = endOfQuoted(text, at);
      if (end === undefined) return undefined;
      at = end - 1;
    } else if (sign === '#' && /\s/.test(text[at - 1]!)) {
      const end = text.indexOf('\n', at);
      if (end === -1) return undefined;
      at = end;
    }
  }
  return undefined;
}

/** A line of `---` or `...` ends the document, whatever is open. */
function leavesDocument(text: string, start: number, end: number): boolean {
  return /\n(?:---|\.\.\.)(?:\s|$)/.test(text.slice(start, end));
}

/** The column in which the key or the item stands that a value belongs to. */
function contentColumn(text: string, start: number): number {
  const line = text.slice(text.lastIndexOf('\n', start - 1) + 1, start);
  return /^(?: |[-?] +)*/.exec(line)![0].length;
}

/** Every line but the first has at least so many spaces; empty ones are breaks and stay. */
function indent(region: string, column: number): string {
  return region.replace(
    /\n( *)(?=[^\s])/g,
    (_all, spaces: string) => `\n${' '.repeat(Math.max(spaces.length, column))}`,
  );
}
