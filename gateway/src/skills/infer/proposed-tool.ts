import type { JsonObject, ScriptArgument } from '../../operations/index.ts';

/** One tool as it is proposed, with what is said beside it. */
export interface ProposedTool {
  readonly name: string;
  readonly description: string;
  readonly entry: string;
  /** How its arguments were found. */
  readonly how: string;
  readonly input: JsonObject;
  /** Absent: the arguments go to standard input as JSON. */
  readonly args?: readonly ScriptArgument[];
  /** Template of the text that goes to its standard input. */
  readonly stdinText?: string;
  /** Where each argument was read, by its name in the schema. */
  readonly places: ReadonlyMap<string, string>;
  /** What a person should look at. */
  readonly doubts: readonly string[];
  readonly environment: readonly string[];
  readonly network?: string;
}
