import type { HttpAnswer } from '../executors/executor.ts';
import { familyMember, namesFamily } from '../operations/http/header-family.ts';
import { isSecretHeader } from '../operations/http/secret-header.ts';
import {
  type CompletedResult,
  HEADERS_META,
  isObject,
  isRequest,
  type JsonObject,
  NEXT_PAGE_META,
  type Operation,
} from '../operations/index.ts';
import { cutText } from '../operations/text/cut-text.ts';
import { remember } from '../operations/work/remember.ts';
import { linksNext } from './next-page.ts';
import { leadsOn, saysThereIsMore } from './pagination/index.ts';

/** Where the outcome is or will be, and when to look. */
const OUTCOME = ['Location', 'Operation-Location', 'Azure-AsyncOperation', 'Retry-After'] as const;
/** How many there are in all, which the page that a caller reads does not say; many send it undeclared. */
const COUNTS = ['X-Total-Count', 'X-Total', 'X-Pagination'] as const;
/** Which part of the whole an answer is that says it is one: nobody must take it for all of it. */
const PART = 'Content-Range';
/** All that an answer without a body may say: that, and which version it made. */
const WITHOUT_BODY = [...OUTCOME, 'Content-Location', 'ETag'] as const;
/** What programs are told of every answer: no model pays for it. `Link` only where no page was found by it. */
const FOR_PROGRAMS = [...WITHOUT_BODY, 'Last-Modified', 'Deprecation', 'Sunset', 'Link'] as const;
const MAX_VALUE = 4096;
/** HEAD tells all that there is. */
const MAX_HEADERS = 50;
/** A user and a password in an address. */
const USER_OF_ADDRESS = /\/\/[^/?#@\s]*@/g;

/** Headers for the reader of an answer without a body; of HEAD they are the answer. */
export function headersOfEmpty(answer: HttpAnswer, operation: Operation): JsonObject {
  const { headers } = answer;
  const { invocation, answerHeaders = [] } = operation;
  const isHead = isRequest(invocation) && invocation.method.toUpperCase() === 'HEAD';
  const told = present(headers, [...WITHOUT_BODY, ...answerHeaders]);
  if (!isHead) return told;
  const names = Object.keys(told).map((name) => name.toLowerCase());
  const others = Object.keys(headers).filter((name) => !isSecretHeader(name) && !names.includes(name));
  return { ...told, ...present(headers, others.slice(0, MAX_HEADERS)) };
}

/** The headers of an answer, told or not, as its meta has them. */
export function headersMeta(headers: HttpAnswer['headers'], told: JsonObject, isPaged = false): JsonObject {
  const known = Object.keys(told).map((name) => name.toLowerCase());
  if (isPaged) known.push('link');
  const others = FOR_PROGRAMS.filter((name) => !known.includes(name.toLowerCase()));
  const all = { ...told, ...present(headers, others) };
  return Object.keys(all).length === 0 ? {} : { [HEADERS_META]: all };
}

/** An answer with what its headers say beside its body: for programs in its meta, what matters to a model as text. */
export function withHeaders(
  result: CompletedResult,
  { status, headers }: HttpAnswer,
  operation: Operation,
): CompletedResult {
  if (operation.answerHeaders === undefined && isWithoutNews(headers)) return result;
  const isPaged = result.meta?.[NEXT_PAGE_META] !== undefined;
  const told = present(headers, namesFor({ ...result, status }, headers, operation), bodyText(result));
  const meta = headersMeta(headers, told, isPaged);
  if (Object.keys(meta).length === 0) return result;
  const note = noteOf(told).map((text) => ({ type: 'text' as const, text }));
  return { ...result, content: [...result.content, ...note], meta: { ...result.meta, ...meta } };
}

/** True of what most answers say: what carries the message alone. */
function isWithoutNews(headers: HttpAnswer['headers']): boolean {
  for (const name in headers) if (!tellsNothing(name)) return false;
  return true;
}

const TOLD: ReadonlySet<string> = new Set(
  [...FOR_PROGRAMS, ...OUTCOME, ...COUNTS, PART].map((name) => name.toLowerCase()),
);

/** Asked of the same few names with every answer. */
const tellsNothing = remember(500, (name) => !TOLD.has(name) && !saysThereIsMore(name));

/** As one text, for models: of a result that is shown in another form. */
export function headersNote(result: CompletedResult, operation: Operation): string[] {
  const all = result.meta?.[HEADERS_META];
  if (!isObject(all)) return [];
  const headers = Object.fromEntries(
    Object.entries(all).map(([name, value]) => [name.toLowerCase(), String(value)]),
  );
  return noteOf(present(headers, namesFor(result, headers, operation), bodyText(result)));
}

export function headerLines(told: JsonObject): string[] {
  return Object.entries(told).map(([name, value]) => `${name}: ${value}`);
}

function noteOf(told: JsonObject): string[] {
  return Object.keys(told).length === 0 ? [] : [['Headers of the answer:', ...headerLines(told)].join('\n')];
}

/** Those that a model reads beside a body; what leads to a page is told as that. */
function namesFor(
  { status, meta }: CompletedResult,
  headers: HttpAnswer['headers'],
  { answerHeaders = [] }: Operation,
): readonly string[] {
  const isOutcome = status === 201 || status === 202 || headers['operation-location'] !== undefined;
  const part = status === 206 ? [PART] : [];
  const names = [...(isOutcome ? OUTCOME : []), ...part, ...answerHeaders, ...COUNTS];
  return meta?.[NEXT_PAGE_META] === undefined
    ? [...undeclared(headers), ...names]
    : names.filter((name) => !leadsOn(name));
}

/** That there is more, where nothing of the operation is known to lead there: a model may find the argument. */
function undeclared(headers: HttpAnswer['headers']): string[] {
  const names = Object.keys(headers).filter((name) => saysThereIsMore(name) && !isSecretHeader(name));
  return linksNext(headers['link']) ? [...names, 'Link'] : names;
}

function bodyText({ content: [first] }: CompletedResult): string {
  return first?.type === 'text' ? first.text : '';
}

/** An address that the body holds as well is told by it. */
function present(headers: HttpAnswer['headers'], names: readonly string[], body = ''): JsonObject {
  const told = new Map<string, [string, string]>();
  for (const name of names.flatMap((one) => (namesFamily(one) ? familyIn(headers, one) : one))) {
    const lower = name.toLowerCase();
    const value = Object.hasOwn(headers, lower) ? headers[lower]! : '';
    if (value === '' || (value.includes('/') && body.includes(value))) continue;
    told.set(lower, [name, cutText(value.replaceAll(USER_OF_ADDRESS, '//'), MAX_VALUE)]);
  }
  return Object.fromEntries(told.values());
}

/** Those of a family (`X-Object-Meta-*`) that an answer has. */
function familyIn(headers: HttpAnswer['headers'], family: string): string[] {
  const start = familyMember(family, '').toLowerCase();
  const names = Object.keys(headers).filter((name) => name.startsWith(start) && !isSecretHeader(name));
  return names.slice(0, MAX_HEADERS).map((name) => familyMember(family, name.slice(start.length)));
}
