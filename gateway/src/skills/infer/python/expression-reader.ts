import { type Call, type Expression, UNKNOWN } from '../expressions.ts';
import { MAX_DEPTH } from '../found.ts';
import { TokenCursor } from '../token-cursor.ts';

const LITERALS: Readonly<Record<string, true | false | null>> = { True: true, False: false, None: null };
const ENDS_EXPRESSION: ReadonlySet<string> = new Set([',', ')', ']', '}', ':', '=', ';']);

/** Expressions of Python, as far as they say how a script is called. */
export class ExpressionReader extends TokenCursor {
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

  primary(depth: number): Expression {
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
  isSlice(open: number): boolean {
    return this.isMark(open + 1, ':') || this.isMark(open + 2, ':');
  }

  atom(depth: number): Expression {
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
  items(depth: number): Expression[] {
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

  call(callee: Expression, depth: number): Call {
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

  record(depth: number): Expression {
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
  toComma(before: number): void {
    while (this.is(':') || this.is('=') || this.is(';')) {
      this.at++;
      this.toDelimiter();
    }
    if (this.is(',')) this.at++;
    else if (this.at === before) this.at++;
  }

  toDelimiter(word?: string): void {
    while (!this.ends() && !(word !== undefined && this.isName(word))) this.skip();
  }

  ends(): boolean {
    const { kind, text } = this.token();
    return kind === 'line' || kind === 'end' || (kind === 'mark' && ENDS_EXPRESSION.has(text));
  }
}
