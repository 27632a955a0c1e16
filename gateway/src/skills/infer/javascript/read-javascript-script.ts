import { dotted, type Expression, lastName, literal, type Token, within } from '../expressions.ts';
import {
  type FoundArgument,
  type FoundScript,
  MAX_ARGUMENTS,
  type ScriptReading,
  type StdinMember,
} from '../found.ts';
import { leadingComment } from '../leading-comment.ts';
import { isTextNeeded } from '../text-input.ts';
import { readCommander } from './commander.ts';
import { readNodeArguments } from './node-arguments.ts';
import { type JavaScriptFile, readJavaScript, type Statement } from './statements.ts';
import { readYargs } from './yargs.ts';

const NETWORK: ReadonlySet<string> = new Set(
  'http https node:http node:https net node:net axios node-fetch undici got ws octokit @octokit/rest openai'.split(
    ' ',
  ),
);

/** How a script for Node is called: commander, yargs, parseArgs, `process.argv`, or JSON on its standard input. */
export function readJavaScriptScript(source: string): ScriptReading {
  const file = readJavaScript(source);
  const constants = constantsOf(file.statements);
  const description = leadingComment(source, 'javascript');
  const network = networkOf(file.tokens);
  const rest: Omit<FoundScript, 'how' | 'command'> = {
    environment: environmentOf(file),
    doubts: [],
    ...(description === undefined ? {} : { description }),
    ...(network === undefined ? {} : { network }),
  };
  const line = readText(file);
  const textOf = (found: readonly FoundArgument[]) =>
    line === undefined ? {} : { text: { line, required: isTextNeeded(found) } };
  const commander = readCommander(file, constants);
  if (commander !== undefined)
    return { ...rest, how: 'commander', command: commander, ...textOf(commander.arguments) };
  const yargs = readYargs(file, constants);
  if (yargs !== undefined) return { ...rest, how: 'yargs', command: yargs, ...textOf(yargs.arguments) };
  const own = readNodeArguments(file, constants);
  if (own !== undefined) {
    const { how, command } = own;
    return { ...rest, how, command, ...textOf(command.arguments) };
  }
  const stdin = readStdin(file);
  const command = { arguments: [], commands: [] };
  if (stdin !== undefined) return { ...rest, how: 'JSON on standard input', command, stdin };
  const isModule = file.tokens.some(
    ({ kind, text: word }, index) =>
      kind === 'name' && (word === 'export' || (word === 'exports' && file.tokens[index - 1]?.text === '.')),
  );
  if (line !== undefined && (source.startsWith('#!') || !isModule))
    return { ...rest, how: 'text on standard input', command, ...textOf([]) };
  if (source.startsWith('#!')) return { ...rest, how: 'first line', command };
  return { reason: 'a module: no first line "#!" and no arguments' };
}

function constantsOf(statements: readonly Statement[]): Map<string, Expression> {
  const constants = new Map<string, Expression>();
  for (const { targets, expression, isList } of statements) {
    const [target] = targets;
    const isPlain =
      expression.kind === 'literal' || expression.kind === 'list' || expression.kind === 'record';
    if (target !== undefined && isPlain && !isList && targets.length === 1) constants.set(target, expression);
  }
  return constants;
}

function networkOf(tokens: readonly Token[]): FoundScript['network'] {
  for (const [index, { kind, text, line }] of tokens.entries()) {
    const last = tokens[index - 1]?.text;
    if (kind === 'name' && text === 'fetch' && tokens[index + 1]?.text === '(' && last !== '.')
      return { line, why: 'calls fetch' };
    const isImport =
      last === 'from' ||
      last === 'import' ||
      (last === '(' && /^(?:require|import)$/.test(tokens[index - 2]?.text ?? ''));
    if (kind === 'text' && isImport && NETWORK.has(text)) return { line, why: `imports ${text}` };
  }
  return undefined;
}

function environmentOf({ statements, tokens }: JavaScriptFile): string[] {
  const names = new Set<string>();
  for (const [index, { text }] of tokens.entries()) {
    const next = text === 'env' && tokens[index + 1]?.text === '.' ? tokens[index + 2] : undefined;
    if (next?.kind === 'name' && names.size < 20) names.add(next.text);
  }
  for (const part of statements.flatMap(({ expression }) => [...within(expression)])) {
    const name =
      part.kind === 'index' && dotted(part.of) === 'process.env' ? literal(part.at, new Map()) : undefined;
    if (typeof name === 'string' && /^[A-Za-z_]\w{0,63}$/.test(name) && names.size < 20) names.add(name);
  }
  return [...names];
}

/** `const input = JSON.parse(readFileSync(0))`, and what is taken out of `input`. */
function readStdin({ statements, tokens }: JavaScriptFile): FoundScript['stdin'] {
  const members = new Map<string, StdinMember>();
  const isStdin = (part: Expression) => (part.kind === 'member' && part.name === 'stdin') || isFileRead(part);
  const isMentioned = tokens.some(({ text, kind }) => kind === 'name' && text === 'stdin');
  let line: number | undefined;
  const names = new Set<string>();
  for (const { targets, expression, line: at, fallbacks } of statements) {
    const parts = [...within(expression)];
    const parses = parts.some((part) => part.kind === 'call' && dotted(part.callee) === 'JSON.parse');
    if (parses && (isMentioned || parts.some(isStdin))) {
      line ??= at;
      if (fallbacks === undefined) for (const target of targets) names.add(target);
      else for (const name of targets) add(name, fallbacks.get(name));
    }
    const from = expression.kind === 'name' && names.has(expression.name);
    if (from && fallbacks !== undefined) for (const name of targets) add(name, fallbacks.get(name));
    for (const part of parts) {
      if (part.kind === 'member' && part.of.kind === 'name' && names.has(part.of.name))
        add(part.name, undefined);
    }
  }
  return line === undefined ? undefined : { line, members: [...members.values()] };

  function add(name: string, fallback: Expression | undefined): void {
    if (!/^[A-Za-z_]\w*$/.test(name) || members.has(name) || members.size >= MAX_ARGUMENTS) return;
    const value = literal(fallback, new Map());
    members.set(name, {
      name,
      required: fallback === undefined,
      ...(value === undefined || value === null ? {} : { fallback: value }),
    });
  }
}

/** What is asked about standard input without reading it. */
const ABOUT: ReadonlySet<string> = new Set(['isTTY', 'fd', 'setRawMode', 'unref', 'pause', 'destroy']);

/** The line of `process.stdin`, whatever is done with it, or of `readFileSync(0)`. */
function readText({ statements, tokens }: JavaScriptFile): number | undefined {
  for (const [index, { kind, text, line }] of tokens.entries()) {
    if (kind !== 'name' || text !== 'process') continue;
    const [dot, name, more, about] = tokens.slice(index + 1, index + 5);
    if (dot?.text !== '.' || name?.text !== 'stdin') continue;
    if (!(more?.text === '.' && ABOUT.has(about?.text ?? ''))) return line;
  }
  return statements.find(({ expression }) => [...within(expression)].some(isFileRead))?.line;
}

function isFileRead(part: Expression): boolean {
  return (
    part.kind === 'call' &&
    /^readFile(?:Sync)?$/.test(lastName(part.callee) ?? '') &&
    isInput(literal(part.items[0], new Map()))
  );
}

function isInput(value: unknown): boolean {
  return value === 0 || value === '/dev/stdin';
}
