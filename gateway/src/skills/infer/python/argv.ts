import { type Expression, literal, type Token, within } from '../expressions.ts';
import { comparedFlags } from '../flag-comparisons.ts';
import {
  FLAG,
  type FoundArgument,
  type FoundCommand,
  MAX_ARGUMENTS,
  MAX_DEPTH,
  type Plain,
  USE_UNREAD,
} from '../found.ts';
import { handRead } from '../hand-read.ts';
import { usageOf } from '../usage-line.ts';
import { nameOfRest } from '../words.ts';
import type { PythonFile, Statement } from './statements.ts';

/** What a script takes out of `sys.argv`, named by its usage line or by its variables; undefined where it takes nothing. */
export function readArgv(
  file: PythonFile,
): { readonly how: string; readonly command: FoundCommand } | undefined {
  const { tokens } = file;
  const isRead = tokens.some(
    (token, index) => token.text === 'argv' && token.kind === 'name' && tokens[index - 1]?.text === '.',
  );
  if (!isRead) return undefined;
  const spoken = usageOf(tokens);
  const usage = spoken && counted(spoken, tokens);
  const command = handRead(usage, comparedFlags(tokens), () => readPlaces(file));
  return { how: usage === undefined ? 'sys.argv' : 'usage line', command };
}

/** By the variables that the arguments become. */
function readPlaces({ tokens, statements }: PythonFile): FoundArgument[] {
  const required = requiredCount(tokens);
  const found = new Map<number, FoundArgument>();
  /** Names of lists of arguments, with how many items stand before the first argument. */
  const lists = new Map<string, number>();
  let rest: number | undefined;
  /** Columns before the first argument's statement. */
  let outermost: number | undefined;
  for (const statement of statements) {
    const whole = listOf(statement.expression, lists);
    if (whole !== undefined) {
      for (const target of statement.targets) lists.set(target, whole);
      if (statement.targets.length === 0 && statement.pattern === undefined && whole === 0)
        rest ??= statement.line;
    }
    for (const { position, name, optional, fallback } of positionsIn(statement, lists)) {
      const known = found.get(position);
      if (
        position < 1 ||
        position > MAX_ARGUMENTS ||
        (known !== undefined && !/^argument_\d+$/.test(known.spelling))
      )
        continue;
      // what is read in a branch further in is needed there alone
      if (position === 1) outermost ??= statement.indent;
      const isInBranch = position > 1 && outermost !== undefined && statement.indent > outermost;
      found.set(position, {
        spelling: name ?? `argument_${position}`,
        kind: 'value',
        type: typeIn(statement.expression),
        required: !optional && (required === undefined ? !isInBranch : position <= required),
        line: statement.line,
        ...(fallback === undefined || fallback === null ? {} : { fallback }),
      });
    }
  }
  const flags = soughtFlags(tokens);
  const all: FoundArgument[] = [];
  for (let position = 1; position <= Math.max(0, ...found.keys()); position++)
    all.push(found.get(position) ?? unread(position));
  const { doubt: _, ...base } = unread(all.length + 1);
  const isNeeded = required !== undefined && required > all.length;
  const many: FoundArgument = { ...base, required: isNeeded, values: 'many' };
  if (all.length === 0) {
    if (flags.length === 0 || rest !== undefined)
      all.push({ ...many, spelling: 'arguments', line: rest ?? 0, doubt: USE_UNREAD });
  } else {
    // what is left behind the ones that have a place of their own: `files = sys.argv[3:]`
    const own = statements.find(
      ({ targets, expression, pattern }) =>
        targets.length > 0 && pattern === undefined && listOf(expression, lists) === 1 - (all.length + 1),
    );
    if (own !== undefined) all.push({ ...many, spelling: nameOfRest(own.targets[0]!), line: own.line });
  }
  return [...all, ...flags];
}

/** `"--json" in sys.argv` is a switch, `sys.argv.index("--out")` one with a value. */
function soughtFlags(tokens: readonly Token[]): FoundArgument[] {
  const found = new Map<string, FoundArgument>();
  for (const [index, { kind, text: flag, line }] of tokens.entries()) {
    if (kind !== 'text' || !FLAG.test(flag) || /^(?:-h|--help)$/.test(flag)) continue;
    const isSwitch =
      tokens[index + 1]?.text === 'in' && /^(?:sys|argv|args)$/.test(tokens[index + 2]?.text ?? '');
    const isValue = tokens[index - 1]?.text === '(' && tokens[index - 2]?.text === 'index';
    if ((!isSwitch && !isValue) || found.size >= MAX_ARGUMENTS) continue;
    const known = { spelling: flag, flag, type: 'string', required: false, line } as const;
    if (isValue || !found.has(flag)) found.set(flag, { ...known, kind: isValue ? 'value' : 'switch' });
  }
  return [...found.values()];
}

/** A check of their number knows better than brackets what must be given. */
function counted(found: readonly FoundArgument[], tokens: readonly Token[]): FoundArgument[] {
  const required = requiredCount(tokens);
  let position = 0;
  return found.map((argument) => {
    if (argument.flag !== undefined || required === undefined) return argument;
    position++;
    return { ...argument, required: position <= required };
  });
}

function unread(position: number): FoundArgument {
  return {
    spelling: `argument_${position}`,
    kind: 'value',
    type: 'string',
    required: true,
    line: 0,
    doubt: USE_UNREAD,
  };
}

interface Position {
  /** 1 is the first argument. */
  readonly position: number;
  readonly name?: string;
  readonly optional: boolean;
  readonly fallback?: Plain;
}

/** `x = sys.argv[1]`, `_, x, y = sys.argv`, `x = args[0] if args else "a"`. */
function* positionsIn(statement: Statement, lists: ReadonlyMap<string, number>): Generator<Position> {
  const { expression, targets, pattern } = statement;
  const whole = listOf(expression, lists);
  if (pattern !== undefined) {
    for (const [index, name] of pattern.entries()) {
      if (name === '' || name === '_') continue;
      if (whole !== undefined) yield { position: index - whole + 1, name, optional: false };
      else if (expression.kind === 'list' && expression.items[index] !== undefined)
        yield* positionsIn(
          { line: 0, indent: 0, targets: [name], expression: expression.items[index] },
          lists,
        );
    }
    return;
  }
  const alternative = expression.kind === 'either' ? expression.items.at(-1) : undefined;
  const fallback = literal(alternative, new Map());
  for (const part of within(expression)) {
    const before = part.kind === 'index' ? listOf(part.of, lists) : undefined;
    const index = part.kind === 'index' ? literal(part.at, new Map()) : undefined;
    if (before === undefined || typeof index !== 'number') continue;
    yield {
      position: index - before + 1,
      optional: alternative !== undefined,
      ...(targets[0] === undefined ? {} : { name: targets[0] }),
      ...(fallback === undefined ? {} : { fallback }),
    };
  }
}

/** `int(sys.argv[2])` */
function typeIn(expression: Expression): FoundArgument['type'] {
  for (const part of within(expression)) {
    const name = part.kind === 'call' && part.callee.kind === 'name' ? part.callee.name : undefined;
    if (name === 'int') return 'integer';
    if (name === 'float') return 'number';
  }
  return 'string';
}

/** Items before the first argument, where the expression is a list of arguments; below 0 where it lacks the first ones. */
function listOf(expression: Expression, lists: ReadonlyMap<string, number>, depth = 0): number | undefined {
  if (depth > MAX_DEPTH) return undefined;
  if (expression.kind === 'name') return expression.name === 'argv' ? 1 : lists.get(expression.name);
  if (expression.kind === 'member') return expression.name === 'argv' ? 1 : undefined;
  if (expression.kind !== 'call' || expression.callee.kind !== 'member' || expression.callee.name !== 'slice')
    return undefined;
  const before = listOf(expression.callee.of, lists, depth + 1);
  const from = literal(expression.items[0], new Map());
  return before === undefined || typeof from !== 'number' || from < 0 ? undefined : before - from;
}

/** `len(sys.argv) < 3` and its like: how many arguments must be there. */
function requiredCount(tokens: readonly Token[]): number | undefined {
  for (const [index, { text, kind }] of tokens.entries()) {
    if (kind !== 'name' || text !== 'argv') continue;
    const [close, operator, count] = tokens.slice(index + 1, index + 4);
    if (close?.text !== ')' || count?.kind !== 'number') continue;
    const number = Number(count.text);
    if (operator?.text === '<' || operator?.text === '!=') return number - 1;
    if (operator?.text === '<=') return number;
  }
  return undefined;
}
