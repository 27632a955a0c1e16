import { isNamedAfter } from '../../components/called-name.ts';

/** What the gateway puts in the place of what it does not tell. */
const HIDDEN = /\[redacted\]|\*\*\*|###/;
const CUT = /… \(\d+ characters\)|^\(\d+ characters of JSON\)$/;

export interface CallCommand {
  readonly text: string;
  /** Arguments are cut or hidden in the story: the command has to be completed. */
  readonly isWhole: boolean;
}

interface Called {
  readonly tool: string;
  readonly source: string;
  readonly operation: string;
}

/**
 * The call as a command line, quoted for POSIX shells. The arguments are the operation's, also where it was called by a
 * tool that leads to several.
 */
export function callCommand(
  { tool, source, operation }: Called,
  input: Readonly<Record<string, unknown>> = {},
): CallCommand {
  const json = JSON.stringify(input);
  const given = json === '{}' ? '' : ` ${quoted(json)}`;
  const called = isNamedAfter(tool, operation) ? tool : `${source}/${operation}`;
  return { text: `npx toolcrib call ${plain(called)}${given}`, isWhole: isWhole(input) };
}

function isWhole(value: unknown): boolean {
  if (typeof value === 'string') return value !== '…' && !HIDDEN.test(value) && !CUT.test(value);
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([name, member]) => name !== '…' && isWhole(member));
}

function plain(word: string): string {
  return /^[\w./:-]+$/.test(word) ? word : quoted(word);
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
