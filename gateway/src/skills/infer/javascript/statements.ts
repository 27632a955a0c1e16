import { type Expression, matchBrackets, type Token, UNKNOWN, within } from '../expressions.ts';
import { MAX_DEPTH } from '../found.ts';
import { ExpressionReader } from './expression-reader.ts';
import { javascriptTokens } from './tokens.ts';

/** An expression of a script, with the names that it is assigned to. */
export interface Statement {
  readonly line: number;
  /** Of a pattern `const [a, b] = …` and `const { a } = …` the names in their order, holes as ''. */
  readonly targets: readonly string[];
  readonly expression: Expression;
  /** What a destructured name takes where nothing is there. */
  readonly fallbacks?: ReadonlyMap<string, Expression>;
  readonly isList?: true;
}

export interface JavaScriptFile {
  readonly tokens: readonly Token[];
  readonly statements: readonly Statement[];
  /** Statements in the body of a function. */
  bodyOf(expression: Expression): readonly Statement[];
}

const DECLARES: ReadonlySet<string> = new Set(['const', 'let', 'var']);
const SKIPPED: ReadonlySet<string> = new Set([
  'return',
  'await',
  'export',
  'default',
  'void',
  'else',
  'yield',
  'async',
]);
const BLOCKS: ReadonlySet<string> = new Set([
  'if',
  'for',
  'while',
  'switch',
  'try',
  'catch',
  'finally',
  'do',
  'class',
]);

/** Reads a JavaScript or TypeScript file. Never throws. */
export function readJavaScript(source: string): JavaScriptFile {
  const tokens = javascriptTokens(source);
  const closers = matchBrackets(tokens);
  const read = (from: number, to: number) => new StatementReader(tokens, closers, from, to).statements();
  const bodyOf = (expression: Expression) =>
    expression.kind === 'function' ? read(expression.from, expression.to) : [];
  return { tokens, statements: withBodies(read(0, tokens.length - 1), bodyOf), bodyOf };
}

/** Statements, each followed by those of the functions in it. */
function withBodies(
  statements: readonly Statement[],
  bodyOf: (expression: Expression) => readonly Statement[],
  depth = 0,
): Statement[] {
  const all: Statement[] = [];
  for (const statement of statements) {
    all.push(statement);
    if (depth >= MAX_DEPTH) continue;
    for (const part of within(statement.expression))
      if (part.kind === 'function')
        for (const one of withBodies(bodyOf(part), bodyOf, depth + 1)) all.push(one);
  }
  return all;
}

class StatementReader extends ExpressionReader {
  /** Bodies of named functions, blocks of `if` and the like are read as if they stood at the top. */
  statements(): Statement[] {
    const all: Statement[] = [];
    while (this.at < this.end) {
      const before = this.at;
      const { line } = this.token();
      if (this.isName('import')) this.skipImport();
      else if (this.isName('function')) this.at += 2;
      else if (
        this.is('{') ||
        this.is('}') ||
        (this.token().kind === 'name' && BLOCKS.has(this.token().text))
      )
        this.at++;
      else all.push({ line, ...this.statement() });
      if (this.at === before) this.at++;
    }
    return all;
  }

  statement(): Omit<Statement, 'line'> {
    while (this.token().kind === 'name' && SKIPPED.has(this.token().text)) this.at++;
    if (this.token().kind === 'name' && DECLARES.has(this.token().text)) {
      this.at++;
      if (this.is('[') || this.is('{')) return this.pattern();
    }
    const expression = this.expression();
    // `name: Type = value`
    if (expression.kind === 'name') this.skipType();
    if (!this.is('=')) return { targets: [], expression };
    this.at++;
    const value = this.expression();
    return { targets: expression.kind === 'name' ? [expression.name] : [], expression: value };
  }

  pattern(): Omit<Statement, 'line'> {
    const isList = this.is('[');
    const close = this.closers.get(this.at)!;
    const targets: string[] = [];
    const fallbacks = new Map<string, Expression>();
    this.at++;
    while (this.at < Math.min(close, this.end)) {
      const before = this.at;
      const isRest = this.is('...');
      if (isRest) this.at++;
      let name = this.token().kind === 'name' ? this.token().text : '';
      if (this.is(',')) targets.push('');
      else {
        this.at++;
        if (this.is(':') && !isList) {
          this.at++;
          name = this.token().text;
          this.at++;
        }
        if (name !== '') targets.push(isRest ? `...${name}` : name);
        if (this.is('=')) {
          this.at++;
          fallbacks.set(name, this.expression());
        }
      }
      while (this.at < close && !this.is(',')) this.skip();
      if (this.is(',') || this.at === before) this.at++;
    }
    this.at = close + 1;
    this.skipType();
    if (!this.is('=')) return { targets: [], expression: UNKNOWN };
    this.at++;
    return { targets, expression: this.expression(), fallbacks, ...(isList ? { isList: true } : {}) };
  }

  /** `: Type` before a value. */
  skipType(): void {
    if (!this.is(':')) return;
    this.at++;
    while (this.at < this.end && !this.is('=') && !this.ends()) this.skip();
  }

  skipImport(): void {
    if (this.isMark(this.at + 1, '(') || this.isMark(this.at + 1, '.')) {
      this.at++;
      return;
    }
    while (this.at < this.end && this.token().kind !== 'text') this.at++;
    this.at++;
  }
}
