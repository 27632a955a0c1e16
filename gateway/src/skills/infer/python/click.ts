import {
  type Call,
  type Constants,
  choicesOf,
  dotted,
  type Expression,
  lastName,
  literal,
  textOf,
} from '../expressions.ts';
import { type FoundArgument, type FoundCommand, GIVEN_ONCE, MAX_ARGUMENTS, MAX_COMMANDS } from '../found.ts';
import type { PythonFile, Statement } from './statements.ts';
import { typeNamed, typerArgument } from './typer.ts';

interface Group {
  readonly word?: string;
  readonly parent: string | undefined;
  readonly isGroup: boolean;
  readonly command: { readonly arguments: readonly FoundArgument[]; readonly description?: string };
}

/** Commands of click or typer; undefined where the script has none. */
export function readClick(file: PythonFile, constants: Constants): FoundCommand | undefined {
  const groups = new Map<string, Group>();
  let decorators: Expression[] = [];
  for (const [index, statement] of file.statements.entries()) {
    const { definition, expression } = statement;
    if (statement.isDecorator) {
      decorators.push(expression);
      continue;
    }
    if (definition !== undefined && groups.size <= MAX_COMMANDS) {
      const group = commandOf(definition, decorators, docstring(file.statements, index), constants);
      if (group !== undefined) groups.set(definition.name, group);
      // `typer.run(main)` makes a command of a function without decorators.
      else if (decorators.length === 0)
        groups.set(`/${definition.name}`, plain(definition, docstring(file.statements, index), constants));
    }
    decorators = [];
    if (expression.kind === 'call' && dotted(expression.callee) === 'typer.run') {
      const run = groups.get(`/${expression.items[0] === undefined ? '' : lastName(expression.items[0])}`);
      if (run !== undefined) return { ...run.command, commands: [] };
    }
  }
  const named = [...groups].filter(([name]) => !name.startsWith('/'));
  return named.length === 0 ? undefined : tree(named);
}

/** Commands under the groups that they were added to. */
function tree(named: ReadonlyArray<readonly [string, Group]>): FoundCommand {
  const single = named.length === 1 ? named[0]![1] : undefined;
  if (single !== undefined && !single.isGroup) return { ...single.command, commands: [] };
  const root = named.find(
    ([, { isGroup, parent }]) =>
      isGroup && (parent === undefined || !named.some(([name]) => name === parent)),
  );
  const below = (parent: string | undefined, depth: number): FoundCommand[] =>
    depth > 4
      ? []
      : named
          .filter(([name, group]) => name !== root?.[0] && group.word !== undefined && belongs(group, parent))
          .map(([name, { word, command, isGroup }]) => ({
            word: word!,
            ...command,
            commands: isGroup ? below(name, depth + 1) : [],
          }));
  const belongs = ({ parent }: Group, wanted: string | undefined) => {
    const isKnown = parent !== undefined && named.some(([name]) => name === parent);
    return isKnown ? parent === wanted : wanted === root?.[0];
  };
  return { arguments: [], ...root?.[1].command, commands: below(root?.[0], 0) };
}

function commandOf(
  definition: NonNullable<Statement['definition']>,
  decorators: readonly Expression[],
  text: string | undefined,
  constants: Constants,
): Group | undefined {
  const making = decorators.map(madeBy).find((made) => made !== undefined);
  if (making === undefined) return undefined;
  const { owner, kind, call } = making;
  const isTyper = owner !== 'click' && !decorators.some((one) => isOption(one));
  const own = isTyper
    ? definition.parameters.map((parameter) => typerArgument(parameter, constants))
    : decorators.map((decorator) => clickArgument(decorator, constants));
  const given = call === undefined ? undefined : textOf(call.items[0] ?? call.named.get('name'), constants);
  const description = (call === undefined ? undefined : textOf(call.named.get('help'), constants)) ?? text;
  return {
    word: given ?? definition.name.replaceAll('_', '-').toLowerCase(),
    parent: owner === 'click' ? undefined : owner,
    isGroup: kind === 'group' || kind === 'callback',
    command: {
      arguments: own.filter((argument) => argument !== undefined).slice(0, MAX_ARGUMENTS),
      ...(description === undefined ? {} : { description }),
    },
  };
}

function plain(
  definition: NonNullable<Statement['definition']>,
  text: string | undefined,
  constants: Constants,
): Group {
  const own = definition.parameters.map((parameter) => typerArgument(parameter, constants));
  return {
    parent: undefined,
    isGroup: false,
    command: {
      arguments: own.filter((argument) => argument !== undefined).slice(0, MAX_ARGUMENTS),
      ...(text === undefined ? {} : { description: text }),
    },
  };
}

/** `@click.command(…)`, `@cli.command`, `@click.group()`, `@app.callback()`. */
function madeBy(decorator: Expression): { owner: string; kind: string; call?: Call } | undefined {
  const callee = decorator.kind === 'call' ? decorator.callee : decorator;
  if (callee.kind !== 'member' || !['command', 'group', 'callback'].includes(callee.name)) return undefined;
  const owner = dotted(callee.of);
  if (owner === undefined) return undefined;
  return { owner, kind: callee.name, ...(decorator.kind === 'call' ? { call: decorator } : {}) };
}

function isOption(decorator: Expression): boolean {
  const name = decorator.kind === 'call' ? dotted(decorator.callee) : undefined;
  return name === 'click.option' || name === 'click.argument';
}

/** One `@click.option` or `@click.argument`. */
function clickArgument(decorator: Expression, constants: Constants): FoundArgument | undefined {
  if (decorator.kind !== 'call') return undefined;
  const { callee, items, named, line } = decorator;
  const kind = lastName(callee);
  const names = items.map((item) => textOf(item, constants)).filter((name) => name !== undefined);
  const description = textOf(named.get('help'), constants);
  const multiple = literal(named.get('nargs'), constants);
  const isSet = typeof multiple === 'number' && multiple > 1 && multiple <= 16;
  const isRepeated = literal(named.get('multiple'), constants) === true;
  const base = {
    line,
    ...(description === undefined ? {} : { description }),
    ...(isSet ? { values: multiple, ...(isRepeated ? { doubt: GIVEN_ONCE } : {}) } : {}),
    ...(multiple === -1 || (isRepeated && !isSet) ? { values: 'many' as const, repeats: true as const } : {}),
    ...valueSettings(named, constants),
  };
  const required = literal(named.get('required'), constants);
  if (kind === 'argument' && names[0] !== undefined) {
    const isOptional =
      required === false || (multiple === -1 && required !== true) || base.fallback !== undefined;
    return { ...base, spelling: names[0], kind: 'value', required: !isOptional };
  }
  if (kind !== 'option') return undefined;
  const given = names.find((name) => name.startsWith('--')) ?? names.find((name) => name.startsWith('-'));
  if (given === undefined) return undefined;
  const [on = given, off] = given.split('/').map((part) => part.trim());
  const isSwitch =
    off !== undefined ||
    literal(named.get('is_flag'), constants) === true ||
    literal(named.get('count'), constants) === true;
  if (!isSwitch) {
    const isAsked = literal(named.get('prompt'), constants) !== undefined;
    return { ...base, spelling: on, flag: on, kind: 'value', required: required === true || isAsked };
  }
  const flag = off !== undefined && literal(named.get('default'), constants) === true ? off : on;
  const { fallback: _, ...rest } = base;
  return { ...rest, spelling: flag, flag, kind: 'switch', type: 'string', required: false };
}

function valueSettings(
  named: ReadonlyMap<string, Expression>,
  constants: Constants,
): Pick<FoundArgument, 'type' | 'choices' | 'fallback'> {
  const type = named.get('type');
  const fallback = literal(named.get('default'), constants);
  const isChoice = type?.kind === 'call' && lastName(type.callee) === 'Choice';
  const choices = isChoice ? choicesOf(type.items[0], constants) : undefined;
  return {
    type: typeNamed(type?.kind === 'call' ? lastName(type.callee) : type && lastName(type), fallback),
    ...(choices === undefined ? {} : { choices }),
    ...(fallback === undefined || fallback === null ? {} : { fallback }),
  };
}

/** The text in the line after a definition. */
function docstring(statements: readonly Statement[], index: number): string | undefined {
  const next = statements[index + 1];
  const { expression, targets, isDecorator } = next ?? {};
  const isText = expression?.kind === 'literal' && typeof expression.value === 'string';
  return isText && targets?.length === 0 && !isDecorator ? (expression.value as string) : undefined;
}
