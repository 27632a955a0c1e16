import type { Json } from '../../operations/index.ts';
import { losesDigits, MAY_BE_LOST, type SourceReviver } from '../../operations/text/rounded-number.ts';

const rawJson = (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON;

/**
 * JSON whose numbers keep their digits when it is written again (`JSON.stringify`), however long they are; such a
 * number is no `number` meanwhile. Undefined for what is no JSON.
 */
export function parseExact(text: string): Json | undefined {
  if (MAY_BE_LOST.test(text)) {
    try {
      return JSON.parse(text, keepDigits as (key: string, value: unknown) => unknown) as Json;
    } catch {
      // nested deeper than a reviver reaches, or no JSON: what it says counts more than its digits
    }
  }
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

const keepDigits: SourceReviver = (_key, value, context) => {
  const digits = context?.source;
  if (typeof value !== 'number' || digits === undefined || Number.isSafeInteger(value)) return value;
  return /^-?\d+$/.test(digits) || losesDigits(value, digits) ? rawJson(digits) : value;
};
