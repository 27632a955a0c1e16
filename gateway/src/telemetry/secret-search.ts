import type { Range } from './piece-map.ts';
import { bytesOf, escapeReadings, plainReading, type Reading, readingsOf } from './readings.ts';

/** Looks for live secrets in texts. Made once for a set of secrets. */
export interface SecretSearch {
  /** True when there is nothing to look for. */
  readonly empty: boolean;
  /** What replaces a secret; contains none itself. */
  readonly mask: string;
  rangesIn(text: string): Range[];
}

/** From this length on, the tail of a secret is worth hiding too: texts get cut. */
const HALVED_FROM = 16;

const MASKS = ['[redacted]', '***', '###'];

export function createSecretSearch(secrets: Iterable<string>): SecretSearch {
  const known = [...new Set(secrets)].filter((secret) => secret !== '');
  const needles = [...new Set(known.flatMap(needlesOf))];
  const shortest = needles.reduce(
    (least, needle) => Math.min(least, needle.length),
    Number.POSITIVE_INFINITY,
  );
  return {
    empty: needles.length === 0,
    mask: MASKS.find((mask) => !known.some((secret) => mask.includes(secret))) ?? '',
    rangesIn(text) {
      const ranges: Range[] = [];
      if (needles.length === 0) return ranges;
      for (const reading of readingsOf(text, shortest)) collect(reading, needles, ranges);
      return ranges;
    },
  };
}

/** The secret and its tail in bytes, also with escapes undone, as in every reading of a text. */
function needlesOf(secret: string): string[] {
  const forms = [...escapeReadings(plainReading(secret))].map((reading) => reading.text);
  const tail = secret.length >= HALVED_FROM ? [bytesOf(secret.slice(Math.ceil(secret.length / 2)))] : [];
  return [...forms.filter((form, index) => index === 0 || form.length >= 4), ...tail];
}

/** In form data a space is written `+`: a text with `+` is also read with spaces. */
function collect(reading: Reading, needles: readonly string[], ranges: Range[]): void {
  const { text } = reading;
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : undefined;
  for (const needle of needles) {
    collectNeedle(reading, text, needle, ranges);
    if (spaced !== undefined) collectNeedle(reading, spaced, needle.replaceAll('+', ' '), ranges);
  }
}

function collectNeedle(reading: Reading, text: string, needle: string, ranges: Range[]): void {
  for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + 1)) {
    ranges.push(reading.locate(at, at + needle.length));
  }
}

/** The text with every range replaced; ranges may overlap and come in any order. */
export function maskRanges(text: string, ranges: readonly Range[], mask: string): string {
  const sorted = ranges.filter(([start, end]) => end > start).sort((a, b) => a[0] - b[0]);
  let masked = '';
  let done = 0;
  for (let index = 0; index < sorted.length; ) {
    const start = sorted[index]![0];
    let end = sorted[index]![1];
    while (++index < sorted.length && sorted[index]![0] <= end) end = Math.max(end, sorted[index]![1]);
    masked += text.slice(done, start) + mask;
    done = end;
  }
  return masked + text.slice(done);
}
