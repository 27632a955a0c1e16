import type { Json } from '../operations/index.ts';
import { isShallowText } from '../operations/json/is-shallow.ts';
import { losesDigits, numberReviver, rawNumber, roundedNumber } from '../operations/text/rounded-number.ts';

export interface ParsedJson {
  readonly value: Json;
  /** Compact JSON text; differs from the value's own only where `rounded`. */
  readonly text: string;
  /** A number of the answer does not fit a double: `value` holds it rounded, `text` exactly. */
  readonly rounded: boolean;
}

/** Undefined for what is no JSON (RFC 8259), or nested too deeply to be worked with. */
export function parseJson(source: string): ParsedJson | undefined {
  try {
    const value: Json = JSON.parse(source);
    if (!isShallowText(source, value)) return undefined;
    const rounded = roundedNumber(source, losesDigits) !== undefined;
    return { value, text: rounded ? exactText(source) : JSON.stringify(value), rounded };
  } catch {
    return undefined;
  }
}

/**
 * Several objects or lists, one a line, as one list: streams of Docker, Elasticsearch or Ollama come so under
 * `application/json`. Undefined for anything else.
 */
export function parseJsonLines(source: string): ParsedJson | undefined {
  const parsed: ParsedJson[] = [];
  for (const line of source.split('\n')) {
    if (line.trim() === '') continue;
    const one = /^\s*[{[]/.test(line) ? parseJson(line) : undefined;
    if (one === undefined) return undefined;
    parsed.push(one);
  }
  return parsed.length < 2 ? undefined : listOf(parsed);
}

const RECORD_SEPARATOR = '\u001e';

/**
 * Records as one list: one a line, or of a JSON text sequence (RFC 7464), whose texts may have several. Undefined where
 * one of them is no JSON.
 */
export function parseRecords(source: string): ParsedJson | undefined {
  const parsed: ParsedJson[] = [];
  for (const record of source.split(source.includes(RECORD_SEPARATOR) ? RECORD_SEPARATOR : '\n')) {
    if (record.trim() === '') continue;
    const one = parseJson(record);
    if (one === undefined) return undefined;
    parsed.push(one);
  }
  return listOf(parsed);
}

function listOf(parsed: readonly ParsedJson[]): ParsedJson {
  return {
    value: parsed.map(({ value }) => value),
    text: `[${parsed.map(({ text }) => text).join(',')}]`,
    rounded: parsed.some(({ rounded }) => rounded),
  };
}

/** Identifiers of 64 bits, and amounts with many digits, survive in the text. */
function exactText(source: string): string {
  const keepDigits = numberReviver((value, digits) =>
    losesDigits(value, digits) ? rawNumber(digits) : value,
  );
  return JSON.stringify(JSON.parse(source, keepDigits));
}
