import type { Token } from './expressions.ts';

/** A place among tokens, and what stands there. */
export class TokenCursor {
  readonly tokens: readonly Token[];
  /** For each opening bracket its closing one. */
  readonly closers: ReadonlyMap<number, number>;
  at: number;

  constructor(tokens: readonly Token[], closers: ReadonlyMap<number, number>, from = 0) {
    this.tokens = tokens;
    this.closers = closers;
    this.at = from;
  }

  /** Behind the last one its end stands for ever. */
  token(): Token {
    return this.tokens[Math.min(this.at, this.tokens.length - 1)]!;
  }

  is(mark: string): boolean {
    return this.isMark(this.at, mark);
  }

  isMark(at: number, mark: string): boolean {
    const token = this.tokens[at];
    return token?.kind === 'mark' && token.text === mark;
  }

  isName(name: string): boolean {
    const token = this.token();
    return token.kind === 'name' && token.text === name;
  }

  /** To the next token, over everything in brackets that open here. */
  skip(): void {
    this.at = (this.closers.get(this.at) ?? this.at) + 1;
  }
}
