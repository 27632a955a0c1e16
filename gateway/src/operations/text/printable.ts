import { cutText } from './cut-text.ts';

/**
 * Text of others on one line for a person: nothing that moves the cursor, hides characters or turns the direction of
 * writing. Longer than `most` UTF-16 units it is cut and ends in `…`; secrets are taken out before, since half of one
 * would not be found.
 */
export function printable(text: string, most: number = Number.POSITIVE_INFINITY): string {
  const plain = text.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+/gu, ' ');
  return plain.length > most ? `${cutText(plain, most)}…` : plain;
}
