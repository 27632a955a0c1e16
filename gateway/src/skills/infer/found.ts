/** A value as it stands in a script. */
export type Plain = string | number | boolean | null;

/** One argument that a script takes, as its text says. */
export interface FoundArgument {
  /** In the script's own spelling: `--dry-run`, or the name of a positional one. */
  readonly spelling: string;
  /** How it is written on the command line; absent: by its position. */
  readonly flag?: string;
  /** `value` is followed by one; `switch` stands alone. */
  readonly kind: 'value' | 'switch';
  readonly type: 'string' | 'integer' | 'number';
  readonly required: boolean;
  /** How many values it takes; `many`: any number. Default: 1. */
  readonly values?: number | 'many';
  /** Its flag stands before each of many values. Without this it stands once, and takes whatever follows it. */
  readonly repeats?: true;
  /** Takes all that follows the first of its values, flags too. */
  readonly takesRest?: true;
  /** `--flag=value` is understood, and is needed, as a value that looks like a flag would be taken for one. */
  readonly joined?: true;
  readonly choices?: readonly (string | number)[];
  /** What the script takes where nothing is given. */
  readonly fallback?: Plain;
  readonly description?: string;
  /** Where it was read; 0: in the output of `--help`. */
  readonly line: number;
  /** What a person should look at. */
  readonly doubt?: string;
}

/** A command and its subcommands. One without subcommands is what a tool calls. */
export interface FoundCommand {
  /** Absent for the script itself. */
  readonly word?: string;
  readonly description?: string;
  readonly arguments: readonly FoundArgument[];
  readonly commands: readonly FoundCommand[];
  /**
   * The arguments stay in the order in which they stand here. `counted`: the script finds one by its place, so that none
   * may stand behind a place that is left out.
   */
  readonly order?: 'kept' | 'counted';
}

/** What a script says about how it is called. */
export interface FoundScript {
  /** What it reads its arguments with: `argparse`, `getopts`, … */
  readonly how: string;
  readonly command: FoundCommand;
  readonly description?: string;
  /** Its members, where it reads an object in JSON from its standard input. */
  readonly stdin?: { readonly line: number; readonly members: readonly StdinMember[] };
  /** Where it reads text from its standard input; `required`: nothing else says what it works on. */
  readonly text?: { readonly line: number; readonly required: boolean };
  /** Environment variables that it asks for. */
  readonly environment: readonly string[];
  /** Why it seems to use the network, e.g. `imports requests`. */
  readonly network?: { readonly line: number; readonly why: string };
  /** What could not be understood. */
  readonly doubts: readonly string[];
}

export interface StdinMember {
  readonly name: string;
  readonly required: boolean;
  readonly fallback?: Plain;
}

/** A file that is not called by anybody, and why it seems so. */
export interface NoEntryPoint {
  readonly reason: string;
}

export type ScriptReading = FoundScript | NoEntryPoint;

export function isEntryPoint(reading: ScriptReading): reading is FoundScript {
  return 'command' in reading;
}

/** How a flag is spelled: `-o`, `--output`. */
export const FLAG = /^--?[A-Za-z][\w-]*$/;
/** Characters of a script that are read. */
export const MAX_SCRIPT = 256 * 1024;
/** Arguments of one command, and commands of one script: more are left out. */
export const MAX_ARGUMENTS = 64;
export const MAX_COMMANDS = 40;
/** How deep expressions and commands may lie in each other. */
export const MAX_DEPTH = 40;
/** The doubt about an argument that a script is known to take, and no more. */
export const USE_UNREAD = 'its use could not be read';
/** The doubt about what may be given several times, each time with several values: that no item can say. */
export const GIVEN_ONCE = 'may be given several times, of which the tool gives one';
