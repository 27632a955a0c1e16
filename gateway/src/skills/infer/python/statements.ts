import { type Expression, matchBrackets, type Token, UNKNOWN } from '../expressions.ts';
import { ExpressionReader } from './expression-reader.ts';
import { pythonTokens } from './tokens.ts';

export interface Parameter {
  readonly name: string;
  readonly annotation?: Expression;
  readonly fallback?: Expression;
}

/** One logical line, as far as it is an expression, an assignment or a definition. */
export interface Statement {
  readonly line: number;
  readonly indent: number;
  /** Names that the expression is assigned to. */
  readonly targets: readonly string[];
  /** `a, b = …`: the names in their order. */
  readonly pattern?: readonly string[];
  readonly expression: Expression;
  /** `@…` */
  readonly isDecorator?: true;
  /** `def name(parameters):` */
  readonly definition?: { readonly name: string; readonly parameters: readonly Parameter[] };
}

export interface PythonFile {
  readonly tokens: readonly Token[];
  readonly statements: readonly Statement[];
}

const LEADING: ReadonlySet<string> = new Set(['return', 'await', 'yield', 'not', 'print', 'assert', 'raise']);

/** Reads a Python file. Never throws. */
export function readPython(source: string): PythonFile {
  const tokens = pythonTokens(source);
  const closers = matchBrackets(tokens);
  const reader = new StatementReader(tokens, closers);
  return { tokens, statements: reader.statements() };
}

class StatementReader extends ExpressionReader {
  statements(): Statement[] {
    const all: Statement[] = [];
    while (this.token().kind !== 'end') {
      const { line, indent } = this.token();
      all.push({ line, indent, ...this.statement() });
      this.toLineEnd();
    }
    return all;
  }

  statement(): Omit<Statement, 'line' | 'indent'> {
    if (this.is('@')) {
      this.at++;
      return { targets: [], expression: this.expression(), isDecorator: true };
    }
    if (this.isName('async')) this.at++;
    if (this.isName('def')) {
      const name = this.tokens[this.at + 1]?.text ?? '';
      this.at += 2;
      return { targets: [], expression: UNKNOWN, definition: { name, parameters: this.parameters() } };
    }
    if (this.isName('if') || this.isName('with') || this.isName('for') || this.isName('while')) this.at++;
    const targets: string[] = [];
    let pattern: readonly string[] | undefined;
    for (;;) {
      while (this.token().kind === 'name' && LEADING.has(this.token().text) && !this.isMark(this.at + 1, '('))
        this.at++;
      const expression = this.tuple();
      if (this.is(':')) {
        // `name: Type = value`
        this.at++;
        this.expression();
      }
      if (!this.is('=')) return { targets, expression, ...(pattern === undefined ? {} : { pattern }) };
      if (expression.kind === 'name') targets.push(expression.name);
      if (expression.kind === 'list')
        pattern = expression.items.map((item) => (item.kind === 'name' ? item.name : ''));
      this.at++;
    }
  }

  /** `a, b` is a list. */
  tuple(): Expression {
    const first = this.expression();
    if (!this.is(',')) return first;
    const items = [first];
    while (this.is(',')) {
      this.at++;
      if (!this.ends()) items.push(this.expression());
    }
    return { kind: 'list', items };
  }

  parameters(): Parameter[] {
    const found: Parameter[] = [];
    const end = this.closers.get(this.at);
    if (end === undefined) return found;
    this.at++;
    while (this.at < end) {
      if (this.token().kind !== 'name') {
        this.at++;
        continue;
      }
      const { text: name } = this.token();
      const isCollected = this.isMark(this.at - 1, '*') || this.isMark(this.at - 1, '**');
      this.at++;
      let annotation: Expression | undefined;
      let fallback: Expression | undefined;
      if (this.is(':')) {
        this.at++;
        annotation = this.expression();
      }
      if (this.is('=')) {
        this.at++;
        fallback = this.expression();
      }
      if (!isCollected)
        found.push({
          name,
          ...(annotation === undefined ? {} : { annotation }),
          ...(fallback === undefined ? {} : { fallback }),
        });
      this.toDelimiter();
    }
    this.at = end + 1;
    return found;
  }

  toLineEnd(): void {
    while (this.token().kind !== 'line' && this.token().kind !== 'end') this.at++;
    if (this.token().kind === 'line') this.at++;
  }
}
