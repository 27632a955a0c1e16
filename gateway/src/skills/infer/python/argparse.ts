import {
  type Call,
  type Constants,
  dotted,
  type Expression,
  lastName,
  literal,
  textOf,
} from '../expressions.ts';
import { type FoundArgument, type FoundCommand, MAX_ARGUMENTS, MAX_COMMANDS, MAX_DEPTH } from '../found.ts';
import { readArgument } from './argparse-argument.ts';
import type { PythonFile } from './statements.ts';

/** A parser under construction. */
interface Parser {
  readonly word?: string;
  description?: string;
  readonly arguments: FoundArgument[];
  readonly commands: Parser[];
}

/** What a variable of the script holds. */
type Held = { readonly parser: Parser } | { readonly subparsers: Parser };

/** Functions that add arguments to a parser that they are given: `def common(parser): …`. */
interface Adder {
  readonly parameter: string;
  readonly position: number;
  readonly parser: Parser;
}

const GROUPS: ReadonlySet<string> = new Set(['add_argument_group', 'add_mutually_exclusive_group']);

/** What `argparse.ArgumentParser` is told, with its subparsers; undefined where the script has none. */
export function readArgparse(
  { statements }: PythonFile,
  constants: Constants,
): { readonly command: FoundCommand; readonly doubts: readonly string[] } | undefined {
  const held = new Map<string, Held>();
  const adders = new Map<string, Adder>();
  const doubts: string[] = [];
  const roots: Parser[] = [];
  let commands = 0;
  let inside: { readonly indent: number; readonly own: ReadonlyMap<string, Held> } | undefined;

  for (const { targets, expression, definition, indent } of statements) {
    if (inside !== undefined && indent <= inside.indent) inside = undefined;
    if (definition !== undefined) {
      const own = new Map<string, Held>();
      for (const [position, { name }] of definition.parameters.entries()) {
        const parser: Parser = { arguments: [], commands: [] };
        own.set(name, { parser });
        adders.set(`${definition.name}/${position}`, { parameter: name, position, parser });
      }
      inside = { indent, own };
      continue;
    }
    const made = evaluate(expression, 0);
    if (made !== undefined) for (const target of targets) held.set(target, made);
  }
  const root = roots.find((one) => one.arguments.length > 0 || one.commands.length > 0) ?? roots[0];
  if (root === undefined) return undefined;
  if (roots.length > 1) doubts.push(`has ${roots.length} parsers, of which the first is read`);
  return { command: finished(root), doubts };

  /** Carries out what an expression does to parsers; returns what it is. */
  function evaluate(expression: Expression, depth: number): Held | undefined {
    if (depth > MAX_DEPTH) return undefined;
    if (expression.kind === 'name') return inside?.own.get(expression.name) ?? held.get(expression.name);
    if (expression.kind === 'member') {
      const name = dotted(expression);
      return name === undefined ? undefined : held.get(name);
    }
    if (expression.kind !== 'call') return undefined;
    const name = lastName(expression.callee);
    if (name === undefined) return undefined;
    if (/^(?:\w*Argument\w*Parser|ArgParser)$/.test(name)) return started(expression);
    if (expression.callee.kind === 'name') adopt(expression, name);
    if (expression.callee.kind !== 'member') return undefined;
    const receiver = evaluate(expression.callee.of, depth + 1);
    if (receiver === undefined) return undefined;
    if ('subparsers' in receiver)
      return name === 'add_parser' ? subcommand(expression, receiver.subparsers) : undefined;
    const { parser } = receiver;
    if (name === 'add_argument') add(expression, parser);
    if (name === 'add_subparsers') return { subparsers: parser };
    if (name === 'set_defaults' || name === 'add_argument') return undefined;
    return GROUPS.has(name) ? { parser } : undefined;
  }

  function started(call: Call): Held {
    const parser: Parser = { arguments: inherited(call), commands: [] };
    const description = textOf(call.named.get('description'), constants);
    if (description !== undefined) parser.description = description;
    if (literal(call.named.get('add_help'), constants) !== false) roots.push(parser);
    return { parser };
  }

  function subcommand(call: Call, parent: Parser): Held | undefined {
    const word = textOf(call.items[0], constants);
    if (word === undefined || !/^[A-Za-z0-9][A-Za-z0-9_.:-]*$/.test(word) || commands >= MAX_COMMANDS) {
      doubts.push(`adds a subcommand in line ${call.line} whose name cannot be read`);
      return undefined;
    }
    commands++;
    const description = textOf(call.named.get('description') ?? call.named.get('help'), constants);
    const parser: Parser = {
      word,
      arguments: inherited(call),
      commands: [],
      ...(description === undefined ? {} : { description }),
    };
    parent.commands.push(parser);
    return { parser };
  }

  /** `parents=[common]` */
  function inherited(call: Call): FoundArgument[] {
    const parents = call.named.get('parents');
    if (parents?.kind !== 'list') return [];
    return parents.items.flatMap((parent) => {
      const known = evaluate(parent, MAX_DEPTH);
      return known !== undefined && 'parser' in known ? known.parser.arguments : [];
    });
  }

  /** `common(parser)` adds what the function adds. */
  function adopt(call: Call, name: string): void {
    for (const [position, item] of call.items.entries()) {
      const adder = adders.get(`${name}/${position}`);
      const target = item.kind === 'name' ? (inside?.own.get(item.name) ?? held.get(item.name)) : undefined;
      if (adder === undefined || target === undefined || !('parser' in target)) continue;
      if (target.parser !== adder.parser) target.parser.arguments.push(...adder.parser.arguments);
    }
  }

  function add(call: Call, parser: Parser): void {
    const argument = readArgument(call, constants);
    if (argument === undefined) {
      if (textOf(call.items[0], constants) === undefined)
        doubts.push(`adds an argument in line ${call.line} whose name cannot be read`);
    } else if (parser.arguments.length < MAX_ARGUMENTS) parser.arguments.push(argument);
  }
}

function finished({ word, description, arguments: own, commands }: Parser): FoundCommand {
  return {
    arguments: own,
    commands: commands.map(finished),
    ...(word === undefined ? {} : { word }),
    ...(description === undefined ? {} : { description }),
  };
}
