import { TextDecoder } from 'node:util';
import type { Access } from '../operations/index.ts';
import { isJsonType, isXmlType, mediaTypeOf, mediaTypeParameter } from './media-type.ts';

/** More than this is no line break that somebody's printing left behind. */
const MAX_BLANK = 16;

/** Nothing at all, or white space after a write, as Podman sends a line break: of what is read that may be the whole. */
export function isBlank(bytes: Uint8Array, access: Access): boolean {
  if (bytes.length === 0) return true;
  return (
    access !== 'read' &&
    bytes.length <= MAX_BLANK &&
    /^[\t\n\r ]*$/.test(Buffer.from(bytes).toString('latin1'))
  );
}

/**
 * Bytes as text: byte order mark, then charset parameter, then an XML declaration, then UTF-8. JSON that is UTF-8 is read
 * so whatever its type says (RFC 8259 §8.1, §11): Spring writes that under any charset. Never throws.
 */
export function decodeText(bytes: Uint8Array, contentType = ''): string {
  return decoder(charsetOf(bytes, contentType)).decode(bytes);
}

/** The charset by which some of the bytes mean nothing, so that their text has U+FFFD instead; undefined where all do. */
export function unreadableAs(
  bytes: Uint8Array,
  contentType: string | undefined,
  text: string,
): string | undefined {
  if (!text.includes('\ufffd')) return undefined;
  const { encoding } = decoder(charsetOf(bytes, contentType));
  try {
    new TextDecoder(encoding, { fatal: true }).decode(bytes);
    return undefined;
  } catch {
    return encoding;
  }
}

/**
 * A text as it is kept: in UTF-8, which stored texts are read as. As it came where it is that, where some of it means
 * nothing, and where an XML declaration speaks of the bytes.
 */
export function keptText(bytes: Uint8Array, contentType: string | undefined): Uint8Array {
  if (decoder(charsetOf(bytes, contentType)).encoding === 'utf-8') return bytes;
  const text = decodeText(bytes, contentType);
  const stays = XML_DECLARATION.test(text) || unreadableAs(bytes, contentType, text) !== undefined;
  return stays ? bytes : Buffer.from(text);
}

function charsetOf(bytes: Uint8Array, contentType = ''): string | undefined {
  const marked = markedCharset(bytes);
  if (marked !== undefined) return marked;
  const stated = mediaTypeParameter(contentType, 'charset');
  if (stated === undefined) return declaredInXml(bytes, contentType);
  const isJson = isJsonType(mediaTypeOf(contentType)) && !isUtf8(stated);
  return isJson && isJsonText(decodeUtf8(bytes)) ? undefined : stated;
}

/** Without the control characters that JSON has not, and other charsets switch by. */
function isJsonText(text: string | undefined): boolean {
  return text !== undefined && !/[\u0001-\u0008\u000b\u000c\u000e-\u001f]/.test(text);
}

/** By the name of a charset. */
export function isUtf8(charset: string): boolean {
  return /^utf-?8$/i.test(charset);
}

/** Text when the bytes are UTF-8 without NUL; undefined for anything else. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Text when the bytes are UTF-8 that people write: without control characters, beside those of a terminal's colours. */
export function decodePlain(bytes: Uint8Array): string | undefined {
  const text = decodeUtf8(bytes);
  return text === undefined || /[\u0001-\u0008\u000e-\u001a\u001c-\u001f\u007f]/.test(text)
    ? undefined
    : text;
}

function markedCharset(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 'utf-8' : undefined;
}

/** `<?xml version="1.0" encoding="ISO-8859-1"?>` (RFC 7303 §3). */
function declaredInXml(bytes: Uint8Array, contentType: string): string | undefined {
  if (!isXmlType(mediaTypeOf(contentType))) return undefined;
  const head = Buffer.from(bytes.subarray(0, 200)).toString('latin1');
  return encodingOfXml(head);
}

/** What its declaration says, if anything. */
export function encodingOfXml(text: string): string | undefined {
  return XML_DECLARATION.exec(text)?.[1];
}

const XML_DECLARATION = /^\s*<\?xml[^>]*?\sencoding\s*=\s*["']([A-Za-z0-9._-]+)["']/;

/** Most answers are that; making a decoder takes longer than using it. */
const UTF_8 = new TextDecoder('utf-8');

function decoder(label: string | undefined): TextDecoder {
  if (label === undefined || isUtf8(label)) return UTF_8;
  try {
    return new TextDecoder(label);
  } catch {
    return UTF_8;
  }
}
