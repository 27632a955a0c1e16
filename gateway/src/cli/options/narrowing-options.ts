import { type Command, InvalidArgumentError, Option } from 'commander';
import { ToolcribError } from '../../errors.ts';
import { NARROWEST, type Narrowing } from '../../operations/narrowed-principal.ts';
import { unknownSource } from '../../operations/unknown-source.ts';

/** What one client is to have no more of. */
export interface NarrowingOptions {
  readonly source?: readonly string[];
  readonly maxAccess?: Narrowing['maxAccess'];
}

/** Adds them to a command that makes or serves a client's entry. */
export function withNarrowingOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--source <name>', 'for this client only tools of this source (repeatable)').argParser(
        gathered,
      ),
    )
    .addOption(
      new Option('--max-access <access>', 'the most that this client may do: read, write or delete').choices(
        NARROWEST,
      ),
    );
}

export function narrowingOf({ source: sources, maxAccess }: NarrowingOptions): Narrowing {
  return { ...(sources && { sources }), ...(maxAccess && { maxAccess }) };
}

/** Throws `source_unknown`: a client that is to have one source alone would have none. */
export function checkNarrowing({ source = [] }: NarrowingOptions, known: readonly string[]): void {
  const missing = source.find((name) => !known.includes(name));
  if (missing !== undefined) throw unknownSource(missing, { known });
}

/** The words that say the same to another command. */
export function narrowingWords({ source = [], maxAccess }: NarrowingOptions): string[] {
  return [
    ...source.flatMap((name) => ['--source', name]),
    ...(maxAccess === undefined ? [] : ['--max-access', maxAccess]),
  ];
}

/** The address of a gateway that is asked for no more. Throws `usage` where the address says something else itself. */
export function narrowedAddress(address: string, { source, maxAccess }: NarrowingOptions): string {
  const url = URL.parse(address);
  if (url === null || (source === undefined && maxAccess === undefined)) return address;
  const asked: readonly (readonly [string, string | undefined])[] = [
    ['source', source?.join(',')],
    ['maxAccess', maxAccess],
  ];
  for (const [name, value] of asked) {
    if (value === undefined) continue;
    if (url.searchParams.has(name)) {
      throw new ToolcribError('usage', `The address says ${name} already: say it there, or by an option.`);
    }
    url.searchParams.set(name, value);
  }
  return url.href;
}

function gathered(value: string, before: readonly string[] | undefined): string[] {
  const names = value.split(',').map((name) => name.trim());
  if (names.includes('')) throw new InvalidArgumentError('Name a source.');
  return [...(before ?? []), ...names];
}
