import { PACKAGE_LIMITS } from './limits.ts';

/**
 * Why a text is not given to the reader of YAML, which nests calls as deep as a text nests lists (and ends the process
 * where the stack does), and compares the keys of a mapping with each other. Counted over its tokens, in linear time.
 */
export async function yamlProblem(text: string): Promise<string | undefined> {
  const { CST, Lexer } = await import('yaml');
  const nesting = new Nesting();
  let [signs, aliases, column, lineStart, isContent] = [0, 0, 0, 0, false];
  for (const token of new Lexer().lex(text)) {
    const type = isContent ? 'content' : CST.tokenType(token);
    isContent = type === 'scalar';
    // marks of the lexer's own stand for no character
    if (type === 'scalar' || type === 'doc-mode' || type === 'flow-error-end') continue;
    if (type === 'flow-seq-start' || type === 'flow-map-start') nesting.flow++;
    else if (type === 'flow-seq-end' || type === 'flow-map-end') nesting.flow = Math.max(0, nesting.flow - 1);
    else if (type === 'comma') signs++;
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
    if (nesting.depth > PACKAGE_LIMITS.depth)
      return `Lists and mappings are nested deeper than ${PACKAGE_LIMITS.depth} levels.`;
    if (signs > PACKAGE_LIMITS.signs) return `It has more than ${PACKAGE_LIMITS.signs} keys and items.`;
    if (aliases > PACKAGE_LIMITS.aliases) return `It has more than ${PACKAGE_LIMITS.aliases} aliases.`;
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
