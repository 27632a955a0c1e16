import { trimEndOf } from '../operations/text/trim-runs.ts';
import type { Range } from './piece-map.ts';
import { escapeReadings, plainReading, type Reading } from './readings.ts';
import { hidesValue, mayHideValue } from './sensitive-names.ts';
import { issuedTokens, TOKEN_MARKS } from './token-forms.ts';

/** Credentials that a text gives away by its form: URLs, headers, parameters, JSON, XML, multipart, keys, JWTs. */
export function credentialRanges(text: string): Range[] {
  const ranges: Range[] = [];
  if (!MAY_HOLD_CREDENTIAL.test(text)) return ranges;
  for (const reading of escapeReadings(plainReading(text))) {
    for (const find of FINDERS) {
      for (const [first, after] of find(reading))
        if (after > first) ranges.push(reading.locate(first, after));
    }
  }
  return ranges;
}

/** Cheap and wide: a text without any of these holds no credential that could be told by its form. */
const MAY_HOLD_CREDENTIAL = new RegExp(
  String.raw`[=@>:]|eyJ|-----BEGIN|bearer |basic |[%\\&](?:3d|40|3e|3a|u00|#|x|quot)|${TOKEN_MARKS}`,
  'i',
);

type Finder = (reading: Reading) => Iterable<Range>;

/** `https://user:password@host`: the user may be a token as well. */
function* urlUserInformation({ text }: Reading): Generator<Range> {
  for (const { 0: all, index, 1: user } of text.matchAll(
    /\b[a-z][a-z0-9+.-]{0,30}:\/\/([^\s/?#"'<>\\]{1,5000})@/gi,
  )) {
    const end = index + all.length - 1;
    yield [end - user!.length, end];
  }
}

/** `Authorization: Bearer …`, in a header dump, an object literal or a sentence. */
function* authorizationHeaders({ text }: Reading): Generator<Range> {
  const header = /authorization["']?\s{0,4}[:=]\s{0,4}["']?/gi;
  let covered = 0;
  for (const match of text.matchAll(header)) {
    if (match.index < covered) continue;
    const start = match.index + match[0].length;
    covered = endOfAuthorization(text, start);
    yield [start, covered];
  }
}

/** Scheme and credentials (RFC 9110 §11.4), or one word where there is no scheme. */
function endOfAuthorization(text: string, start: number): number {
  const parameters = sticky(
    /[a-z][\w-]*\s{1,4}(?:[\w*-]+\s?=\s?(?:"[^"]*"|[^\s,"]+)\s?(?:,\s{0,4}|(?=\s|$)))+/iy,
    text,
    start,
  );
  if (parameters !== undefined && /["=]/.test(text.slice(start, parameters))) {
    const token = sticky(/[a-z][\w-]*\s{1,4}[\w.~+/-]+={0,2}(?=[\s"',;]|$)/iy, text, start);
    return Math.max(parameters, token ?? 0);
  }
  return (
    sticky(/(?:[a-z][a-z0-9]*(?:-[a-z0-9]+)*\s{1,4})?[^\s"'<>,;]+/iy, text, start, hasScheme) ??
    oneWord(text, start)
  );
}

/** A first word of letters only is taken for a scheme; a token has more than letters. */
function hasScheme(matched: string): boolean {
  return !/\s/.test(matched) || /^(?:[a-z]+|aws4-hmac-sha256)\s/i.test(matched);
}

function oneWord(text: string, start: number): number {
  return sticky(/[^\s"'<>,;]+/y, text, start) ?? start;
}

/** `Bearer …` and `Basic …` without the header's name. */
function* bareSchemes({ text }: Reading): Generator<Range> {
  for (const { 0: all, index, 1: scheme, 2: token } of text.matchAll(
    /\b(bearer|basic|token)\s{1,4}([\w.~+/-]{6,}={0,2})/gi,
  )) {
    if (looksLikeToken(scheme!, token!)) yield [index + all.length - token!.length, index + all.length];
  }
}

function looksLikeToken(scheme: string, token: string): boolean {
  if (/^basic$/i.test(scheme)) {
    const pair = Buffer.from(token, 'base64').toString('latin1');
    return pair.includes(':') && /^[ -~]*$/.test(pair);
  }
  return token.length >= 24 || (token.length >= 8 && /\d/.test(token) && /[a-z]/i.test(token));
}

/** `Cookie: a=b; c=d` and `Set-Cookie: a=b; Path=/`. */
function* cookieHeaders({ text }: Reading): Generator<Range> {
  const header =
    /\b(?:set-)?cookie2?["']?\s{0,4}[:=]\s{0,4}["']?([^\s;="']+=[^\s;"']*(?:;\s{0,4}[^\s;="']+(?:=[^\s;"']*)?)*)/gi;
  for (const { 0: all, index, 1: pairs } of text.matchAll(header)) {
    yield [index + all.length - pairs!.length, index + all.length];
  }
}

/** `?api_key=…`, `password=…&`, `"token": "…"`, `X-Api-Key: …`, `password: …` on a line of its own. */
function* namedValues({ text }: Reading): Generator<Range> {
  const named = /(?<![\w.\-\]%])([\w.[\]%+-]{1,120})(["']?)\s{0,4}(=>|[=:])\s{0,4}(["']?)/g;
  let covered = 0;
  for (const match of text.matchAll(named)) {
    if (match.index < covered) continue;
    const [all, name, quoteAfterName, separator, quote] = match;
    if (!mayHideValue(name!) && name !== 'code') continue;
    const start = match.index + all.length;
    const isFreeText = separator === ':' && quoteAfterName === '' && quote === '';
    const isParameter = separator === '=' && /[?&#;]/.test(text[match.index - 1] ?? '');
    const end = endOfValue(text, start, quote!, isFreeText, isParameter && isInUrl(text, match.index));
    const value = text.slice(start, end);
    if (value === '' || /^[[{]/.test(value)) continue;
    const hides =
      hidesValue(name!, value, isParameter ? 'parameter' : 'property') ||
      (isParameter && isOAuthCode(text, name!, value));
    if (hides && (!isFreeText || isHeaderOrLine(text, match.index, name!, end, value))) {
      yield [start, end];
      covered = end;
    }
  }
}

function endOfValue(text: string, start: number, quote: string, isFreeText: boolean, isUrl: boolean): number {
  if (quote !== '')
    return sticky(quote === '"' ? /(?:[^"\\]|\\.)*/sy : /(?:[^'\\]|\\.)*/sy, text, start) ?? start;
  const characters = isFreeText ? /[^\s"'<>&,;]+/y : isUrl ? /[^\s"'`<>&#]+/y : /[^\s"'`<>&]+/y;
  const end = sticky(characters, text, start) ?? start;
  return start + trimEndOf(text.slice(start, end), '.,;)]}').length;
}

/** A parameter behind `?` with no white space between: its value ends at a fragment. */
function isInUrl(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - 2000), at);
  const query = before.lastIndexOf('?');
  return query !== -1 && !/[\s"'<>]/.test(before.slice(query));
}

/** `code` is a secret in the company of `state` (RFC 6749 §4.1.2). */
function isOAuthCode(text: string, name: string, value: string): boolean {
  return name === 'code' && value.length >= 6 && /[?&#]state=/.test(text);
}

function isHeaderOrLine(text: string, at: number, name: string, end: number, value: string): boolean {
  if (name.includes('-')) return true;
  const isWholeLine =
    /(?:^|[\r\n])[\t -]*$/.test(text.slice(Math.max(0, at - 20), at)) &&
    /^[\t ]*(?:[\r\n]|$)/.test(text.slice(end, end + 20));
  return isWholeLine || (value.length >= 6 && /\d/.test(value) && /[a-z]/i.test(value));
}

/** `<password>…</password>`. */
function* xmlElements({ text }: Reading): Generator<Range> {
  for (const { 0: all, index, 1: open, 2: value } of text.matchAll(
    /<([\w:.-]{1,80})(?:\s[^<>]{0,500})?>([^<>]+)<\//g,
  )) {
    const start = index + all.length - value!.length - 2;
    if (hidesValue(open!, value)) yield [start, start + value!.length];
  }
}

/** A field of multipart/form-data (RFC 7578). */
function* multipartFields({ text }: Reading): Generator<Range> {
  const field = /\bname="([^"\r\n]{1,120})"[^\r\n]{0,200}(?:\r?\n[^\r\n]{1,200}){0,5}\r?\n\r?\n/g;
  for (const { 0: all, index, 1: name } of text.matchAll(field)) {
    const start = index + all.length;
    const next = text.slice(start).search(/\r?\n--/);
    const end = next < 0 ? text.length : start + next;
    if (hidesValue(name!, text.slice(start, end))) yield [start, end];
  }
}

/** Private keys in PEM (RFC 7468) and JSON Web Tokens (RFC 7519). */
function* wellKnownForms({ text }: Reading): Generator<Range> {
  for (const { 0: all, index } of text.matchAll(
    /-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY-----(?:(?!-----END)[\s\S])*/g,
  ))
    yield [index, index + all.length];
  yield* webTokens(text);
  yield* issuedTokens(text);
}

/** Header, claims and signature of a JWT, found by its claims. */
function* webTokens(text: string): Generator<Range> {
  for (const { 0: claims, index } of text.matchAll(/\.eyJ[\w-]{8,}(?=\.)/g)) {
    let begin = index;
    while (begin > 0 && /[\w-]/.test(text[begin - 1]!)) begin--;
    const header = text.slice(begin, index).search(/\beyJ[\w-]{8}/);
    if (header === -1) continue;
    const signature = index + claims.length + 1;
    yield [begin + header, sticky(/[\w-]*/y, text, signature) ?? signature];
  }
}

const FINDERS: readonly Finder[] = [
  urlUserInformation,
  authorizationHeaders,
  bareSchemes,
  cookieHeaders,
  namedValues,
  xmlElements,
  multipartFields,
  wellKnownForms,
];

/** Where a sticky pattern that starts at `start` ends; undefined when it does not match or is not accepted. */
function sticky(
  pattern: RegExp,
  text: string,
  start: number,
  accept: (matched: string) => boolean = () => true,
): number | undefined {
  pattern.lastIndex = start;
  const matched = pattern.exec(text)?.[0];
  return matched !== undefined && accept(matched) ? start + matched.length : undefined;
}
