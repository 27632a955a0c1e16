import { BrokenOff } from '../broken-off.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { TerminalChoice } from '../terminal/terminal-choice.ts';

/** Who answers the questions of `start`. Breaking off throws `cancelled`. */
export interface Asker {
  /** A person, who can be offered more than what must be answered. */
  readonly person: boolean;
  select(question: string, choices: readonly TerminalChoice[], initial: string): Promise<string>;
  agree(question: string, initial: boolean): Promise<boolean>;
}

/** With `--yes` every question is answered by its default; undefined where nobody can be asked. */
export function askerOf({ yes }: { readonly yes?: boolean }, terminal: Terminal): Asker | undefined {
  if (yes) {
    return {
      person: false,
      select: async (_question, _choices, initial) => initial,
      agree: async (_question, initial) => initial,
    };
  }
  const { interactive, select, agree } = terminal;
  if (!interactive || select === undefined || agree === undefined) return undefined;
  return {
    person: true,
    select: async (...question) => answered(await select(...question)),
    agree: async (...question) => answered(await agree(...question)),
  };
}

function answered<T>(answer: T | undefined): T {
  if (answer !== undefined) return answer;
  throw new BrokenOff(
    'Left as it was: nothing was written.',
    'Start again when you like; `toolcrib start --yes` asks nothing.',
  );
}
