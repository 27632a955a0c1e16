import { type Call, type Expression, matchBrackets, type Token, UNKNOWN } from '../expressions.ts';
import { MAX_DEPTH } from '../found.ts';
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
const LITERALS: Readonly<Record<string, true | false | null>> = { True: true, False: false, None: null };
const ENDS_EXPRESSION: ReadonlySet<string> = new Set([',', ')', ']', '}', ':', '=', ';']);

/** Reads a Python file. Never throws. */
export function readPython(source: string): PythonFile {
  const tokens = pythonTokens(source);
  const closers = matchBrackets(tokens);
  const reader = new Reader(tokens, closers);
  return { tokens, statements: reader.statements() };
}

class Reader {
  readonly tokens: readonly Token[];
  readonly closers: ReadonlyMap<number, number>;
  at = 0;

  constructor(tokens: readonly Token[], closers: ReadonlyMap<number, number>) {
    this.tokens = tokens;
    this.closers = closers;
  }

  statements(): Statement[] {
    const all: Statement[] = [];
    while (this.token().kind !== 'end') {
      const { line, indent } = this.token();
      all.push({ line, indent, ...this.statement() });
      this.toLineEnd();
    }
    return all;
  }

  private statement(): Omit<Statement, 'line' | 'indent'> {
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
  private tuple(): Expression {
    const first = this.expression();
    if (!this.is(',')) return first;
    const items = [first];
    while (this.is(',')) {
      this.at++;
      if (!this.ends()) items.push(this.expression());
    }
    return { kind: 'list', items };
  }

  private parameters(): Parameter[] {
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

  /** One expression up to what ends it at its level; operators other than `or` and `if` make it unknown. */
  expression(depth = 0): Expression {
    if (depth > MAX_DEPTH) {
      this.toDelimiter();
      return UNKNOWN;
    }
    const first = this.primary(depth);
    const items = [first];
    while (!this.ends()) {
      if (this.isName('or')) {
        this.at++;
        items.push(this.primary(depth));
      } else if (this.isName('if')) {
        this.toDelimiter('else');
        if (!this.isName('else')) return UNKNOWN;
        this.at++;
        items.push(this.expression(depth + 1));
      } else {
        this.toDelimiter();
        return UNKNOWN;
      }
    }
    return items.length === 1 ? first : { kind: 'either', items };
  }

  private primary(depth: number): Expression {
    let value = this.atom(depth);
    for (;;) {
      if (this.is('.') && this.tokens[this.at + 1]?.kind === 'name') {
        value = { kind: 'member', of: value, name: this.tokens[this.at + 1]!.text };
        this.at += 2;
      } else if (this.is('(')) value = this.call(value, depth);
      else if (this.is('[')) {
        const open = this.at;
        const end = this.closers.get(open)!;
        const items = this.items(depth);
        value = this.isSlice(open)
          ? {
              kind: 'call',
              callee: { kind: 'member', of: value, name: 'slice' },
              items,
              named: new Map(),
              line: this.tokens[open]!.line,
            }
          : { kind: 'index', of: value, at: items.length === 1 ? items[0]! : { kind: 'list', items } };
        this.at = end + 1;
      } else return value;
    }
  }

  /** `[1:]`, `[1:3]`, `[:-1]` */
  private isSlice(open: number): boolean {
    return this.isMark(open + 1, ':') || this.isMark(open + 2, ':');
  }

  private atom(depth: number): Expression {
    const token = this.token();
    if (token.kind === 'text') {
      let text = '';
      let computed = false;
      for (; this.token().kind === 'text'; this.at++) {
        text += this.token().text;
        computed ||= this.token().computed === true;
      }
      return computed ? UNKNOWN : { kind: 'literal', value: text };
    }
    if (token.kind === 'number') {
      this.at++;
      const value = Number(token.text.replaceAll('_', ''));
      return Number.isFinite(value) ? { kind: 'literal', value } : UNKNOWN;
    }
    if (token.kind === 'name') {
      if (token.text === 'lambda') return UNKNOWN;
      this.at++;
      return Object.hasOwn(LITERALS, token.text)
        ? { kind: 'literal', value: LITERALS[token.text]! }
        : { kind: 'name', name: token.text };
    }
    if (this.is('-') && this.tokens[this.at + 1]?.kind === 'number') {
      this.at++;
      const number = this.atom(depth);
      return number.kind === 'literal' ? { kind: 'literal', value: -Number(number.value) } : UNKNOWN;
    }
    if (this.is('(') || this.is('[')) {
      const isTuple = this.is('(');
      const end = this.closers.get(this.at)!;
      const items = this.items(depth);
      const isGroup = isTuple && items.length === 1 && !this.isMark(end - 1, ',');
      this.at = end + 1;
      return isGroup ? items[0]! : { kind: 'list', items };
    }
    if (this.is('{')) return this.record(depth);
    return UNKNOWN;
  }

  /** What stands in the brackets that open here. */
  private items(depth: number): Expression[] {
    const end = this.closers.get(this.at)!;
    const items: Expression[] = [];
    this.at++;
    while (this.at < end) {
      const before = this.at;
      items.push(this.expression(depth + 1));
      this.toComma(before);
    }
    return items;
  }

  private call(callee: Expression, depth: number): Call {
    const { line } = this.token();
    const end = this.closers.get(this.at)!;
    const items: Expression[] = [];
    const named = new Map<string, Expression>();
    this.at++;
    while (this.at < end) {
      const before = this.at;
      if (this.token().kind === 'name' && this.isMark(this.at + 1, '=')) {
        const { text: name } = this.token();
        this.at += 2;
        named.set(name, this.expression(depth + 1));
      } else items.push(this.expression(depth + 1));
      this.toComma(before);
    }
    this.at = end + 1;
    return { kind: 'call', callee, items, named, line };
  }

  private record(depth: number): Expression {
    const end = this.closers.get(this.at)!;
    const members = new Map<string, Expression>();
    const items: Expression[] = [];
    this.at++;
    while (this.at < end) {
      const before = this.at;
      const key = this.expression(depth + 1);
      if (this.is(':')) {
        this.at++;
        const value = this.expression(depth + 1);
        if (key.kind === 'literal') members.set(String(key.value), value);
      } else items.push(key);
      this.toComma(before);
    }
    this.at = end + 1;
    return items.length > 0 ? { kind: 'list', items } : { kind: 'record', members };
  }

  /** Behind the next comma of this level, and in any case further than before. */
  private toComma(before: number): void {
    while (this.is(':') || this.is('=') || this.is(';')) {
      this.at++;
      this.toDelimiter();
    }
    if (this.is(',')) this.at++;
    else if (this.at === before) this.at++;
  }

  private toDelimiter(word?: string): void {
    while (!this.ends() && !(word !== undefined && this.isName(word)))
      this.at = (this.closers.get(this.at) ?? this.at) + 1;
  }

  private toLineEnd(): void {
    while (this.token().kind !== 'line' && this.token().kind !== 'end') this.at++;
    if (this.token().kind === 'line') this.at++;
  }

  private ends(): boolean {
    const { kind, text } = this.token();
    return kind === 'line' || kind === 'end' || (kind === 'mark' && ENDS_EXPRESSION.has(text));
  }

  private token(): Token {
    return this.tokens[Math.min(this.at, this.tokens.length - 1)]!;
  }

  private is(mark: string): boolean {
    return this.isMark(this.at, mark);
  }

  private isMark(at: number, mark: string): boolean {
    const token = this.tokens[at];
    return token?.kind === 'mark' && token.text === mark;
  }

  private isName(name: string): boolean {
    const token = this.token();
    return token.kind === 'name' && token.text === name;
  }
}
