/** What `JSON.parse` calls, with the text of each value (ECMAScript 2026). */
export type SourceReviver = (
  this: unknown,
  key: string,
  value: unknown,
  context?: { source?: string },
) => unknown;

/** Many digits, or an exponent that may be beyond what a double holds. */
export const MAY_BE_LOST = /\d{16}|\d[eE]\+?\d{3}/;

/** Whether a whole number of JSON is another one when it is read as a double and written again; one too large is null. */
export function isRounded(value: number, digits: string): boolean {
  if (Math.abs(value) === Infinity) return true;
  return !Number.isSafeInteger(value) && /^-?\d+$/.test(digits) && String(value) !== digits;
}

/** The first whole number of a JSON text that a double cannot hold. Throws for what is no JSON, or nested too deeply. */
export function roundedNumber(text: string): string | undefined {
  if (!MAY_BE_LOST.test(text)) return undefined;
  let found: string | undefined;
  const look: SourceReviver = (_key, value, context) => {
    const digits = context?.source;
    if (typeof value === 'number' && digits !== undefined && isRounded(value, digits)) found ??= digits;
    return value;
  };
  JSON.parse(text, look as (key: string, value: unknown) => unknown);
  return found;
}

/** What is wrong with it, for whoever sent it. */
export function roundedWords(digits: string): string {
  return `The whole number ${digits.slice(0, 40)} would lose digits: JSON numbers are exact to ${Number.MAX_SAFE_INTEGER}.`;
}
