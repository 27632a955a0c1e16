import { type Json, readJson } from '../../operations/index.ts';
import { isOfDigits, MAY_BE_LOST, numberReviver, rawNumber } from '../../operations/text/rounded-number.ts';

/**
 * JSON whose numbers keep their digits when it is written again (`JSON.stringify`), however long they are; such a
 * number is no `number` meanwhile. Undefined for what is no JSON.
 */
export function parseExact(text: string): Json | undefined {
  if (MAY_BE_LOST.test(text)) {
    try {
      return JSON.parse(text, keepDigits) as Json;
    } catch {
      // nested deeper than a reviver reaches, or no JSON: what it says counts more than its digits
    }
  }
  return readJson(text);
}

const keepDigits = numberReviver((value, digits) => (isOfDigits(value, digits) ? rawNumber(digits) : value));
