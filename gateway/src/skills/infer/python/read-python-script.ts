import { dotted, type Expression, literal, type Token, within } from '../expressions.ts';
import type { FoundArgument, FoundScript, ScriptReading } from '../found.ts';
import { isTextNeeded } from '../text-input.ts';
import { readArgparse } from './argparse.ts';
import { readArgv } from './argv.ts';
import { readClick } from './click.ts';
import { readPython, type Statement } from './statements.ts';
import { readStdin, readText } from './stdin.ts';

const NETWORK: ReadonlySet<string> = new Set(
  'requests httpx aiohttp urllib urllib3 http socket smtplib ftplib boto3 openai anthropic websockets paramiko'.split(
    ' ',
  ),
);

/** How a Python script is called: argparse, click, typer, `sys.argv`, JSON on its standard input, or nothing at all. */
export function readPythonScript(source: string): ScriptReading {
  const file = readPython(source);
  const constants = constantsOf(file.statements);
  const description = docstringOf(file.tokens);
  const network = networkOf(file.tokens);
  const rest: Omit<FoundScript, 'how' | 'command'> = {
    environment: environmentOf(file.statements),
    doubts: [],
    ...(description === undefined ? {} : { description }),
    ...(network === undefined ? {} : { network }),
  };
  const input = readText(file);
  const textOf = (found: readonly FoundArgument[]) =>
    input === undefined ? {} : { text: { line: input.line, required: isTextNeeded(found) } };
  const argparse = readArgparse(file, constants);
  if (
    argparse !== undefined &&
    file.tokens.some(({ text }) => /^parse_(?:known_|intermixed_)?args$/.test(text))
  ) {
    const { command, doubts } = argparse;
    return { ...rest, how: 'argparse', command, doubts, ...textOf(command.arguments) };
  }
  const imports = importsOf(file.tokens);
  if (imports.has('click') || imports.has('typer')) {
    const command = readClick(file, constants);
    const how = imports.has('click') ? 'click' : 'typer';
    if (command !== undefined) return { ...rest, how, command, ...textOf(command.arguments) };
  }
  const argv = readArgv(file);
  if (argv !== undefined) {
    const { how, command } = argv;
    return { ...rest, how, command, ...textOf(command.arguments) };
  }
  const stdin = readStdin(file);
  const command = { arguments: [], commands: [] };
  if (stdin !== undefined) return { ...rest, how: 'JSON on standard input', command, stdin };
  if (input !== undefined && (input.isOwn || hasMainGuard(file.tokens)))
    return { ...rest, how: 'text on standard input', command, ...textOf([]) };
  if (hasMainGuard(file.tokens)) return { ...rest, how: 'main guard', command };
  return { reason: 'a module: no main guard and no arguments' };
}

/** Names that are assigned once, to something plain. */
function constantsOf(statements: readonly Statement[]): Map<string, Expression> {
  const constants = new Map<string, Expression>();
  const twice = new Set<string>();
  for (const { targets, expression } of statements) {
    for (const target of targets) {
      if (constants.has(target)) twice.add(target);
      const isPlain =
        expression.kind === 'literal' || expression.kind === 'list' || expression.kind === 'record';
      constants.set(target, isPlain ? expression : { kind: 'unknown' });
    }
  }
  for (const name of twice) constants.delete(name);
  return constants;
}

function docstringOf(tokens: readonly Token[]): string | undefined {
  const [first] = tokens;
  return first?.kind === 'text' ? first.text : undefined;
}

function hasMainGuard(tokens: readonly Token[]): boolean {
  return tokens.some(
    ({ text, kind }, index) =>
      kind === 'name' &&
      text === '__name__' &&
      tokens.slice(Math.max(0, index - 3), index + 3).some((near) => near.text === '__main__') &&
      // a module says by it that nobody should run it
      tokens.slice(index, index + 8).every((near) => near.text !== 'raise'),
  );
}

/** First names of imported modules, with their lines. */
function importsOf(tokens: readonly Token[]): Map<string, number> {
  const found = new Map<string, number>();
  let isImport = false;
  for (const [index, { kind, text, line }] of tokens.entries()) {
    const isStart = index === 0 || tokens[index - 1]!.kind === 'line';
    if (kind === 'line') isImport = false;
    if (isStart && kind === 'name' && (text === 'import' || text === 'from')) {
      const next = tokens[index + 1];
      if (next?.kind === 'name') found.set(next.text, line);
      isImport = text === 'import';
    } else if (isImport && text === ',') {
      const next = tokens[index + 1];
      if (next?.kind === 'name') found.set(next.text, line);
    }
  }
  return found;
}

function networkOf(tokens: readonly Token[]): FoundScript['network'] {
  for (const [name, line] of importsOf(tokens))
    if (NETWORK.has(name)) return { line, why: `imports ${name}` };
  return undefined;
}

const READERS: ReadonlySet<string> = new Set(['os.environ.get', 'os.getenv', 'environ.get', 'getenv']);

function environmentOf(statements: readonly Statement[]): string[] {
  const names = new Set<string>();
  for (const { expression } of statements) {
    for (const part of within(expression)) {
      const isCall = part.kind === 'call' && READERS.has(dotted(part.callee) ?? '');
      const isIndex = part.kind === 'index' && /(?:^|\.)environ$/.test(dotted(part.of) ?? '');
      const name = isCall
        ? literal(part.items[0], new Map())
        : isIndex
          ? literal(part.at, new Map())
          : undefined;
      if (typeof name === 'string' && /^[A-Za-z_]\w{0,63}$/.test(name) && names.size < 20) names.add(name);
    }
  }
  return [...names];
}
