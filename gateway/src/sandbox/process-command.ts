/** A program as it is started: an argument vector, never a shell's line. */
export interface ProcessCommand {
  readonly command: string;
  readonly args: readonly string[];
  /** The complete environment of the process. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** On Windows: the arguments stand in the command line as they are. */
  readonly verbatim?: boolean;
}
