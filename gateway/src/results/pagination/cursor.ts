import { ToolcribError } from '../../errors.ts';
import { isObject, type JsonObject } from '../../operations/index.ts';

const VERSION = 1;
const MAX_LENGTH = 8192;

/** An opaque token: base64url of JSON. It grants nothing: what it says is checked as arguments are. */
export function encodeCursor(content: JsonObject): string {
  return Buffer.from(JSON.stringify({ v: VERSION, ...content })).toString('base64url');
}

/** Throws `cursor_invalid` for what was never one of ours. */
export function decodeCursor(text: string): JsonObject {
  if (text.length <= MAX_LENGTH && /^[\w-]+$/.test(text)) {
    try {
      const content: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
      if (isObject(content) && content['v'] === VERSION) return content;
    } catch {
      // refused below
    }
  }
  throw invalidCursor('The cursor is none that was given out here.');
}

export function invalidCursor(problem: string): ToolcribError {
  return new ToolcribError('cursor_invalid', problem, {
    pointer: '/_cursor',
    next: 'Send next_cursor exactly as it came, with the other arguments of that call; or start again without it.',
  });
}
