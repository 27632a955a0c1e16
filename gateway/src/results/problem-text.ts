import { STATUS_CODES } from 'node:http';
import { isObject, type Json, type JsonObject } from '../operations/index.ts';
import { constraintsOf } from './class-validator-fault.ts';

/** Where services put the sentence that helps; first those of RFC 9457 §3.1, RFC 6749 §5.2 and common habit. */
const SENTENCES = [
  'title',
  'detail',
  'message',
  'messageDetail',
  'exceptionMessage',
  'error_description',
  'error_message',
  'errorMessage',
  'error_msg',
  'errmsg',
  'summary',
  'description',
  'details',
  'hint',
  'reason',
  'msg',
  'faultstring',
];
/** Also `message`, where NestJS has one for each fault. */
const LISTS = [
  'message',
  'messages',
  'errorMessages',
  'errors',
  'invalid-params',
  'invalidParams',
  'violations',
  'problems',
  'validation',
  'details',
  'issues',
  'fieldErrors',
  'modelState',
  'detail',
];
/** What programs and the service's own documentation know a fault by. */
const CODES = ['code', 'errorCode', 'error_code', 'errcode', 'errno', '__type'];
const MAX_LISTED = 10;

/** Whether what `explainProblem` says has a member of this name, or the status says it. */
export function isSentence(name: string): boolean {
  const written = `${name[0]?.toLowerCase()}${name.slice(1)}`;
  return [...SENTENCES, ...LISTS, ...CODES, 'error', 'fault'].includes(written);
}

/** The sentences of an error body; undefined when it has none that we know. */
export function explainProblem(body: Json): string | undefined {
  if (typeof body === 'string') return body;
  if (Array.isArray(body)) return listed(body);
  if (!isObject(body)) return undefined;
  const parts = [...sentences(body)];
  const nested = [member(body, 'error'), member(body, 'fault')].find(
    (found) => found !== undefined && found !== null,
  );
  if (typeof nested === 'string') parts.unshift(nested);
  else if (typeof nested === 'object') parts.push(...[explainProblem(nested) ?? JSON.stringify(nested)]);
  for (const name of LISTS) {
    const list = member(body, name);
    const text = Array.isArray(list) ? listed(list) : isObject(list) ? explainMembers(list) : undefined;
    if (text) parts.push(text);
  }
  parts.push(...faultsOfData(body['data']), ...faultsOfData(body['extra']));
  if (parts.length === 0 && isOfFields(body)) return explainMembers(body);
  const distinct = withoutRepeats(parts).join('; ');
  return distinct === '' ? undefined : `${distinct}${codes(body, distinct)}`;
}

/**
 * `data` may be anything; Feathers lists there what its validator finds, Payload has `errors` in it, oRPC `issues`. Litestar
 * has its faults in `extra`.
 */
function faultsOfData(data: Json | undefined): string[] {
  const list = isObject(data) ? (data['errors'] ?? data['issues']) : data;
  if (!Array.isArray(list) || list.length === 0) return [];
  const areFaults = list.every((entry) => isObject(entry) && typeof entry.message === 'string');
  return areFaults ? [listed(list) ?? ''] : [];
}

/**
 * Nothing but what is wrong with each field, as Django REST framework answers (`{ "name": ["is taken"] }`), or with each
 * part of the request, as Foal does (`{ "query": [{ "instancePath": "/a", "message": "must be array" }] }`).
 */
function isOfFields(body: JsonObject): boolean {
  const isFault = (one: Json) =>
    typeof one === 'string' || (isObject(one) && typeof one.message === 'string');
  return Object.values(body).every((told) => Array.isArray(told) && told.length > 0 && told.every(isFault));
}

/** What another part says, too, is left out: Unleash repeats in its `details` what its message ends with. */
function withoutRepeats(parts: readonly string[]): readonly string[] {
  const distinct = [...new Set(parts)];
  return distinct.filter((part) => !distinct.some((other) => other !== part && other.includes(part)));
}

/** ` (card_declined)`; a code that the text has, that is only the status once more, or 0, which means none, is left out. */
function codes(body: JsonObject, text: string): string {
  const found = CODES.map((name) => member(body, name)).filter(
    (code) =>
      (typeof code === 'string' && code !== '' && !/^[1-5]\d\d$/.test(code) && !text.includes(code)) ||
      (typeof code === 'number' && code !== 0 && !(code >= 100 && code < 600)),
  );
  return found.length === 0 ? '' : ` (${found.join(', ')})`;
}

function sentences(body: JsonObject): string[] {
  const found = SENTENCES.map((name) => member(body, name));
  return found
    .filter((value) => typeof value === 'string' && value !== '')
    .map((text) => ofFaults(`${text}`));
}

/** Signal K puts what its validator finds into its sentence, as JSON: `[{"dataPath":".query.bbox","message":…}]`. */
function ofFaults(text: string): string {
  if (!/^\s*\[\s*\{/.test(text)) return text;
  try {
    return faultsOfData(JSON.parse(text))[0] || text;
  } catch {
    return text;
  }
}

/** Services in C++, Go and .NET begin their names with a capital: `Message`, `Details`, `ModelState`. */
function member(body: JsonObject, name: string): Json | undefined {
  const written = [name, `${name[0]!.toUpperCase()}${name.slice(1)}`].find((one) => Object.hasOwn(body, one));
  return written === undefined ? undefined : body[written];
}

/** One entry of a list of faults with the place it names. */
function listed(list: readonly Json[]): string | undefined {
  const entries = list.slice(0, MAX_LISTED).flatMap((entry) => {
    if (!isObject(entry)) return typeof entry === 'string' ? entry : JSON.stringify(entry);
    if (saysNothing(entry)) return [];
    const constraints = constraintsOf(entry);
    if (constraints !== undefined) return constraints;
    const place = placeOf(entry);
    const text = `${explainProblem(entry) ?? JSON.stringify(entry)}${unknownProperty(entry)}`;
    return place === undefined ? text : `${place}: ${text}`;
  });
  if (list.length > MAX_LISTED) entries.push(`and ${list.length - MAX_LISTED} more`);
  return entries.length === 0 ? undefined : entries.join('; ');
}

/** Elysia has `{ "iterator": {} }` for each form of a union. */
function saysNothing(value: Json): boolean {
  return value !== null && typeof value === 'object' && Object.values(value).every(saysNothing);
}

/** ajv's message does not say which one is too many. */
function unknownProperty({ params }: JsonObject): string {
  const name = isObject(params) ? params.additionalProperty : undefined;
  return typeof name === 'string' ? ` (${name})` : '';
}

function placeOf(entry: JsonObject): string | undefined {
  for (const name of [
    'pointer',
    'field',
    'name',
    'path',
    'param',
    'parameter',
    'loc',
    'instancePath',
    'dataPath',
    'property',
  ]) {
    const place = member(entry, name);
    // Strapi and Payload name the class of the fault there
    if (name === 'name' && typeof place === 'string' && /(?:Error|Exception)$/.test(place)) continue;
    if (typeof place === 'string' && place !== '') return place;
    if (Array.isArray(place) && place.length > 0) return place.join('.');
  }
  const { source, key } = entry;
  // Litestar: the part of the request, and what of it
  if (typeof source === 'string' && typeof key === 'string') return `${source}.${key}`;
  // JSON:API
  return isObject(source) ? placeOf(source) : undefined;
}

/** What is wrong with each member: `{ "email": ["is taken"] }`. */
export function explainMembers(object: JsonObject): string | undefined {
  const entries = Object.entries(object)
    .slice(0, MAX_LISTED)
    .map(
      ([name, value]) =>
        `${name}: ${Array.isArray(value) ? (listed(value) ?? '') : (explainProblem(value) ?? JSON.stringify(value))}`,
    );
  return entries.length === 0 ? undefined : entries.join('; ');
}

/** Characters of a page that are looked at; bounds the patterns below. */
const MAX_HTML = 20_000;

/** Titles that say no more than the status: Express's page is called `Error`, others `404 Not Found`. */
const PHRASES: ReadonlySet<string> = new Set(
  ['error', ...Object.values(STATUS_CODES)].map((phrase) => phrase!.toLowerCase()),
);

/** How Rack and Django (`KeyError at /notes/9`) and Rails (`KeyError in NotesController#show`) head what was raised. */
const RAISED = /^[\w:.]{1,200} (?:at \/|in \w+#)/;
/** Where such a page says why. */
const REASON = /<(?:h2(?:\s[^<>]*)?|pre class="exception_value"[^<>]*|div class="message"[^<>]*)>([^<]*)</i;

/**
 * A page's title and first heading, and why something was raised, of the pages of frameworks in development; where they
 * only say its status once more, the first paragraph, in which Express, Werkzeug and Apache give the reason; its plain
 * text when it has none of these.
 */
export function htmlText(html: string): string {
  const head = html.slice(0, MAX_HTML);
  const first = (element: RegExp) => plain(element.exec(head)?.[1] ?? '');
  const found = [first(/<title[^<>]*>([^<]*)</i), first(/<h1[^<>]*>([^<]*)</i)];
  const named = [...new Set(found.filter((text) => text !== ''))];
  const phrases = named.map((text) => text.replace(/^[1-5]\d\d:? /, ''));
  if (named.length > 0 && phrases.every((text) => PHRASES.has(text.toLowerCase())))
    named.splice(0, 2, first(/<(?:pre|p)(?:\s[^<>]*)?>([^<]*)</i) || phrases[0]!);
  if (named.some((text) => RAISED.test(text))) named.push(first(REASON));
  return (
    named.filter((text) => text !== '').join(': ') ||
    plain(head.replace(/<(script|style)\b[\s\S]*?<\/\1\s*>/gi, ' ').replace(/<[^<>]*>/g, ' ')).slice(0, 500)
  );
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
};

function plain(text: string): string {
  return text
    .replace(
      /&(?:#(\d{1,6}|x[\da-f]{1,6})|([a-z]{2,6}));/gi,
      (whole, code: string | undefined, name: string | undefined) => {
        if (code === undefined) return ENTITIES[name!.toLowerCase()] ?? whole;
        const point = Number(code.replace(/^x/i, '0x'));
        return point <= 0x10ffff ? String.fromCodePoint(point) : whole;
      },
    )
    .replace(/\s+/g, ' ')
    .trim();
}
