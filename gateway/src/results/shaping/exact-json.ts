import type { Json } from '../../operations/index.ts';
import { MAY_BE_LOST, type SourceReviver } from '../../operations/text/rounded-number.ts';

/**
 * JSON whose rows can be written anew: whole numbers beyond 2^53, and what no double reaches, are their digits as text.
 * Undefined for what is no JSON, or nested too deeply to be written.
 */
export function exactJson(text: string): Json | undefined {
  try {
    const reviver = MAY_BE_LOST.test(text) ? (keepDigits as Parameters<typeof JSON.parse>[1]) : undefined;
    const value: Json = JSON.parse(text, reviver);
    JSON.stringify(value);
    return value;
  } catch {
    return undefined;
  }
}

const keepDigits: SourceReviver = (_key, value, context) => {
  const digits = context?.source;
  const isRounded = typeof value === 'number' && !Number.isSafeInteger(value);
  const isLost = /^-?\d+$/.test(digits ?? '') || value === Infinity || value === -Infinity;
  return isRounded && isLost ? digits : value;
};
