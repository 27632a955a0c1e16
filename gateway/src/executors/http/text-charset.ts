import { TextDecoder } from 'node:util';
import { remember } from '../../operations/work/remember.ts';
import { encodingOfXml, isUtf8 } from '../../results/decode-text.ts';
import { isXmlType, mediaTypeOf, mediaTypeParameter } from '../../results/media-type.ts';
import type { Refuse } from './base64-input.ts';

export interface WrittenText {
  readonly contentType: string;
  readonly data: string | Uint8Array;
}

/**
 * A text in the charset that its media type names, or that XML names itself (RFC 7303 §3): a service reads it by that.
 * One that cannot be written here goes in UTF-8 and says so. Refuses characters that the charset does not have.
 */
export function textInCharset(text: string, contentType: string, refuse: Refuse): WrittenText {
  const stated = mediaTypeParameter(contentType, 'charset');
  const isXml = isXmlType(mediaTypeOf(contentType));
  const charset = stated ?? (isXml ? encodingOfXml(text) : undefined);
  if (charset === undefined) return { contentType: withUtf8(contentType, text, isXml), data: text };
  const write = writerOf(charset.toLowerCase());
  if (write === undefined || (IS_ASCII.test(text) && !/^utf-16/i.test(charset)))
    return { contentType, data: text };
  if (write === 'unknown') return { contentType: saysUtf8(contentType), data: text };
  const written = write(text);
  if (typeof written !== 'string') return { contentType, data: written };
  throw refuse(`holds ${JSON.stringify(written)}, which the charset of the body, ${charset}, does not have`);
}

/** JSON is UTF-8, whatever its type says (RFC 8259 §8.1, §11); a service that heeds a charset reads ASCII in any. */
export function jsonInCharset(value: unknown, contentType: string): string {
  const text = JSON.stringify(value);
  const charset = contentType.includes(';') ? mediaTypeParameter(contentType, 'charset') : undefined;
  return charset === undefined || isUtf8(charset) ? text : asciiJson(text);
}

/** JSON can say any character in ASCII (RFC 8259 §7). */
export function asciiJson(text: string): string {
  return text.replace(/[^\x00-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

const IS_ASCII = /^[\x00-\x7f]*$/;
const CHARSET = /(;\s*charset\s*=\s*)(?:"(?:[^"\\]|\\.)*"|[^\s;]*)/i;

/** Without the parameter plain text is ASCII (RFC 2046 §4.1.2). */
function withUtf8(contentType: string, text: string, isXml: boolean): string {
  const isPlain = mediaTypeOf(contentType).startsWith('text/') && !isXml;
  return isPlain && !IS_ASCII.test(text) ? `${contentType}; charset=utf-8` : contentType;
}

function saysUtf8(contentType: string): string {
  return CHARSET.test(contentType)
    ? contentType.replace(CHARSET, (_, name: string) => `${name}utf-8`)
    : `${contentType}; charset=utf-8`;
}

/** The bytes, or the first character that there are none for. */
type Write = (text: string) => Uint8Array | string;

/** Undefined: UTF-8. */
const writerOf = remember(100, (charset: string): Write | 'unknown' | undefined => {
  if (isUtf8(charset)) return undefined;
  if (/^utf-16(?:le|be)?$/.test(charset)) return (text) => utf16(text, charset);
  const table = /^(?:iso[-_]?8859-?1|latin-?1|l1)$/.test(charset)
    ? below(0x100)
    : /^(?:us-)?ascii$/.test(charset)
      ? below(0x80)
      : tableOf(charset);
  return table === undefined ? 'unknown' : (text) => bytesBy(table, text);
});

function bytesBy(table: ReadonlyMap<string, number>, text: string): Uint8Array | string {
  const bytes: number[] = [];
  for (const character of text) {
    const byte = table.get(character);
    if (byte === undefined) return character;
    bytes.push(byte);
  }
  return Buffer.from(bytes);
}

/** Big-endian with a byte order mark where the name leaves the order open (RFC 2781 §3.3). */
function utf16(text: string, charset: string): Uint8Array {
  if (charset === 'utf-16le') return Buffer.from(text, 'utf16le');
  return Buffer.from(charset === 'utf-16' ? `\ufeff${text}` : text, 'utf16le').swap16();
}

function below(end: number): Map<string, number> {
  return new Map(Array.from({ length: end }, (_, code) => [String.fromCharCode(code), code]));
}

/** Of a charset in which a byte is a character: what its decoder makes of each. */
function tableOf(charset: string): Map<string, number> | undefined {
  const table = new Map<string, number>();
  try {
    const decoder = new TextDecoder(charset);
    for (let byte = 0; byte < 0x100; byte++) {
      const character = decoder.decode(Uint8Array.of(byte));
      if (character !== '\ufffd') table.set(character, byte);
    }
  } catch {
    return undefined;
  }
  return table.size > 0xc0 && table.get('a') === 0x61 ? table : undefined;
}
