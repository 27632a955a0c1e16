import type { Document, LineCounter, ParseOptions } from 'yaml';

type Yaml = Pick<typeof import('yaml'), 'CST' | 'Lexer'>;

export interface YamlBounds {
  /** Lists and mappings inside each other. */
  readonly depth: number;
  /** `:`, `?` and `,` that build structure, tags and anchors: unique keys are each compared with every other. */
  readonly signs: number;
  /** Names, values and list items that are written: in the wrong place each is a fault of its own. */
  readonly scalars: number;
  readonly aliases: number;
}

/**
 * Of documents that the operator chose, and that may be large: deeper than any that describes something, and far from
 * where the stack ends. Their readers bound aliases by what they stand for.
 */
export const DOCUMENT_BOUNDS: YamlBounds = Object.freeze({
  depth: 200,
  signs: Infinity,
  scalars: Infinity,
  aliases: Infinity,
});

/** Of a note or a small file: nobody writes by hand what is more. */
export const NOTE_BOUNDS: YamlBounds = Object.freeze({
  depth: 64,
  signs: 6000,
  scalars: 20_000,
  aliases: Infinity,
});

/**
 * Why a text is not given to the reader of YAML, which nests calls as deep as a text nests lists (and can end the process
 * where the stack does), and compares the keys of a mapping with each other. Counted over its tokens, in linear time.
 */
export function yamlProblem(text: string, bounds: YamlBounds, { CST, Lexer }: Yaml): string | undefined {
  const nesting = new Nesting();
  let [signs, scalars, aliases, column, lineStart, isContent] = [0, 0, 0, 0, 0, false];
  for (const token of new Lexer().lex(text)) {
    const type = isContent ? 'content' : CST.tokenType(token);
    isContent = type === 'scalar';
    if (isContent || type === 'seq-item-ind' || type?.endsWith('-quoted-scalar')) scalars++;
    // marks of the lexer's own stand for no character
    if (type === 'scalar' || type === 'doc-mode' || type === 'flow-error-end') continue;
    if (type === 'flow-seq-start' || type === 'flow-map-start') nesting.flow++;
    else if (type === 'flow-seq-end' || type === 'flow-map-end') nesting.flow = Math.max(0, nesting.flow - 1);
    else if (type === 'comma' || type === 'tag' || type === 'anchor') signs++;
    else if (type === 'alias') aliases++;
    else if (type === 'seq-item-ind' || type === 'explicit-key-ind') {
      if (type === 'explicit-key-ind') signs++;
      nesting.block(column);
      lineStart = column + 1;
    } else if (type === 'map-value-ind') {
      signs++;
      nesting.block(lineStart);
      lineStart = column + 1;
    }
    if (nesting.depth > bounds.depth)
      return `Lists and mappings are nested deeper than ${bounds.depth} levels.`;
    if (signs > bounds.signs) return `It has more than ${bounds.signs} keys and items.`;
    if (scalars > bounds.scalars) return `It has more than ${bounds.scalars} names, values and items.`;
    if (aliases > bounds.aliases) return `It has more than ${bounds.aliases} aliases.`;
    const lineEnd = token.lastIndexOf('\n');
    if (lineEnd === -1) {
      if (type === 'space' && column === lineStart) lineStart += token.length;
      column += token.length;
    } else {
      column = token.length - lineEnd - 1;
      lineStart = column;
    }
  }
  return undefined;
}

/**
 * The first document of a text, as `parseDocument` reads it: for large texts, which are looked at once on the way.
 *
 * @returns why it is not read, in one sentence, where it is nested deeper than twice the bound
 */
export function parseWithin(
  text: string,
  { depth }: Pick<YamlBounds, 'depth'>,
  options: ParseOptions & { readonly lineCounter: LineCounter; readonly logLevel: 'silent' },
  { Composer, Lexer, Parser }: Pick<typeof import('yaml'), 'Composer' | 'Lexer' | 'Parser'>,
): Document | string {
  const { addNewLine } = options.lineCounter;
  const parser = new Parser(addNewLine);
  let isTooDeep = false;
  function* tokens() {
    addNewLine(0);
    for (const lexeme of new Lexer().lex(text)) {
      yield* parser.next(lexeme);
      isTooDeep = parser.stack.length > 2 * depth;
      // what follows would be composed by calls as deep as it is nested
      if (isTooDeep) return;
    }
    yield* parser.end();
  }
  for (const document of new Composer(options).compose(tokens(), true, text.length)) {
    if (!isTooDeep) return document as Document;
  }
  return `Lists and mappings are nested deeper than ${depth} levels.`;
}

/** At least half of how deep the lists and mappings are nested that are open at a place. */
class Nesting {
  flow = 0;
  readonly #columns: number[] = [];

  /** An indicator of a list item or a key that stands in that column; what stands further right has ended. */
  block(column: number): void {
    if (this.flow > 0) return;
    while (this.#columns.length > 0 && this.#columns.at(-1)! >= column) this.#columns.pop();
    this.#columns.push(column);
  }

  get depth(): number {
    return this.flow + this.#columns.length;
  }
}
