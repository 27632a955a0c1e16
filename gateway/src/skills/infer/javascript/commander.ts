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
import { FLAG, type FoundArgument, type FoundCommand, MAX_ARGUMENTS, MAX_COMMANDS } from '../found.ts';
import type { JavaScriptFile } from './statements.ts';

interface Command {
  word?: string;
  description?: string;
  readonly arguments: FoundArgument[];
  readonly commands: Command[];
}

/** What a script tells commander; undefined where it does not use it. */
export function readCommander(
  { statements, tokens }: JavaScriptFile,
  constants: Constants,
): FoundCommand | undefined {
  if (!tokens.some(({ kind, text }) => kind === 'text' && text === 'commander')) return undefined;
  const root: Command = { arguments: [], commands: [] };
  const held = new Map<string, Command>([['program', root]]);
  let count = 0;
  for (const { targets, expression } of statements) {
    const made = run(expression);
    if (made !== undefined) for (const target of targets) held.set(target, made);
  }
  return root.arguments.length + root.commands.length > 0 || root.description !== undefined
    ? root
    : undefined;

  /** Follows one chain of calls; returns the command that it ends with. */
  function run(expression: Expression): Command | undefined {
    const { start, calls } = chainOf(expression);
    let [command, rest] = begun(start, calls);
    if (command === undefined) return undefined;
    const own = command;
    for (const call of rest) {
      const name = lastName(call.callee);
      const text = textOf(call.items[0], constants);
      if (name === 'command' && text !== undefined) command = subcommand(command, text, call);
      else if (name === 'addCommand' && call.items[0] !== undefined) {
        const added = run(call.items[0]);
        if (added !== undefined && added !== root) own.commands.push(added);
      } else tell(command, name, call);
    }
    return command;
  }

  function begun(start: Expression, calls: readonly Call[]): [Command | undefined, readonly Call[]] {
    const name = lastName(start);
    if (calls[0]?.callee === start && name === 'Command') {
      const word = textOf(calls[0].items[0], constants);
      // The first command of a script is its own; one with a word is added to it later.
      if (word === undefined || root.arguments.length + root.commands.length === 0)
        return [word === undefined ? root : named(word), calls.slice(1)];
      return [named(word), calls.slice(1)];
    }
    if (calls[0]?.callee === start && name === 'createCommand') return [root, calls.slice(1)];
    return [name === undefined ? undefined : held.get(name), calls];
  }

  function named(word: string): Command {
    return { word, arguments: [], commands: [] };
  }

  function subcommand(parent: Command, text: string, call: Call): Command {
    const [word = '', ...places] = text.split(/\s+/);
    const made = named(word);
    for (const place of places) made.arguments.push(position(place, undefined, call.line));
    const description = textOf(call.items[1], constants);
    if (description !== undefined) made.description = description;
    if (count++ < MAX_COMMANDS) parent.commands.push(made);
    return made;
  }

  function tell(command: Command, name: string | undefined, call: Call): void {
    const [first, second] = call.items.map((item) => textOf(item, constants));
    if (name === 'description' && first !== undefined) command.description = first;
    if (command.arguments.length >= MAX_ARGUMENTS) return;
    if (name === 'argument' && first !== undefined)
      command.arguments.push(position(first, second, call.line, call.items[2], constants));
    if (name === 'arguments' && first !== undefined)
      for (const place of first.split(/\s+/)) command.arguments.push(position(place, undefined, call.line));
    if ((name === 'option' || name === 'requiredOption') && first !== undefined) {
      const given = { flags: first, line: call.line, required: name === 'requiredOption' };
      command.arguments.push(...option({ ...given, ...settingsOf(call.items, constants) }));
    }
    const added = name === 'addOption' ? call.items[0] : undefined;
    if (added !== undefined) command.arguments.push(...built(added, constants));
  }
}

interface Option {
  readonly flags: string;
  readonly line: number;
  readonly required: boolean;
  readonly description?: string | undefined;
  readonly fallback?: string | number | boolean | null | undefined;
  readonly number?: FoundArgument['type'] | undefined;
  readonly choices?: readonly (string | number)[] | undefined;
}

/** `.option(flags, description, parse or default, default)` */
function settingsOf(
  items: readonly Expression[],
  constants: Constants,
): Pick<Option, 'description' | 'fallback' | 'number'> {
  const number = items.map(typeOf).find((type) => type !== undefined);
  const fallback = items
    .slice(2)
    .map((item) => literal(item, constants))
    .find((value) => value !== undefined);
  return { description: textOf(items[1], constants), fallback, number };
}

function typeOf(expression: Expression): FoundArgument['type'] | undefined {
  const name = lastName(expression);
  if (name === 'parseInt') return 'integer';
  return name === 'parseFloat' || name === 'Number' ? 'number' : undefined;
}

/** `new Option('--x <v>', '…').choices([…]).default(…).makeOptionMandatory()` */
function built(expression: Expression, constants: Constants): FoundArgument[] {
  const { calls } = chainOf(expression);
  const flags = textOf(calls[0]?.items[0], constants);
  if (flags === undefined) return [];
  const call = (name: string) => calls.find(({ callee }) => lastName(callee) === name);
  if (call('hideHelp') !== undefined) return [];
  const mandatory = call('makeOptionMandatory');
  return option({
    flags,
    line: calls[0]!.line,
    required: mandatory !== undefined && literal(mandatory.items[0], constants) !== false,
    description: textOf(calls[0]!.items[1], constants),
    fallback: literal(call('default')?.items[0], constants),
    number: call('argParser')?.items.map(typeOf)[0],
    choices: choicesOf(call('choices')?.items[0], constants),
  });
}

/** `-p, --port <number>`, `--no-colour`, `--files [names...]` */
function option({ flags, line, required, description, fallback, number, choices }: Option): FoundArgument[] {
  const words = flags.split(/[\s,|=]+/);
  const flag = words.find((word) => word.startsWith('--')) ?? words.find((word) => word.startsWith('-'));
  const value = words.find((word) => word.startsWith('<') || word.startsWith('['));
  if (flag === undefined || !FLAG.test(flag) || flag === '--help') return [];
  const base = { spelling: flag, flag, line, ...(description === undefined ? {} : { description }) };
  if (value === undefined) return [{ ...base, kind: 'switch', type: 'string', required: false }];
  const isMany = value.includes('...');
  return [
    {
      ...base,
      kind: 'value',
      type: number ?? 'string',
      required,
      ...(value.startsWith('[') && flag.startsWith('--') ? { joined: true as const } : {}),
      ...(isMany ? { values: 'many' as const } : {}),
      ...(choices === undefined ? {} : { choices }),
      ...(fallback === undefined || fallback === null ? {} : { fallback }),
    },
  ];
}

/** `<file>`, `[out]`, `<files...>` */
function position(
  text: string,
  description: string | undefined,
  line: number,
  fallback?: Expression,
  constants: Constants = new Map(),
): FoundArgument {
  const isMany = text.includes('...');
  const value = literal(fallback, constants);
  return {
    spelling: text.replaceAll(/[<>[\]]|\.{3}/g, ''),
    kind: 'value',
    type: 'string',
    required: !text.startsWith('[') && value === undefined,
    line,
    ...(description === undefined ? {} : { description }),
    ...(isMany ? { values: 'many' as const } : {}),
    ...(value === undefined || value === null ? {} : { fallback: value }),
  };
}
