import { isObject, type Json, type ScriptArgument } from '../../operations/index.ts';
import { argumentNames, hasPlainDefault, itemsOf, schemaOf } from './argument-shape.ts';
import type { FoundArgument, FoundCommand, FoundScript } from './found.ts';
import type { ProposedTool } from './proposed-tool.ts';

export type Shape = Pick<ProposedTool, 'input' | 'args' | 'stdinText' | 'places'>;

/**
 * What a command is given. Its flags come before what has none, as every library that reads arguments takes them so,
 * where the command does not keep an order of its own; but for flags that take whatever follows them, which come last.
 *
 * @param doubts gets what a person should look at
 */
export function commandLine(
  path: readonly FoundCommand[],
  text: FoundScript['text'],
  doubts: string[],
): Shape {
  const properties: Record<string, Json> = {};
  const required: string[] = [];
  const dependent: Record<string, string[]> = {};
  const args: ScriptArgument[] = [];
  const places = new Map<string, string>();
  const hasFlags = path.some((command) => command.arguments.some(({ flag }) => flag !== undefined));
  for (const [depth, { word, arguments: found, order }] of path.entries()) {
    if (word !== undefined) args.push(word);
    const positions = found.filter(({ flag }) => flag === undefined);
    const flags = found.filter((one) => one.flag !== undefined && !isGreedy(one));
    const greedy = found.filter(isGreedy);
    /** Optional ones before the next: it cannot be given without them. */
    const before: string[] = [];
    const inOrder =
      order === undefined ? [...flags, ...positions] : found.filter((argument) => !isGreedy(argument));
    const all = [...inOrder, ...greedy];
    for (const [index, argument] of all.entries()) {
      const isFollowed = all.slice(index + 1).some(({ flag }) => flag === undefined || order === 'counted');
      const names = argumentNames(argument, properties);
      if (argument.doubt !== undefined) doubts.push(`${names[0]}: ${argument.doubt}`);
      if (isGreedy(argument) && depth < path.length - 1)
        doubts.push(`${names[0]}: takes what follows it, maybe the subcommand, for one of its values`);
      for (const name of names) {
        properties[name] = schemaOf(argument, hasFlags);
        places.set(
          name,
          argument.line === 0 ? argument.spelling : `${argument.spelling}, line ${argument.line}`,
        );
        if (argument.required) required.push(name);
      }
      // all of its values, or none
      if (!argument.required && names.length > 1)
        for (const name of names) dependent[name] = names.filter((other) => other !== name);
      args.push(...itemsOf(argument, names, isFollowed));
      if (argument.required || (argument.flag !== undefined && order !== 'counted')) continue;
      if (before.length > 0) {
        for (const name of names) dependent[name] = [...(dependent[name] ?? []), ...before];
        // an empty list would leave its place to the next
        for (const name of before) filled(properties, name);
      }
      if (argument.flag === undefined && !hasPlainDefault(argument)) before.push(...names);
    }
  }
  const stdinText = text === undefined ? undefined : standardText(text);
  const input = {
    type: 'object',
    properties,
    ...(required.length === 0 ? {} : { required }),
    ...(Object.keys(dependent).length === 0 ? {} : { dependentRequired: dependent }),
    additionalProperties: false,
  };
  return { input, args, places, ...(stdinText === undefined ? {} : { stdinText }) };

  /** Only of a script without subcommands: else it is not known which of them reads it. */
  function standardText({ line, required: isNeeded }: NonNullable<FoundScript['text']>): string | undefined {
    if (path.length > 1) {
      doubts.push(`reads its standard input in line ${line}: add stdin_text where it needs it`);
      return undefined;
    }
    const spelling = Object.hasOwn(properties, 'text') ? 'input_text' : 'text';
    const [name = spelling] = argumentNames({ spelling }, properties);
    properties[name] = { type: 'string', description: 'What it reads from its standard input.' };
    places.set(name, `standard input, line ${line}`);
    if (isNeeded) required.push(name);
    return isNeeded ? `{{args.${name}}}` : `{{args.${name}|default:}}`;
  }
}

/** It stands once, and many values follow it. */
function isGreedy({ flag, values, repeats }: FoundArgument): boolean {
  return flag !== undefined && values === 'many' && repeats !== true;
}

function filled(properties: Record<string, Json>, name: string): void {
  const schema = properties[name];
  if (isObject(schema) && schema['type'] === 'array') properties[name] = { ...schema, minItems: 1 };
}
