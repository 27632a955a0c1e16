import { isObject, type Json, type JsonObject } from '../../operations/index.ts';
import { decodeText } from '../decode-text.ts';
import { cleanJson } from '../untrusted/clean-json.ts';
import { exactJson } from './exact-json.ts';

/** Media type of answers that were stored to be queried: cleaned already, and labelled. */
export const STORED_ANSWER_TYPE = 'application/vnd.toolcrib.answer+json';

/** A whole answer as it was delivered, with what must not be lost of it. */
export interface StoredAnswer {
  /** `source/id` of the operation; absent for artifacts that were stored for another reason. */
  readonly operation?: string;
  readonly source?: string;
  readonly structured: Json;
  /** Arguments of the page behind it. */
  readonly next?: JsonObject;
  /** Label of what strangers wrote, as it stands in the result's meta. */
  readonly untrusted?: JsonObject;
  /** Its flat rows may be written as a table. */
  readonly tables?: true;
}

const VERSION = 1;

export function encodeStoredAnswer(answer: StoredAnswer): Uint8Array {
  return Buffer.from(JSON.stringify({ version: VERSION, ...answer }));
}

/** Undefined for what holds neither JSON nor text. What was stored as it came is cleaned, and counts as untrusted. */
export function decodeStoredAnswer({
  mimeType,
  bytes,
}: {
  readonly mimeType: string;
  readonly bytes: Uint8Array;
}): StoredAnswer | undefined {
  const text = decodeText(bytes, mimeType);
  if (isText(mimeType)) return { structured: cleanJson(text), untrusted: { untrusted: true } };
  const value = exactJson(text);
  if (value === undefined) return undefined;
  if (mimeType !== STORED_ANSWER_TYPE) {
    return /^application\/(?:[\w.+-]*\+)?json\b/i.test(mimeType)
      ? { structured: cleanJson(value), untrusted: { untrusted: true } }
      : undefined;
  }
  if (!isObject(value) || value['version'] !== VERSION || !Object.hasOwn(value, 'structured'))
    return undefined;
  const { version: _version, ...answer } = value;
  return answer as unknown as StoredAnswer;
}

export function isText(mimeType: string | undefined): boolean {
  return /^text\//i.test(mimeType ?? '');
}
