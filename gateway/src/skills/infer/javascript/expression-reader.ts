import { type Call, type Expression, type Token, UNKNOWN } from '../expressions.ts';
import { MAX_DEPTH } from '../found.ts';
import { TokenCursor } from '../token-cursor.ts';

const ENDS: ReadonlySet<string> = new Set([',', ')', ']', '}', ';', ':']);

/** Expressions of JavaScript within a range of tokens, as far as they say how a script is called. */
export class ExpressionReader extends TokenCursor {
  readonly end: number;

  constructor(tokens: readonly Token[], closers: ReadonlyMap<number, number>, from: number, to: number) {
    super(tokens, closers, from);
    this.end = to;
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

  primary(depth: number): Expression {
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

  atom(depth: number): Expression {
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

  named(text: string): Expression {
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

  arrow(open: number, close: number): Expression {
    return this.body(this.parametersIn(open, close), close + 2);
  }

  parametersIn(open: number, close: number): string[] {
    const names: string[] = [];
    for (let at = open + 1; at < close; at++)
      if (this.tokens[at]!.kind === 'name') names.push(this.tokens[at]!.text);
    return names;
  }

  body(parameters: readonly string[], from: number): Expression {
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

  items(depth: number): Expression[] {
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

  record(depth: number): Expression {
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

  toComma(before: number, close: number): void {
    while (this.at < close && !this.is(',')) this.skip();
    if (this.is(',') && this.at < close) this.at++;
    else if (this.at === before) this.at++;
  }

  toDelimiter(): void {
    const from = this.at;
    while (!this.ends() && !(this.at > from && this.isNextLine())) this.skip();
  }

  /** A statement that ended without a semicolon. */
  isNextLine(): boolean {
    const last = this.tokens[this.at - 1];
    if (this.token().kind !== 'name' || last === undefined || last.line === this.token().line) return false;
    return last.kind !== 'mark' || last.text === ')' || last.text === ']' || last.text === '}';
  }

  ends(): boolean {
    const { kind, text } = this.token();
    return this.at >= this.end || kind === 'end' || (kind === 'mark' && ENDS.has(text));
  }
}
