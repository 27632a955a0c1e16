import { type Expression, literal, within } from '../expressions.ts';
import { type FoundScript, MAX_ARGUMENTS, type StdinMember } from '../found.ts';
import type { PythonFile } from './statements.ts';

const NONE = new Map();

/** Members of the object that a script loads from standard input, by what it takes out of it. */
export function readStdin({ statements }: PythonFile): FoundScript['stdin'] {
  const members = new Map<string, StdinMember>();
  let line: number | undefined;
  const names = new Set<string>();
  for (const { targets, expression, line: at } of statements) {
    if ([...within(expression)].some(isLoad)) {
      line ??= at;
      for (const target of targets) names.add(target);
    }
    for (const part of within(expression)) {
      const member = memberOf(part, names);
      if (member !== undefined && members.size < MAX_ARGUMENTS && !members.has(member.name))
        members.set(member.name, member);
    }
  }
  return line === undefined ? undefined : { line, members: [...members.values()] };
}

/** What is asked about standard input without reading it. */
const ABOUT: ReadonlySet<string> = new Set(['isatty', 'fileno', 'close', 'reconfigure', 'encoding']);

/**
 * The line in which a script reads its standard input: `sys.stdin` in whatever way but to ask about it or to pass it on
 * to another program, `fileinput.input()`. `isOwn`: at the top of the file.
 */
export function readText({
  tokens,
}: PythonFile): { readonly line: number; readonly isOwn: boolean } | undefined {
  for (const [index, { kind, text, line, indent }] of tokens.entries()) {
    const is = (offset: number, wanted: string) => tokens[index + offset]?.text === wanted;
    if (kind !== 'name' || !is(1, '.')) continue;
    const reads =
      text === 'sys'
        ? is(2, 'stdin') &&
          !(is(3, '.') && ABOUT.has(tokens[index + 4]?.text ?? '')) &&
          !(is(-1, '=') && is(-2, 'stdin'))
        : text === 'fileinput' && is(2, 'input');
    if (reads) return { line, isOwn: indent === 0 };
  }
  return undefined;
}

/** `json.load(sys.stdin)`, `json.loads(sys.stdin.read())` */
function isLoad(expression: Expression): boolean {
  if (expression.kind !== 'call' || expression.callee.kind !== 'member') return false;
  if (expression.callee.name !== 'load' && expression.callee.name !== 'loads') return false;
  const [from] = expression.items;
  return (
    from !== undefined && [...within(from)].some((part) => part.kind === 'member' && part.name === 'stdin')
  );
}

/** `data["name"]`, `data.get("name", 3)` */
function memberOf(expression: Expression, names: ReadonlySet<string>): StdinMember | undefined {
  const isKnown = (from: Expression) => from.kind === 'name' && names.has(from.name);
  if (expression.kind === 'index' && isKnown(expression.of)) {
    const name = literal(expression.at, NONE);
    return typeof name === 'string' ? { name, required: true } : undefined;
  }
  if (expression.kind !== 'call' || expression.callee.kind !== 'member') return undefined;
  if (expression.callee.name !== 'get' || !isKnown(expression.callee.of)) return undefined;
  const name = literal(expression.items[0], NONE);
  const fallback = literal(expression.items[1], NONE);
  if (typeof name !== 'string') return undefined;
  return { name, required: false, ...(fallback === undefined || fallback === null ? {} : { fallback }) };
}
