import { isObject, type JsonObject } from '../operations/index.ts';
import { cleanText } from '../operations/text/clean-text.ts';

/** The object, or an empty one where there is none. */
export function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

/** Text that somebody else wrote as one clean line; undefined where there is none. */
export function lineOf(value: unknown, maxLength: number): string | undefined {
  if (typeof value !== 'string') return undefined;
  const line = cleanText(value, { maxLength }).text.replace(/\s+/g, ' ').trim();
  return line === '' ? undefined : line;
}
