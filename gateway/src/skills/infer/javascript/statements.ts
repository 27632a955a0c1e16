import { type Call, type Expression, matchBrackets, type Token, UNKNOWN, within } from '../expressions.ts';
import { MAX_DEPTH } from '../found.ts';
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
const ENDS: ReadonlySet<string> = new Set([',', ')', ']', '}', ';', ':']);

/** Reads a JavaScript or TypeScript file. Never throws. */
export function readJavaScript(source: string): JavaScriptFile {
  const tokens = javascriptTokens(source);
  const closers = matchBrackets(tokens);
  const read = (from: number, to: number) => new Reader(tokens, closers, from, to).statements();
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
      if (part.kind === 'function') all.push(...withBodies(bodyOf(part), bodyOf, depth + 1));
  }
  return all;
}

class Reader {
  readonly tokens: readonly Token[];
  readonly closers: ReadonlyMap<number, number>;
  readonly end: number;
  at: number;

  constructor(tokens: readonly Token[], closers: ReadonlyMap<number, number>, from: number, to: number) {
    this.tokens = tokens;
    this.closers = closers;
    this.at = from;
    this.end = to;
  }

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

  private statement(): Omit<Statement, 'line'> {
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

  private pattern(): Omit<Statement, 'line'> {
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
      while (this.at < close && !this.is(',')) this.at = (this.closers.get(this.at) ?? this.at) + 1;
      if (this.is(',') || this.at === before) this.at++;
    }
    this.at = close + 1;
    this.skipType();
    if (!this.is('=')) return { targets: [], expression: UNKNOWN };
    this.at++;
    return { targets, expression: this.expression(), fallbacks, ...(isList ? { isList: true } : {}) };
  }

  /** `: Type` before a value. */
  private skipType(): void {
    if (!this.is(':')) return;
    this.at++;
    while (this.at < this.end && !this.is('=') && !this.ends())
      this.at = (this.closers.get(this.at) ?? this.at) + 1;
  }

  expression(depth = 0): Expression {
    if (depth > MAX_DEPTH) {
      this.toDelimiter();
      return UNKNOWN;
    }
    const first = this.primary(depth);
    const items = [first];
    while (!this.ends()) {
      if (this.is('??') || this.is('||')) {
        this.at++;
        items.push(this.primary(depth));
      } else if (this.is('?')) {
        this.at++;
        items.push(this.expression(depth + 1));
        if (!this.is(':')) break;
        this.at++;
        items.push(this.expression(depth + 1));
      } else if (this.isName('as') || this.is('!')) this.at += this.is('!') ? 1 : 2;
      // A statement that ends without a semicolon.
      else if (this.isNextLine()) break;
      else if ((this.is('=') && depth === 0) || this.is('{')) break;
      else {
        this.toDelimiter();
        return UNKNOWN;
      }
    }
    return items.length === 1 ? items[0]! : { kind: 'either', items };
  }

  private primary(depth: number): Expression {
    let value = this.atom(depth);
    while (this.at < this.end) {
      const isOptional = this.is('?.');
      const next = this.tokens[this.at + 1];
      if ((this.is('.') || isOptional) && next?.kind === 'name') {
        value = { kind: 'member', of: value, name: next.text };
        this.at += 2;
      } else if (this.is('!') && (next?.text === '.' || next?.text === '[')) this.at++;
      else if (this.is('(')) {
        const { line } = this.token();
        value = {
          kind: 'call',
          callee: value,
          items: this.items(depth),
          named: new Map(),
          line,
        } satisfies Call;
      } else if (this.is('[') && this.token().line === this.tokens[this.at - 1]?.line) {
        const items = this.items(depth);
        value = { kind: 'index', of: value, at: items[0] ?? UNKNOWN };
      } else return value;
    }
    return value;
  }

  private atom(depth: number): Expression {
    const { kind, text, computed } = this.token();
    if (kind === 'text') {
      this.at++;
      return computed ? UNKNOWN : { kind: 'literal', value: text };
    }
    if (kind === 'number') {
      this.at++;
      const value = Number(text.replaceAll('_', ''));
      return Number.isFinite(value) ? { kind: 'literal', value } : UNKNOWN;
    }
    if (kind === 'name') return this.named(text);
    if (this.is('-') && this.tokens[this.at + 1]?.kind === 'number') {
      const value = -Number(this.tokens[this.at + 1]!.text);
      this.at += 2;
      return { kind: 'literal', value };
    }
    if (this.is('(')) {
      const close = this.closers.get(this.at)!;
      if (this.isMark(close + 1, '=>')) return this.arrow(this.at, close);
      const items = this.items(depth);
      return items.length === 1 ? items[0]! : UNKNOWN;
    }
    if (this.is('[')) return { kind: 'list', items: this.items(depth) };
    if (this.is('{')) return this.record(depth);
    return UNKNOWN;
  }

  private named(text: string): Expression {
    if (text === 'async' || text === 'await' || text === 'new' || text === 'typeof') {
      this.at++;
      return this.atom(MAX_DEPTH - 1);
    }
    if (text === 'function') {
      while (this.at < this.end && !this.is('(')) this.at++;
      const close = this.closers.get(this.at) ?? this.at;
      return this.body(this.parametersIn(this.at, close), close + 1);
    }
    if (this.isMark(this.at + 1, '=>')) {
      this.at++;
      return this.body([text], this.at + 1);
    }
    this.at++;
    if (text === 'true' || text === 'false') return { kind: 'literal', value: text === 'true' };
    if (text === 'null' || text === 'undefined') return { kind: 'literal', value: null };
    return { kind: 'name', name: text };
  }

  private arrow(open: number, close: number): Expression {
    return this.body(this.parametersIn(open, close), close + 2);
  }

  private parametersIn(open: number, close: number): string[] {
    const names: string[] = [];
    for (let at = open + 1; at < close; at++)
      if (this.tokens[at]!.kind === 'name') names.push(this.tokens[at]!.text);
    return names;
  }

  private body(parameters: readonly string[], from: number): Expression {
    this.at = from;
    const close = this.is('{') ? this.closers.get(from)! : undefined;
    if (close === undefined) this.toDelimiter();
    else this.at = close + 1;
    return {
      kind: 'function',
      parameters,
      from: close === undefined ? from : from + 1,
      to: close ?? this.at,
    };
  }

  private items(depth: number): Expression[] {
    const close = this.closers.get(this.at)!;
    const items: Expression[] = [];
    this.at++;
    while (this.at < close) {
      const before = this.at;
      if (this.is('...')) this.at++;
      items.push(this.expression(depth + 1));
      this.toComma(before, close);
    }
    this.at = close + 1;
    return items;
  }

  private record(depth: number): Expression {
    const close = this.closers.get(this.at)!;
    const members = new Map<string, Expression>();
    this.at++;
    while (this.at < close) {
      const before = this.at;
      const { kind, text } = this.token();
      const isKey = kind === 'name' || kind === 'text' || kind === 'number';
      if (isKey && this.isMark(this.at + 1, ':')) {
        this.at += 2;
        members.set(text, this.expression(depth + 1));
      } else if (kind === 'name' && (this.isMark(this.at + 1, ',') || this.at + 1 === close))
        members.set(text, { kind: 'name', name: text });
      this.toComma(before, close);
    }
    this.at = close + 1;
    return { kind: 'record', members };
  }

  private toComma(before: number, close: number): void {
    while (this.at < close && !this.is(',')) this.at = (this.closers.get(this.at) ?? this.at) + 1;
    if (this.is(',') && this.at < close) this.at++;
    else if (this.at === before) this.at++;
  }

  private toDelimiter(): void {
    const from = this.at;
    while (!this.ends() && !(this.at > from && this.isNextLine()))
      this.at = (this.closers.get(this.at) ?? this.at) + 1;
  }

  /** A statement that ended without a semicolon. */
  private isNextLine(): boolean {
    const last = this.tokens[this.at - 1];
    if (this.token().kind !== 'name' || last === undefined || last.line === this.token().line) return false;
    return last.kind !== 'mark' || last.text === ')' || last.text === ']' || last.text === '}';
  }

  private skipImport(): void {
    if (this.isMark(this.at + 1, '(') || this.isMark(this.at + 1, '.')) {
      this.at++;
      return;
    }
    while (this.at < this.end && this.token().kind !== 'text') this.at++;
    this.at++;
  }

  private ends(): boolean {
    const { kind, text } = this.token();
    return this.at >= this.end || kind === 'end' || (kind === 'mark' && ENDS.has(text));
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
