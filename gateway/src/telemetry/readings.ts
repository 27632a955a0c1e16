import { isUtf8 } from 'node:buffer';
import { remember } from '../operations/work/remember.ts';
import { PieceMap, type Range } from './piece-map.ts';

/** One way to read a text, as bytes: UTF-8, one character each. */
export interface Reading {
  readonly text: string;
  /** The characters of the original text that the bytes `[first, after)` came from; `after` is above `first`. */
  locate(first: number, after: number): Range;
}

/** How often base64 or hex is undone within what base64 or hex held. */
const MAX_NESTING = 2;
/** How often escapes within escapes are undone: JSON in JSON in a URL. */
const MAX_ESCAPES = 6;

/**
 * Every reading of a text: as it is; with percent, JSON, `\u` and HTML escapes undone until nothing changes;
 * and what base64, base64url (at any offset) and hex runs that can hold `minBytes` say, read the same way.
 */
export function* readingsOf(original: string, minBytes: number): Generator<Reading> {
  yield* nestedReadings(plainReading(original), minBytes, 0);
}

/** As it is and with escapes undone, without looking into base64 and hex. */
export function* escapeReadings(reading: Reading): Generator<Reading> {
  let current: Reading | undefined = reading;
  for (let round = 0; current !== undefined && round <= MAX_ESCAPES; round++) {
    yield current;
    current = undoEscapes(current);
  }
}

function* nestedReadings(reading: Reading, minBytes: number, nesting: number): Generator<Reading> {
  for (const escaped of escapeReadings(reading)) {
    yield escaped;
    if (nesting === MAX_NESTING) continue;
    for (const inner of base64Readings(escaped, minBytes))
      yield* nestedReadings(inner, minBytes, nesting + 1);
    for (const inner of hexReadings(escaped, minBytes)) yield* nestedReadings(inner, minBytes, nesting + 1);
  }
}

/** UTF-8 bytes as one character each. */
export function bytesOf(text: string): string {
  return isAscii(text) ? text : Buffer.from(text, 'utf8').toString('latin1');
}

function isAscii(text: string): boolean {
  return !/[^\0-\x7f]/.test(text);
}

export function plainReading(text: string): Reading {
  const whole: Reading = { text, locate: (first, after) => [first, after] };
  return isAscii(text) ? whole : replaced(whole, /[^\0-\x7f]/gu, ([char]) => bytesOf(char));
}

const ESCAPE =
  /%([0-9a-f]{2})|\\u(d[89ab][0-9a-f]{2})\\u(d[c-f][0-9a-f]{2})|\\u([0-9a-f]{4})|\\u\{([0-9a-f]{1,6})\}|((?:\\x[89a-f][0-9a-f]){2,})|\\x([0-9a-f]{2})|\\(["'\\/bfnrt])|&#(\d{1,7});|&#x([0-9a-f]{1,6});|&(amp|lt|gt|quot|apos|nbsp);/gi;

const CONTROLS: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };
const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
};

/** All kinds of escapes once, together; undefined when there is none. */
function undoEscapes(reading: Reading): Reading | undefined {
  if (!/[%\\&]/.test(reading.text)) return undefined;
  const undone = replaced(reading, ESCAPE, unescaped);
  return undone.text === reading.text ? undefined : undone;
}

function unescaped(match: RegExpExecArray): string {
  const [, percent, high, low, u4, u6, bytes, x2, control, decimal, hex, entity] = match;
  if (percent !== undefined) return String.fromCharCode(Number.parseInt(percent, 16));
  if (control !== undefined) return CONTROLS[control.toLowerCase()] ?? control;
  if (entity !== undefined) return bytesOf(ENTITIES[entity.toLowerCase()]!);
  if (high !== undefined && low !== undefined)
    return bytesOf(String.fromCharCode(Number.parseInt(high, 16), Number.parseInt(low, 16)));
  if (bytes !== undefined) return byteRun(bytes);
  const digits = u4 ?? u6 ?? x2 ?? hex;
  const code = digits === undefined ? Number(decimal) : Number.parseInt(digits, 16);
  return bytesOf(code > 0x10ffff ? '\ufffd' : String.fromCodePoint(code));
}

/** `\xc3\xa4`: bytes of UTF-8 as C, Python and Apache write them, else characters as JavaScript does. */
function byteRun(run: string): string {
  const bytes = Buffer.from(run.replace(/\\x/gi, ''), 'hex');
  const characters = bytes.toString('latin1');
  return isUtf8(bytes) ? characters : bytesOf(characters);
}

/** The reading with every match of a global pattern replaced. */
function replaced(from: Reading, pattern: RegExp, bytes: (match: RegExpExecArray) => string): Reading {
  const pieces = new PieceMap();
  let text = '';
  let copied = 0;
  for (const match of from.text.matchAll(pattern)) {
    text += from.text.slice(copied, match.index);
    copied = match.index + match[0].length;
    const piece = bytes(match);
    pieces.add([text.length, text.length + piece.length], [match.index, copied]);
    text += piece;
  }
  text += from.text.slice(copied);
  return { text, locate: (first, after) => from.locate(...pieces.locate(first, after)) };
}

/** By the least number of digits: most texts are short and many. */
const base64Runs = remember(
  100,
  (digits: number) => new RegExp(`[\\w+/-](?:[\\w+/-]|\\r?\\n(?=[\\w+/-]{4})){${digits - 1},}`, 'g'),
);
const hexRuns = remember(100, (digits: number) => new RegExp(`[0-9a-f]{${digits},}`, 'gi'));

const BASE64_DIGIT = /[A-Za-z0-9+/_-]/;

/** Runs of base64 or base64url digits, line breaks within them allowed, decoded from each of four offsets. */
function* base64Readings(from: Reading, minBytes: number): Generator<Reading> {
  const digits = Math.max(8, Math.floor((minBytes * 8) / 6));
  if (from.text.length < digits) return;
  for (const { 0: run, index: runStart } of from.text.matchAll(base64Runs(digits))) {
    const wrapped = run.includes('\n');
    const positions = wrapped ? digitPositions(run) : undefined;
    const unbroken = wrapped ? run.replace(/[\r\n]+/g, '') : run;
    const at = (digit: number) => runStart + (positions?.[digit] ?? digit);
    for (let offset = 0; offset < 4; offset++) {
      yield {
        text: Buffer.from(unbroken.slice(offset), 'base64').toString('latin1'),
        locate: (first, after) => {
          const lastDigit = Math.min(offset + Math.floor((after * 8 - 1) / 6), unbroken.length - 1);
          return from.locate(at(offset + Math.floor((first * 8) / 6)), at(lastDigit) + 1);
        },
      };
    }
  }
}

function digitPositions(run: string): number[] {
  const positions: number[] = [];
  for (let index = 0; index < run.length; index++) if (BASE64_DIGIT.test(run[index]!)) positions.push(index);
  return positions;
}

function* hexReadings(from: Reading, minBytes: number): Generator<Reading> {
  const digits = Math.max(8, minBytes * 2);
  if (from.text.length < digits) return;
  for (const { 0: run, index: runStart } of from.text.matchAll(hexRuns(digits))) {
    for (let offset = 0; offset < 2; offset++) {
      const start = runStart + offset;
      yield {
        text: Buffer.from(run.slice(offset), 'hex').toString('latin1'),
        locate: (first, after) => from.locate(start + first * 2, start + after * 2),
      };
    }
  }
}
