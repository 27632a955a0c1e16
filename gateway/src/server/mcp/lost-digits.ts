import { ProtocolErrorCode } from '@modelcontextprotocol/server';
import { isObject } from '../../operations/index.ts';
import { roundedNumber, roundedWords } from '../../operations/text/rounded-number.ts';

/** A JSON-RPC error; without an id for calls in a batch. */
interface Refusal {
  readonly jsonrpc: '2.0';
  readonly id: string | number | null;
  readonly error: { readonly code: number; readonly message: string };
}

/**
 * The answer to a call of which a whole number lost digits while it was read: 9007199254740993 would go out as another
 * record's id. Undefined for every other message, and where nothing was lost.
 * @param text the JSON of the message, or of a batch
 */
export function lostDigits(text: string, body: unknown): Refusal | undefined {
  const problem = problemOf(text);
  if (problem === undefined) return undefined;
  const call = [body].flat().find(isCall);
  if (call === undefined) return undefined;
  return {
    jsonrpc: '2.0',
    id: Array.isArray(body) ? null : call.id,
    error: { code: ProtocolErrorCode.InvalidParams, message: `arguments_invalid: ${problem}` },
  };
}

/** Nearly every text has no number that is long enough: that is all that is looked for then. */
function problemOf(text: string): string | undefined {
  try {
    const digits = roundedNumber(text);
    return digits && `${roundedWords(digits)} Send it as text if the tool takes text there.`;
  } catch {
    return 'The arguments are nested too deeply for their numbers to be read exactly.';
  }
}

function isCall(message: unknown): message is { readonly id: string | number } {
  if (!isObject(message) || message['method'] !== 'tools/call') return false;
  return typeof message['id'] === 'string' || Number.isSafeInteger(message['id']);
}
