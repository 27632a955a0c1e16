import { MAX_DEPTH, type Plain } from './found.ts';

/** A token of Python or JavaScript. `text` is the content of a string, the spelling of everything else. */
export interface Token {
  readonly kind: 'name' | 'number' | 'text' | 'mark' | 'line' | 'end';
  readonly text: string;
  readonly line: number;
  /** Columns before the first token of its line. */
  readonly indent: number;
  /** A string with parts that are computed. */
  readonly computed?: true;
}

/** As much of an expression as says how a script is called. */
export type Expression =
  | { readonly kind: 'literal'; readonly value: Plain }
  | { readonly kind: 'list'; readonly items: readonly Expression[] }
  | { readonly kind: 'record'; readonly members: ReadonlyMap<string, Expression> }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'member'; readonly of: Expression; readonly name: string }
  | { readonly kind: 'index'; readonly of: Expression; readonly at: Expression }
  | Call
  /** A function, its body as a range of tokens. */
  | {
      readonly kind: 'function';
      readonly parameters: readonly string[];
      readonly from: number;
      readonly to: number;
    }
  /** One of several: `a or b`, `a if c else b`. */
  | { readonly kind: 'either'; readonly items: readonly Expression[] }
  | { readonly kind: 'unknown' };

export interface Call {
  readonly kind: 'call';
  readonly callee: Expression;
  readonly items: readonly Expression[];
  readonly named: ReadonlyMap<string, Expression>;
  readonly line: number;
}

export const UNKNOWN: Expression = { kind: 'unknown' };

/** Values of names that are assigned once, as far as they are plain. */
export type Constants = ReadonlyMap<string, Expression>;

/** `a.b.c`; undefined for anything else. */
export function dotted(expression: Expression): string | undefined {
  const names: string[] = [];
  let at = expression;
  for (; at.kind === 'member'; at = at.of) names.push(at.name);
  if (at.kind !== 'name') return undefined;
  return [at.name, ...names.reverse()].join('.');
}

/** The last name of `a.b.c`, or of `f(…).c`. */
export function lastName(expression: Expression): string | undefined {
  if (expression.kind === 'member') return expression.name;
  return expression.kind === 'name' ? expression.name : undefined;
}

export function resolved(expression: Expression, constants: Constants): Expression {
  const name = expression.kind === 'name' ? expression.name : undefined;
  return (name === undefined ? undefined : constants.get(name)) ?? expression;
}

/** Its value where it is plain. */
export function literal(expression: Expression | undefined, constants: Constants): Plain | undefined {
  if (expression === undefined) return undefined;
  const known = resolved(expression, constants);
  return known.kind === 'literal' ? known.value : undefined;
}

export function textOf(expression: Expression | undefined, constants: Constants): string | undefined {
  const value = literal(expression, constants);
  return typeof value === 'string' ? value : undefined;
}

/** Plain members of a list, the keys of a record; `list(x)`, `sorted(x)` and `x.keys()` are x. */
export function choicesOf(
  expression: Expression | undefined,
  constants: Constants,
): readonly (string | number)[] | undefined {
  if (expression === undefined) return undefined;
  const known = resolved(unwrapped(expression), constants);
  if (known.kind === 'record') return [...known.members.keys()];
  if (known.kind !== 'list' || known.items.length === 0) return undefined;
  const values = known.items.map((item) => literal(item, constants));
  const isChoice = (value: Plain | undefined): value is string | number =>
    typeof value === 'string' || typeof value === 'number';
  return values.every(isChoice) ? values : undefined;
}

const WRAPPERS: ReadonlySet<string> = new Set(['list', 'sorted', 'tuple', 'set', 'frozenset', 'Object.keys']);

function unwrapped(expression: Expression): Expression {
  if (expression.kind !== 'call') return expression;
  const name = dotted(expression.callee);
  const [first] = expression.items;
  if (name !== undefined && WRAPPERS.has(name) && first !== undefined) return unwrapped(first);
  if (expression.callee.kind === 'member' && expression.callee.name === 'keys') return expression.callee.of;
  return expression;
}

/** Every expression within one, itself first; functions are not entered. */
export function* within(expression: Expression, depth = 0): Generator<Expression> {
  yield expression;
  if (depth > MAX_DEPTH) return;
  for (const child of childrenOf(expression)) yield* within(child, depth + 1);
}

function childrenOf(expression: Expression): Iterable<Expression> {
  switch (expression.kind) {
    case 'list':
    case 'either':
      return expression.items;
    case 'record':
      return expression.members.values();
    case 'member':
      return [expression.of];
    case 'index':
      return [expression.of, expression.at];
    case 'call':
      return [expression.callee, ...expression.items, ...expression.named.values()];
    default:
      return [];
  }
}

/** Calls of a chain `a.b().c()`, in the order in which they are carried out. */
export function chainOf(expression: Expression): {
  readonly start: Expression;
  readonly calls: readonly Call[];
} {
  const calls: Call[] = [];
  let at = expression;
  for (;;) {
    if (at.kind === 'call') {
      calls.push(at);
      if (at.callee.kind !== 'member') return { start: at.callee, calls: calls.reverse() };
      at = at.callee.of;
    } else if (at.kind === 'member') at = at.of;
    else return { start: at, calls: calls.reverse() };
  }
}

const OPENING: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

/** For each opening bracket its closing one; one that is never closed ends with the file. */
export function matchBrackets(tokens: readonly Token[]): ReadonlyMap<number, number> {
  const closers = new Map<number, number>();
  const open: number[] = [];
  for (const [index, { kind, text }] of tokens.entries()) {
    if (kind !== 'mark') continue;
    if (Object.hasOwn(OPENING, text)) open.push(index);
    else if (text === ')' || text === ']' || text === '}') {
      const last = open.at(-1);
      if (last !== undefined && OPENING[tokens[last]!.text] === text) closers.set(open.pop()!, index);
    }
  }
  for (const index of open) closers.set(index, tokens.length - 1);
  return closers;
}
