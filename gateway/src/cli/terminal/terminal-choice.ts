/** One of several that a person chooses from. */
export interface TerminalChoice {
  readonly value: string;
  readonly label: string;
  readonly hint?: string;
}
