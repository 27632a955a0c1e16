import type { Json } from '../operations/index.ts';
import { isRounded, roundedNumber, type SourceReviver } from '../operations/text/rounded-number.ts';

export interface ParsedJson {
  readonly value: Json;
  /** Compact JSON text; differs from the value's own only where `rounded`. */
  readonly text: string;
  /** A whole number of the answer does not fit a double: `value` holds it rounded, `text` exactly. */
  readonly rounded: boolean;
}

/** Undefined for what is no JSON (RFC 8259). */
export function parseJson(source: string): ParsedJson | undefined {
  try {
    const value: Json = JSON.parse(source);
    const rounded = roundedNumber(source) !== undefined;
    return { value, text: rounded ? exactText(source) : JSON.stringify(value), rounded };
  } catch {
    return undefined;
  }
}

const rawJson = (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON;

/** Identifiers of 64 bits survive in the text. */
function exactText(source: string): string {
  const keepDigits: SourceReviver = (_key, value, context) => {
    const digits = context?.source;
    return typeof value === 'number' && digits !== undefined && isRounded(value, digits)
      ? rawJson(digits)
      : value;
  };
  return JSON.stringify(JSON.parse(source, keepDigits as (key: string, value: unknown) => unknown));
}
