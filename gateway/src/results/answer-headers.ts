import type { HttpAnswer } from '../executors/executor.ts';
import { cutText } from '../operations/cut-text.ts';
import {
  type CompletedResult,
  HEADERS_META,
  isObject,
  isRequest,
  type Json,
  type JsonObject,
  NEXT_PAGE_META,
  type Operation,
} from '../operations/index.ts';
import { leadsOn } from './pagination/index.ts';

/** Where the outcome is or will be, and when to look. */
const OUTCOME = ['Location', 'Operation-Location', 'Azure-AsyncOperation', 'Retry-After'] as const;
/** All that an answer without a body may say: that, and which version it made. */
const WITHOUT_BODY = [...OUTCOME, 'Content-Location', 'ETag'] as const;
/** A session that a service opens is a credential. */
const UNTOLD: ReadonlySet<string> = new Set(['set-cookie', 'set-cookie2']);
const MAX_VALUE = 4096;

/** Headers for the reader of an answer without a body; of HEAD they are the answer. */
export function headersOfEmpty(answer: HttpAnswer, operation: Operation): JsonObject {
  const { headers } = answer;
  const { invocation, answerHeaders = [] } = operation;
  const isHead = isRequest(invocation) && invocation.method.toUpperCase() === 'HEAD';
  const told = present(headers, [...WITHOUT_BODY, ...answerHeaders]);
  if (!isHead) return told;
  const names = Object.keys(told).map((name) => name.toLowerCase());
  const others = Object.keys(headers).filter((name) => !UNTOLD.has(name) && !names.includes(name));
  return { ...told, ...present(headers, others) };
}

/** An answer with what its headers say beside its body: as text for models, in its meta for programs. */
export function withHeaders(
  result: CompletedResult,
  { status, headers }: HttpAnswer,
  { answerHeaders }: Operation,
): CompletedResult {
  const isOutcome = status === 201 || status === 202 || headers['operation-location'] !== undefined;
  if (!isOutcome && answerHeaders === undefined) return result;
  const [first] = result.content;
  const body = first?.type === 'text' ? first.text : '';
  const names = [...(isOutcome ? OUTCOME : []), ...(answerHeaders ?? [])];
  const isPaged = result.meta?.[NEXT_PAGE_META] !== undefined;
  const told = present(headers, isPaged ? names.filter((name) => !leadsOn(name)) : names, body);
  if (Object.keys(told).length === 0) return result;
  return {
    ...result,
    content: [...result.content, ...headersNote(told).map((text) => ({ type: 'text' as const, text }))],
    meta: { ...result.meta, [HEADERS_META]: told },
  };
}

/** As one text, for models. */
export function headersNote(told: Json | undefined): string[] {
  return isObject(told) ? [['Headers of the answer:', ...headerLines(told)].join('\n')] : [];
}

export function headerLines(told: JsonObject): string[] {
  return Object.entries(told).map(([name, value]) => `${name}: ${value}`);
}

/** An address that the body holds as well is told by it. */
function present(headers: HttpAnswer['headers'], names: readonly string[], body = ''): JsonObject {
  const told = new Map<string, [string, string]>();
  for (const name of names) {
    const lower = name.toLowerCase();
    const value = Object.hasOwn(headers, lower) ? headers[lower]! : '';
    if (value === '' || (value.includes('/') && body.includes(value))) continue;
    told.set(lower, [name, cutText(value, MAX_VALUE)]);
  }
  return Object.fromEntries(told.values());
}
