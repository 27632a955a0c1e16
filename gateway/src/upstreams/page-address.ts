import { ToolcribError } from '../errors.ts';
import { type InputRequest, type InputRequiredResult, isObject } from '../operations/index.ts';
import { printable } from '../operations/text/printable.ts';
import type { Asked } from './call-error.ts';

/** MCP (elicitation) wants https, and leaves http to development. */
const OPENED: ReadonlySet<string> = new Set(['http:', 'https:']);

/**
 * Why a server's question must reach nobody; undefined: it may be asked. What it has a person open (elicitation in URL
 * mode) is handed to the system by many clients, and an address of another scheme starts a program there. No client has
 * declared a mode that MCP does not know.
 */
export function refusedPage({ method, params }: InputRequest): string | undefined {
  if (method !== 'elicitation/create' || !isObject(params)) return undefined;
  const { mode, url } = params;
  if ((mode ?? 'form') === 'form') return undefined;
  if (mode !== 'url') return 'It asks a person in a way that MCP does not know.';
  const protocol = typeof url === 'string' ? URL.parse(url)?.protocol : undefined;
  if (protocol === undefined) return 'It asks a person to open what is no address.';
  if (OPENED.has(protocol)) return undefined;
  return `It asks a person to open an address of the scheme "${printable(protocol, 40)}", and only those of http and https are passed on.`;
}

/** The questions of an answer, all of them such that may be asked. Throws `upstream_failed` where a person would be sent to what is no page. */
export function openable(questions: InputRequiredResult, { name, what }: Asked): InputRequiredResult {
  const refused = firstRefusedPage(questions);
  if (refused === undefined) return questions;
  throw new ToolcribError('upstream_failed', `The ${what} of "${name}" was not finished. ${refused}`, {
    next: 'Do not open the address. Whoever runs the server can say what it is for.',
  });
}

/** The same of all that are asked at once. */
function firstRefusedPage({ requests }: InputRequiredResult): string | undefined {
  for (const question of Object.values(requests)) {
    const refused = refusedPage(question);
    if (refused !== undefined) return refused;
  }
  return undefined;
}
