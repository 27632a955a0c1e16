import { isJsonContentType } from '@modelcontextprotocol/server';
import { ToolcribError } from '../../errors.ts';
import { readBodyText } from '../body-text.ts';

/** The JSON body of a request; undefined when it is empty. Throws `body_too_large`, `request_invalid`. */
export async function readJson(request: Request, maxBytes: number): Promise<unknown> {
  const text = await readBodyText(request, maxBytes);
  if (text === undefined)
    throw new ToolcribError('body_too_large', `The body is larger than ${maxBytes} bytes.`);
  if (text === '') return undefined;
  if (!isJsonContentType(request.headers.get('content-type'))) {
    throw new ToolcribError('request_invalid', 'The body must be sent as application/json.');
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ToolcribError('request_invalid', `The body is not valid JSON: ${(error as Error).message}`);
  }
}
