import type { Range } from '../telemetry/piece-map.ts';
import { createSecretSearch, maskRanges, type SecretSearch } from '../telemetry/secret-search.ts';
import { type EchoNeedles, echoNeedles, plainForms, SHORTEST_ECHO } from './echo-needles.ts';

/** What to look for in what comes back, for the secrets that went out. */
export interface Lookout {
  readonly needles: EchoNeedles;
  readonly plain: readonly string[];
  readonly search: SecretSearch;
  /** How far from a needle the rest of the secret may stand, in characters. */
  readonly reach: number;
}

/** Undoing encodings takes time: longer texts, in characters, are searched around what was found in them. */
const MAX_SEARCHED = 64 * 1024;
const MAX_ENCODED = 100;
const WITHHELD = `The answer is withheld: it repeats the credential of the request ${MAX_ENCODED} times or more, encoded.`;
/** The longest way to write a byte: `&#x00e9;`. */
const LONGEST_ESCAPE = 8;

export function lookoutFor(secrets: readonly string[]): Lookout {
  return {
    needles: echoNeedles(secrets),
    plain: plainForms(secrets),
    search: createSecretSearch(secrets),
    reach: 64 + LONGEST_ESCAPE * Math.max(...secrets.map((secret) => secret.length)),
  };
}

/**
 * Without the scheme before the token, and without what contains another of them. Of basic authentication also what the
 * pair holds: services decode it.
 */
export function worthHiding(values: readonly string[]): readonly string[] {
  const plain = values.flatMap((value) => [
    value.replace(/^[A-Za-z][\w-]* +(?=\S+$)/, ''),
    ...secretsOfBasic(value),
  ]);
  const long = [...new Set(plain)].filter((value) => value.length >= SHORTEST_ECHO);
  return long.filter((value) => !long.some((other) => other !== value && value.includes(other)));
}

/** A key that stands in the place of the user has no password beside it, or a word such as `x`. */
function secretsOfBasic(value: string): readonly string[] {
  const [, pair] = /^basic +([\w+/=-]+)$/i.exec(value) ?? [];
  if (pair === undefined) return [];
  const [, user = '', password = ''] =
    /^([^:]*):(.*)$/s.exec(Buffer.from(pair, 'base64').toString('utf8')) ?? [];
  if (isPassword(password)) return password === user ? [] : [password];
  return LIKE_A_KEY.test(user) ? [user] : [];
}

/** A shorter word, or one without a digit, stands in answers that are about something else. */
export function isPassword(word: string): boolean {
  return word.length >= 8 && /\d/.test(word);
}

export const LIKE_A_KEY = /^(?=\D*\d)(?=[^A-Za-z]*[A-Za-z])[\w.~+=-]{20,}$/;

export function concealText(text: string, lookout: Lookout): string {
  return lookout.needles.mayHold(text) ? masked(text, lookout) : text;
}

/** The plain forms go quickly, however many there are; what is encoded takes a closer look, which has its limits. */
export function masked(text: string, lookout: Lookout): string {
  const { needles, plain, search } = lookout;
  let clean = text;
  for (const form of plain) clean = clean.replaceAll(form, search.mask);
  if (!needles.mayHold(clean)) return clean;
  for (let round = 0; round < 4; round++) {
    const ranges = encodedRanges(clean, lookout);
    if (ranges === undefined) return WITHHELD;
    if (ranges.length === 0) return clean;
    clean = maskRanges(clean, ranges, search.mask);
  }
  return encodedRanges(clean, lookout)?.length === 0 ? clean : search.mask;
}

/** In a long text only around the needles; undefined where there are too many of them. */
function encodedRanges(text: string, { needles, search, reach }: Lookout): readonly Range[] | undefined {
  if (text.length <= MAX_SEARCHED) return search.rangesIn(text);
  const positions = needles.positions(text, MAX_ENCODED);
  if (positions.length >= MAX_ENCODED) return undefined;
  return positions.flatMap((at) => {
    const start = Math.max(0, at - reach);
    return search
      .rangesIn(text.slice(start, at + reach))
      .map(([first, after]): Range => [first + start, after + start]);
  });
}
