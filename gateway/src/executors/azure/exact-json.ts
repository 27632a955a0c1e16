import type { Json } from '../../operations/index.ts';

type Reviver = (this: unknown, key: string, value: unknown, context?: { source?: string }) => unknown;
const rawJson = (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON;
const LONG_NUMBER = /\d{16}/;

/**
 * JSON whose whole numbers keep their digits when it is written again (`JSON.stringify`), however long they are; such a
 * number is no `number` meanwhile. Undefined for what is no JSON.
 */
export function parseExact(text: string): Json | undefined {
  if (LONG_NUMBER.test(text)) {
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

const keepDigits: Reviver = (_key, value, context) => {
  const digits = context?.source;
  if (typeof value !== 'number' || digits === undefined) return value;
  const exact = Number.isSafeInteger(value) || !/^-?\d+$/.test(digits);
  return exact ? value : rawJson(digits);
};
