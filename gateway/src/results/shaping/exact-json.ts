import type { Json } from '../../operations/index.ts';
import { isShallowText } from '../../operations/json/is-shallow.ts';
import { isOfDigits, MAY_BE_LOST, numberReviver } from '../../operations/text/rounded-number.ts';

/**
 * JSON whose rows can be written anew: whole numbers beyond 2^53, and what no double holds, are their digits as text.
 * Undefined for what is no JSON, or nested too deeply to be worked with.
 */
export function exactJson(text: string): Json | undefined {
  try {
    const reviver = MAY_BE_LOST.test(text) ? keepDigits : undefined;
    const value: Json = JSON.parse(text, reviver);
    return isShallowText(text, value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const keepDigits = numberReviver((value, digits) => (isOfDigits(value, digits) ? digits : value));
