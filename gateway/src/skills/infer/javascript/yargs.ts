import {
  type Call,
  type Constants,
  chainOf,
  choicesOf,
  type Expression,
  lastName,
  literal,
  textOf,
} from '../expressions.ts';
import { type FoundArgument, type FoundCommand, MAX_ARGUMENTS, MAX_COMMANDS, MAX_DEPTH } from '../found.ts';
import type { JavaScriptFile } from './statements.ts';

interface Command {
  readonly word?: string;
  description?: string;
  readonly arguments: FoundArgument[];
  readonly commands: Command[];
}

type Members = ReadonlyMap<string, Expression>;

const NONE: Members = new Map();

/** What a script tells yargs; undefined where it does not use it. */
export function readYargs(file: JavaScriptFile, constants: Constants): FoundCommand | undefined {
  if (!file.tokens.some(({ kind, text }) => kind === 'text' && /^yargs(?:\/|$)/.test(text))) return undefined;
  const root: Command = { arguments: [], commands: [] };
  let count = 0;
  const held = new Set(['yargs']);
  for (const { expression, targets } of file.statements) {
    const { start, calls } = chainOf(expression);
    const name = lastName(start);
    if (name === undefined || !held.has(name) || calls.length === 0) continue;
    for (const target of targets) held.add(target);
    tell(root, calls, 0);
  }
  return root.arguments.length + root.commands.length > 0 ? root : undefined;

  function tell(command: Command, calls: readonly Call[], depth: number): void {
    for (const { callee, items, line } of calls) {
      const name = lastName(callee);
      const [first, second] = items;
      const word = textOf(first, constants);
      const members = second?.kind === 'record' ? second.members : NONE;
      if (command.arguments.length >= MAX_ARGUMENTS) return;
      if (name === 'option' && word !== undefined) set(command, option(word, members, line));
      else if ((name === 'option' || name === 'options') && first?.kind === 'record') {
        for (const [key, value] of first.members)
          set(command, option(key, value.kind === 'record' ? value.members : NONE, line));
      } else if (name === 'positional' && word !== undefined)
        set(command, positional(command, word, members, line));
      else if (name === 'boolean' && word !== undefined)
        set(command, option(word, new Map([['type', { kind: 'literal', value: 'boolean' }]]), line));
      else if (name === 'demandOption') demand(command, first);
      else if (name === 'command' && depth < MAX_DEPTH) subcommand(command, items, line, depth);
    }
  }

  function subcommand(parent: Command, items: readonly Expression[], line: number, depth: number): void {
    const [first] = items;
    const own = first?.kind === 'record' ? first.members : undefined;
    const text = textOf(own?.get('command') ?? (first?.kind === 'list' ? first.items[0] : first), constants);
    if (text === undefined || count++ >= MAX_COMMANDS) return;
    const [word = '', ...places] = text.split(/\s+/);
    const isDefault = word === '$0' || word === '*';
    const made: Command = isDefault ? parent : { word, arguments: [], commands: [] };
    const description = textOf(own?.get('describe') ?? own?.get('desc') ?? items[1], constants);
    if (description !== undefined) made.description = description;
    for (const place of places) {
      const isMany = place.includes('..');
      made.arguments.push({
        spelling: place.replaceAll(/[<>[\]]|\.{2,3}/g, ''),
        kind: 'value',
        type: 'string',
        required: place.startsWith('<'),
        line,
        ...(isMany ? { values: 'many' as const } : {}),
      });
    }
    const builder = own?.get('builder') ?? items[2];
    if (builder?.kind === 'record') {
      for (const [key, value] of builder.members)
        set(made, option(key, value.kind === 'record' ? value.members : NONE, line));
    } else if (builder?.kind === 'function') {
      const [variable] = builder.parameters;
      for (const { expression } of file.bodyOf(builder)) {
        const { start, calls } = chainOf(expression);
        if (lastName(start) === variable) tell(made, calls, depth + 1);
      }
    }
    if (!isDefault) parent.commands.push(made);
  }

  function demand(command: Command, names: Expression | undefined): void {
    const wanted = names === undefined ? [] : (choicesOf(names, constants) ?? [textOf(names, constants)]);
    for (const [index, argument] of command.arguments.entries())
      if (wanted.includes(argument.spelling.replace(/^-+/, '')))
        command.arguments[index] = { ...argument, required: true };
  }

  /** Placeholders of the command's own text come first; `positional` says more about them. */
  function positional(command: Command, name: string, members: Members, line: number): FoundArgument {
    const known = command.arguments.find(({ spelling }) => spelling === name);
    const { flag: _, joined: __, ...read } = option(name, members, line);
    const many = known?.values === undefined ? {} : { values: known.values };
    return { ...read, ...many, spelling: name, kind: 'value', required: known?.required ?? read.required };
  }

  function option(name: string, members: Members, line: number): FoundArgument {
    const flag = name.length === 1 ? `-${name}` : `--${name}`;
    const description = textOf(
      members.get('describe') ?? members.get('description') ?? members.get('desc'),
      constants,
    );
    const fallback = literal(members.get('default'), constants);
    const type =
      textOf(members.get('type'), constants) ?? (typeof fallback === 'boolean' ? 'boolean' : typeof fallback);
    const isMany = type === 'array' || literal(members.get('array'), constants) === true;
    const base = { line, ...(description === undefined ? {} : { description }) };
    if (type === 'boolean' || type === 'count' || literal(members.get('boolean'), constants) === true) {
      const own = fallback === true && name.length > 1 ? `--no-${name}` : flag;
      return { ...base, spelling: own, flag: own, kind: 'switch', type: 'string', required: false };
    }
    const choices = choicesOf(members.get('choices'), constants);
    const demanded = literal(
      members.get('demandOption') ?? members.get('demand') ?? members.get('required'),
      constants,
    );
    return {
      ...base,
      spelling: flag,
      flag,
      kind: 'value',
      type: type === 'number' ? 'number' : 'string',
      required: demanded === true || typeof demanded === 'string',
      // Without "=" a value that looks like a flag would be one.
      ...(flag.startsWith('--') ? { joined: true } : {}),
      ...(choices === undefined ? {} : { choices }),
      ...(fallback === undefined || fallback === null ? {} : { fallback }),
      ...(isMany ? { values: 'many' as const } : {}),
    };
  }
}

/** Another word about the same argument replaces the first. */
function set(command: Command, argument: FoundArgument): void {
  const at = command.arguments.findIndex(({ spelling }) => spelling === argument.spelling);
  if (at >= 0) command.arguments[at] = argument;
  else command.arguments.push(argument);
}
