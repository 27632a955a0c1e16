/** What is said of a whole number whose digits would be lost on the way. */
export const INEXACT =
  'Too large to be sent exactly: whole numbers are exact to ±9007199254740991 (2⁵³ − 1).';

/** Whether a decimal text means the number that JSON would carry; fractions are as near as a double is. */
export function isExact(text: string): boolean {
  if (!/^[+-]?\d+$/.test(text)) return true;
  const value = Number(text);
  return (
    Number.isSafeInteger(value) || String(value) === text.replace(/^\+/, '').replace(/^(-?)0+(?=\d)/, '$1')
  );
}
