/**
 * Many digits, or an exponent that may be beyond what a double holds. A moment in seconds with six decimals, as lists are
 * full of, has 16 digits and is none of them.
 */
export const MAY_BE_LOST = /\d{16}|\d(?:\.?\d){16}|\d[eE]\+?\d{3}/;
const WHOLE = /^-?\d+$/;

/** Whether a whole number of JSON is another one when it is read as a double and written again; one too large is null. */
export function isRounded(value: number, digits: string): boolean {
  if (Math.abs(value) === Infinity) return true;
  return !Number.isSafeInteger(value) && WHOLE.test(digits) && String(value) !== digits;
}

/** Digits that every double keeps, IEEE 754. */
const KEPT_DIGITS = 15;
/** `toPrecision` gives no more. */
const MOST_DIGITS = 100;

/**
 * Whether a number of JSON is another one when it is read as a double and written again, as amounts of `numeric` are. Not
 * what was written of a double, with however many digits.
 */
export function losesDigits(value: number, digits: string): boolean {
  if (isRounded(value, digits)) return true;
  if (!digits.includes('.')) return false;
  const significant = significantDigits(digits);
  if (significant.length <= KEPT_DIGITS || significant === significantDigits(String(value))) return false;
  if (significant.length > MOST_DIGITS) return true;
  // zeros at the end were left out of what is compared, and so they are here
  return significant !== significantDigits(value.toPrecision(significant.length));
}

function significantDigits(digits: string): string {
  const [mantissa = ''] = digits.split(/e/i, 1);
  const plain = mantissa.replace(/[-.]/g, '').replace(/^0+/, '');
  return mantissa.includes('.') ? plain.replace(/0+$/, '') : plain;
}

/** Whether a number is known by its digits alone: every whole one beyond 2^53, so that identifiers of one list are alike. */
export function isOfDigits(value: number, digits: string): boolean {
  return !Number.isSafeInteger(value) && (WHOLE.test(digits) || losesDigits(value, digits));
}

/** For `JSON.parse`: gives each number with its digits (ECMAScript 2026). */
export function numberReviver(
  revive: (value: number, digits: string) => unknown,
): (key: string, value: unknown) => unknown {
  const reviver = (_key: string, value: unknown, context?: { source?: string }) => {
    const digits = context?.source;
    return typeof value === 'number' && digits !== undefined ? revive(value, digits) : value;
  };
  return reviver as (key: string, value: unknown) => unknown;
}

/** What `JSON.stringify` writes as these digits; no `number` meanwhile. */
export function rawNumber(digits: string): unknown {
  return (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(digits);
}

/**
 * The first number of a JSON text that a double cannot hold, of whole ones unless told otherwise. Throws for what is no
 * JSON, or nested too deeply.
 */
export function roundedNumber(text: string, isLost = isRounded): string | undefined {
  if (!MAY_BE_LOST.test(text)) return undefined;
  let found: string | undefined;
  const look = numberReviver((value, digits) => {
    if (isLost(value, digits)) found ??= digits;
    return value;
  });
  JSON.parse(text, look);
  return found;
}

/** What is wrong with it, for whoever sent it. */
export function roundedWords(digits: string): string {
  return `The whole number ${digits.slice(0, 40)} would lose digits: JSON numbers are exact to ${Number.MAX_SAFE_INTEGER}.`;
}
