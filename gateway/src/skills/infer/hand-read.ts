import { type FoundArgument, type FoundCommand, MAX_ARGUMENTS } from './found.ts';

/**
 * The command of a script that takes its arguments apart itself. They stay in the order of its usage line: it may look
 * for each in its place.
 *
 * @param usage what the usage line says
 * @param compared flags of a loop over the arguments, in any order
 * @param places what is taken out of a place, with flags that are looked for anywhere
 */
export function handRead(
  usage: readonly FoundArgument[] | undefined,
  compared: readonly FoundArgument[],
  places: () => readonly FoundArgument[],
): FoundCommand {
  if (compared.length === 0) return { arguments: usage ?? places(), commands: [], order: 'counted' };
  // One that begins with a flag it needs is one use out of several.
  const spoken = isOneUse(usage) ? [] : (usage ?? places());
  const flags = new Map(compared.map((argument) => [argument.spelling, argument]));
  const known = spoken.map((argument) => {
    const own = argument.flag === undefined ? undefined : flags.get(argument.spelling);
    if (own === undefined) return argument;
    flags.delete(argument.spelling);
    return own.kind === 'switch' ? own : { ...own, ...argument, type: own.type };
  });
  return {
    arguments: [...known, ...flags.values()].slice(0, MAX_ARGUMENTS),
    commands: [],
    order: 'kept',
  };
}

function isOneUse(usage: readonly FoundArgument[] | undefined): boolean {
  const [first] = usage ?? [];
  return first?.flag !== undefined && (first.required || first.kind === 'switch');
}
