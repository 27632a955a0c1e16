import { isJsonContentType } from '@modelcontextprotocol/server';
import { ToolcribError } from '../../errors.ts';
import { roundedNumber, roundedWords } from '../../operations/text/rounded-number.ts';
import { foreignCoding, readBodyText } from '../body-text.ts';

/**
 * The JSON body of a request; undefined when it is empty. Throws `body_too_large`, `request_invalid`, also for a whole
 * number that would become another one.
 */
export async function readJson(request: Request, maxBytes: number): Promise<unknown> {
  const text = await readBodyText(request, maxBytes);
  if (text === undefined)
    throw new ToolcribError('body_too_large', `The body is larger than ${maxBytes} bytes.`);
  if (text === '') return undefined;
  if (!isJsonContentType(request.headers.get('content-type'))) {
    throw new ToolcribError('request_invalid', 'The body must be sent as application/json.');
  }
  const coding = foreignCoding(request);
  if (coding !== undefined) {
    throw new ToolcribError(
      'request_invalid',
      `The body is sent as ${coding}, which is not read here: send it uncompressed.`,
    );
  }
  const { value, rounded } = parse(text);
  if (rounded !== undefined) throw new ToolcribError('request_invalid', roundedWords(rounded));
  return value;
}

function parse(text: string): { readonly value: unknown; readonly rounded: string | undefined } {
  try {
    return { value: JSON.parse(text), rounded: roundedNumber(text) };
  } catch (error) {
    throw new ToolcribError('request_invalid', `The body is not valid JSON: ${(error as Error).message}`);
  }
}
