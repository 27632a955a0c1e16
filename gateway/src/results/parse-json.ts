import type { Json } from '../operations/index.ts';

export interface ParsedJson {
  readonly value: Json;
  /** Compact JSON text; differs from the value's own only where `rounded`. */
  readonly text: string;
  /** A whole number of the answer does not fit a double: `value` holds it rounded, `text` exactly. */
  readonly rounded: boolean;
}

const LONG_NUMBER = /\d{16}/;

/** Undefined for what is no JSON (RFC 8259). */
export function parseJson(source: string): ParsedJson | undefined {
  try {
    const value: Json = JSON.parse(source);
    const exact = LONG_NUMBER.test(source) ? exactText(source) : undefined;
    return { value, text: exact ?? JSON.stringify(value), rounded: exact !== undefined };
  } catch {
    return undefined;
  }
}

type SourceReviver = (this: unknown, key: string, value: unknown, context?: { source?: string }) => unknown;
const rawJson = (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON;

/** Identifiers of 64 bits survive in the text; undefined when every number is exact anyway. */
function exactText(source: string): string | undefined {
  let rounded = false;
  const keepDigits: SourceReviver = (_key, value, context) => {
    const digits = context?.source;
    if (typeof value !== 'number' || digits === undefined || !isRounded(value, digits)) return value;
    rounded = true;
    return rawJson(digits);
  };
  const value = JSON.parse(source, keepDigits as (key: string, value: unknown) => unknown);
  return rounded ? JSON.stringify(value) : undefined;
}

function isRounded(value: number, digits: string): boolean {
  if (Number.isSafeInteger(value) || !/^-?\d+$/.test(digits)) return false;
  return !Number.isFinite(value) || BigInt(value) !== BigInt(digits);
}
