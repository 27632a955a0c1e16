import { roundedNumber, roundedWords } from '../../operations/text/rounded-number.ts';

/**
 * What is wrong with a message of which a whole number lost digits while it was read: 9007199254740993 would go out as
 * another record's id. Nearly every text has no number that is long enough: that is all that is looked for then.
 */
export function lostDigits(text: string): string | undefined {
  try {
    const digits = roundedNumber(text);
    return digits && `${roundedWords(digits)} Send it as text if the tool takes text there.`;
  } catch {
    return 'The arguments are nested too deeply for their numbers to be read exactly.';
  }
}
