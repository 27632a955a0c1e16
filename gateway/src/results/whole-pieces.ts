import { decodeText, decodeUtf8 } from './decode-text.ts';
import { wholeFrames } from './framed-stream.ts';
import { isJsonLinesType, isJsonType, mediaTypeOf } from './media-type.ts';
import { parseJson, parseJsonLines } from './parse-json.ts';

const LF = 0x0a;
const CR = 0x0d;

/**
 * Of an answer that was cut off: the lines, events or records that came whole. Undefined where a part means nothing, as
 * with a document, or where none came. What is a stream by its type may be empty: nothing happened.
 */
export function wholePieces(body: Uint8Array, contentType: string | undefined): Uint8Array | undefined {
  const type = mediaTypeOf(contentType);
  if (type === 'text/event-stream') return body.subarray(0, endOfEvents(body));
  const lines = body.subarray(0, body.lastIndexOf(LF) + 1);
  if (isJsonLinesType(type)) return lines;
  if (isJsonType(type)) return wholeTexts(body, lines, contentType);
  if (type === 'text/plain') return lines.length > 0 ? lines : undefined;
  return wholeFrames(body, type) ?? (type === '' ? readableLines(body, lines) : undefined);
}

/** Of an answer that does not say what it is. */
function readableLines(body: Uint8Array, lines: Uint8Array): Uint8Array | undefined {
  const text = decodeUtf8(lines);
  if (text === undefined || text === '') return undefined;
  return /^\s*[[{]/.test(text) ? wholeTexts(body, lines, undefined) : lines;
}

/** One JSON text whose answer was not closed behind it, or several, one a line. */
function wholeTexts(
  body: Uint8Array,
  lines: Uint8Array,
  contentType: string | undefined,
): Uint8Array | undefined {
  if (body.length === 0) return undefined;
  const isWhole = (bytes: Uint8Array) => {
    const text = decodeText(bytes, contentType);
    return parseJson(text) !== undefined || parseJsonLines(text) !== undefined;
  };
  return [body, lines].find(isWhole);
}

/** Behind the last empty line: it ends an event. */
function endOfEvents(body: Uint8Array): number {
  for (let end = body.lastIndexOf(LF); end > 0; end = body.lastIndexOf(LF, end - 1)) {
    const before = body[end - 1] === CR ? end - 2 : end - 1;
    if (body[before] === LF) return end + 1;
  }
  return 0;
}
