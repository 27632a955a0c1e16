import type { Json } from '../../operations/index.ts';

const NUMBER = /^[+-]?(?:\d{1,400}(?:\.\d{0,400})?|\.\d{1,400})(?:e[+-]?\d{1,4})?$/i;
/** ISO 8601 as services write it: a month, a day, or a moment. */
const DATE =
  /^(\d{4}-\d{2}(?:-\d{2})?)(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(Z|[+-]\d{2}(?::?\d{2})?)?)?$/i;

/** Doubles hold such a whole number only nearly: identifiers of 64 bits, which services write as text. */
const LONG = /^[+-]?\d{16,400}$/;
const WHOLE = /^[+-]?\d{1,400}$/;

/** What rows are compared with by order. */
export interface Operand {
  readonly number?: number;
  /** The same exactly, where `number` may not be. */
  readonly whole?: bigint;
  /** Milliseconds since the epoch. */
  readonly time?: number;
}

/** Undefined for what is neither a number nor a date: nothing is greater than a text. */
export function operandOf(value: Json): Operand | undefined {
  const number = numberOf(value);
  if (number !== undefined) {
    const whole = wholeOf(value, LONG);
    return whole === undefined ? { number } : { number, whole };
  }
  const time = timeOf(value);
  return time === undefined ? undefined : { time };
}

/** Negative, 0 or positive; undefined where the value is of another nature than the operand. */
export function compareTo(value: Json, { number, whole, time }: Operand): number | undefined {
  const exact = whole === undefined ? undefined : wholeOf(value, WHOLE);
  if (exact !== undefined) return Number(exact - whole!);
  const own = number === undefined ? timeOf(value) : numberOf(value);
  return own === undefined ? undefined : own - (number ?? time!);
}

/** Numbers and truth values written as text equal what they say; two texts are equal by every character. */
export function isEqual(value: Json, expected: string | number | boolean | null): boolean {
  if (value === expected) return true;
  if (typeof value === typeof expected || value === null || expected === null) return false;
  if (typeof value === 'boolean' || typeof expected === 'boolean') return String(value) === String(expected);
  const number = numberOf(value);
  return number !== undefined && number === numberOf(expected);
}

function numberOf(value: Json): number | undefined {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  return NUMBER.test(text) ? Number(text) : undefined;
}

/** Only of texts: a number has lost its digits already. */
function wholeOf(value: Json, form: RegExp): bigint | undefined {
  const text = typeof value === 'string' ? value.trim() : '';
  return form.test(text) ? BigInt(text.replace('+', '')) : undefined;
}

/** A day begins at midnight UTC, and so does a moment without a zone. */
function timeOf(value: Json): number | undefined {
  if (typeof value !== 'string' || value.length > 40) return undefined;
  const [, day, clock, zone = 'Z'] = DATE.exec(value.trim()) ?? [];
  if (day === undefined) return undefined;
  const time = Date.parse(clock === undefined ? day : `${day}T${clock}${normalZone(zone)}`);
  return Number.isNaN(time) ? undefined : time + belowMilliseconds(clock ?? '');
}

/** What `Date` drops: services count in microseconds. */
function belowMilliseconds(clock: string): number {
  const [, digits = '0'] = /\.\d{3}(\d+)$/.exec(clock) ?? [];
  return Number(`0.${digits}`);
}

/** `+0200` and `+02` as `+02:00`. */
function normalZone(zone: string): string {
  if (/^z$/i.test(zone)) return 'Z';
  const digits = zone.slice(1).replace(':', '').padEnd(4, '0');
  return `${zone[0]}${digits.slice(0, 2)}:${digits.slice(2)}`;
}
