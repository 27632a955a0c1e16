import {
  type Call,
  type Constants,
  type Expression,
  lastName,
  literal,
  resolved,
  type Token,
  textOf,
  within,
} from '../expressions.ts';
import { comparedFlags } from '../flag-comparisons.ts';
import {
  FLAG,
  type FoundArgument,
  type FoundCommand,
  MAX_ARGUMENTS,
  MAX_DEPTH,
  USE_UNREAD,
} from '../found.ts';
import { handRead } from '../hand-read.ts';
import { usageOf } from '../usage-line.ts';
import { nameOfRest } from '../words.ts';
import type { JavaScriptFile, Statement } from './statements.ts';

interface Found {
  readonly how: string;
  readonly command: FoundCommand;
}

/** `parseArgs` of node:util, or what a script takes out of `process.argv` itself. */
export function readNodeArguments(file: JavaScriptFile, constants: Constants): Found | undefined {
  const usage = usageOf(file.tokens);
  const settings = file.statements
    .flatMap(({ expression }) => [...within(expression)])
    .filter(isParseArgs)
    .map(({ items: [given], line }) => ({ given: given && resolved(given, constants), line }))
    .find(({ given }) => given?.kind === 'record');
  if (settings !== undefined) {
    const options = readParseArgs(settings, constants);
    const positions = usage?.filter(({ flag }) => flag === undefined) ?? [];
    const command = { arguments: [...options, ...positions].slice(0, MAX_ARGUMENTS), commands: [] };
    return { how: 'parseArgs', command };
  }
  if (!file.tokens.some(({ text, kind }) => kind === 'name' && text === 'argv')) return undefined;
  const command = handRead(usage, comparedFlags(file.tokens), () => readArgv(file));
  return { how: usage === undefined ? 'process.argv' : 'usage line', command };
}

/** That of node:util is given a record; a function of the script's own says nothing by its name. */
function isParseArgs(expression: Expression): expression is Call {
  return expression.kind === 'call' && lastName(expression.callee) === 'parseArgs';
}

function readParseArgs(
  { given, line }: { readonly given: Expression | undefined; readonly line: number },
  constants: Constants,
): FoundArgument[] {
  const named = given?.kind === 'record' ? given.members.get('options') : undefined;
  const options = named && resolved(named, constants);
  if (options?.kind !== 'record') return [];
  return [...options.members].flatMap(([name, value]): FoundArgument[] => {
    if (name === 'help' || value.kind !== 'record' || !/^[A-Za-z][\w-]*$/.test(name)) return [];
    const flag = `--${name}`;
    const fallback = literal(value.members.get('default'), constants);
    if (textOf(value.members.get('type'), constants) === 'boolean') {
      return [{ spelling: flag, flag, kind: 'switch', type: 'string', required: false, line }];
    }
    const isMany = literal(value.members.get('multiple'), constants) === true;
    return [
      {
        spelling: flag,
        flag,
        kind: 'value',
        type: 'string',
        required: false,
        joined: true,
        line,
        ...(isMany ? { values: 'many' as const, repeats: true as const } : {}),
        ...(fallback === undefined || fallback === null ? {} : { fallback }),
      },
    ];
  });
}

/** `process.argv[2]`, `const [, , a, b] = process.argv`, `const [a, b] = process.argv.slice(2)`, `args[0]`. */
function readArgv({ statements, tokens }: JavaScriptFile): FoundArgument[] {
  const required = requiredCount(tokens);
  const found = new Map<number, FoundArgument>();
  const flags = new Map<string, FoundArgument>();
  /** Names of lists of arguments, with how many items stand before the first argument. */
  const lists = new Map<string, number>();
  /** Names of what is left behind other arguments, with how many those are. */
  const rests: { readonly name: string; readonly after: number; readonly line: number }[] = [];
  const place = (
    position: number,
    name: string,
    { line }: Statement,
    optional: boolean,
    fallback?: Expression,
  ) => {
    const value = literal(fallback, new Map());
    if (position < 0 || position >= MAX_ARGUMENTS || found.has(position)) return;
    found.set(position, {
      spelling: name,
      kind: 'value',
      type: 'string',
      required: !optional && (required === undefined || position < required),
      line,
      ...(value === undefined || value === null ? {} : { fallback: value }),
    });
  };
  for (const statement of statements) {
    const { expression, targets, fallbacks } = statement;
    const whole = listOf(expression, lists);
    if (whole !== undefined && targets.length > 0) {
      const { line } = statement;
      if (!statement.isList) {
        lists.set(targets[0]!, whole);
        rests.push({ name: targets[0]!, after: -whole, line });
      } else
        for (const [index, name] of targets.entries()) {
          if (name.startsWith('...')) {
            lists.set(name.slice(3), whole - index);
            rests.push({ name: name.slice(3), after: index - whole, line });
          } else if (name !== '')
            place(index - whole, name, statement, fallbacks?.has(name) === true, fallbacks?.get(name));
        }
    }
    const alternative = expression.kind === 'either' ? expression.items.at(-1) : undefined;
    for (const part of within(expression)) {
      if (part.kind === 'index') {
        const base = listOf(part.of, lists);
        const index = literal(part.at, new Map());
        if (base !== undefined && typeof index === 'number' && index >= base)
          place(
            index - base,
            targets[0] ?? `argument_${index - base + 1}`,
            statement,
            alternative !== undefined,
            alternative,
          );
      }
      const flag = flagIn(part, lists, statement.line);
      if (flag !== undefined && flags.size < MAX_ARGUMENTS && !flags.has(flag.spelling))
        flags.set(flag.spelling, flag);
    }
  }
  const positions = [...found].sort(([one], [other]) => one - other).map(([, argument]) => argument);
  const most = Math.max(-1, ...found.keys()) + 1;
  const rest = rests.find(({ after }) => after === most);
  if (rest === undefined || flags.size > 0) return [...positions, ...flags.values()];
  const isNeeded = required !== undefined && required > most;
  const many = { kind: 'value', type: 'string', values: 'many', required: isNeeded } as const;
  // all of them: they may be read in any way
  const doubt = most === 0 ? { doubt: USE_UNREAD } : {};
  return [...positions, { ...many, spelling: nameOfRest(rest.name), line: rest.line, ...doubt }];
}

/** Items before the first argument, where the expression is a list of arguments; below 0 where it lacks the first ones. */
function listOf(expression: Expression, lists: ReadonlyMap<string, number>, depth = 0): number | undefined {
  if (depth > MAX_DEPTH) return undefined;
  if (expression.kind === 'name') return lists.get(expression.name);
  if (expression.kind === 'member' && expression.name === 'argv') return 2;
  if (expression.kind !== 'call' || expression.callee.kind !== 'member' || expression.callee.name !== 'slice')
    return undefined;
  const base = listOf(expression.callee.of, lists, depth + 1);
  const from = literal(expression.items[0], new Map());
  return base === undefined || typeof from !== 'number' || from < 0 ? undefined : base - from;
}

/** `args.includes('--json')` is a switch, `args.indexOf('--repo')` one with a value. */
function flagIn(
  expression: Expression,
  lists: ReadonlyMap<string, number>,
  line: number,
): FoundArgument | undefined {
  if (expression.kind !== 'call' || expression.callee.kind !== 'member') return undefined;
  const { name, of } = expression.callee;
  const flag = literal(expression.items[0], new Map());
  if ((name !== 'includes' && name !== 'indexOf') || listOf(of, lists) === undefined) return undefined;
  if (typeof flag !== 'string' || !FLAG.test(flag) || flag === '--help' || flag === '-h') return undefined;
  const kind = name === 'includes' ? 'switch' : 'value';
  return { spelling: flag, flag, kind, type: 'string', required: false, line };
}

/** `process.argv.length < 4`, `args.length !== 2`. */
function requiredCount(tokens: readonly Token[]): number | undefined {
  for (const [index, { text, kind }] of tokens.entries()) {
    if (kind !== 'name' || text !== 'length') continue;
    const [owner] = tokens.slice(index - 2, index - 1);
    const [operator, count] = tokens.slice(index + 1, index + 3);
    if (owner === undefined || count?.kind !== 'number' || !/^(?:<|!==?)$/.test(operator?.text ?? ''))
      continue;
    if (owner.text === 'argv') return Number(count.text) - 2;
    if (/^(?:args|argv|argumentList|rest)$/.test(owner.text)) return Number(count.text);
  }
  return undefined;
}
