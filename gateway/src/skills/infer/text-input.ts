import type { FoundArgument } from './found.ts';

/** Names of arguments by which a script is told to work on something else than its standard input. */
const INPUT = /file|path|input|source|folder|dir|url|^-+[if]$/i;

/** True where no argument says what a script that reads its standard input works on. */
export function isTextNeeded(found: readonly FoundArgument[]): boolean {
  return found.every(
    ({ flag, kind, spelling }) => flag !== undefined && (kind === 'switch' || !INPUT.test(spelling)),
  );
}
