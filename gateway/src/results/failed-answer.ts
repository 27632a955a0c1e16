import type { HttpAnswer } from '../executors/executor.ts';
import { retryAfterMs } from '../operations/http/retry-after.ts';
import { type CompletedResult, type ContentBlock, isObject, type Json } from '../operations/index.ts';
import { targetOf } from '../operations/target.ts';
import { cutText } from '../operations/text/cut-text.ts';
import { keepWhole, type ShapeContext } from './answer-content.ts';
import { decodeText, decodeUtf8, keptText } from './decode-text.ts';
import { loneItemStep } from './lone-item.ts';
import { isJsonType, isTextType, mediaTypeOf } from './media-type.ts';
import { nextStep } from './next-step.ts';
import { parseJson } from './parse-json.ts';
import { problemData } from './problem-data.ts';
import { explainProblem, htmlText } from './problem-text.ts';
import { signsIn } from './signs-in.ts';
import { spreadObjectStep } from './spread-object.ts';
import { statusText } from './successful-answer.ts';

/** A message is read by people and models; the whole body stays in details or an artifact. */
const MAX_MESSAGE_LENGTH = 2000;
const MAX_DETAILS_LENGTH = 8000;
const MAX_METHODS_LENGTH = 200;

/** Any answer but 2xx: `upstream_status` with the useful part of the body and what to do next. */
export async function failedAnswer(answer: HttpAnswer, context: ShapeContext): Promise<CompletedResult> {
  const { status, headers } = answer;
  const body = readBody(answer);
  const led = answer.redirectedTo === undefined ? '' : `, redirected to ${answer.redirectedTo},`;
  const reason = `${targetOf(context.operation)}${led} answered ${statusText(status)}`;
  const words = wordsOf(body, answer) || methodsAllowed(answer);
  const sentence = words === '' ? `${reason}.` : `${reason}: ${words}`;
  const message =
    answer.advice === undefined ? sentence : `${sentence.replace(/[.]?$/, '.')} ${answer.advice.text}`;
  const wait = retryAfterSeconds(headers);
  // of a session begun anew a 403 is about rights
  const asked = answer.sessionEnded && status !== 403 ? 401 : status;
  const written = asked === 400 || asked === 422 ? writtenStep(words, answer.url, context) : undefined;
  const step =
    answer.advice?.next ??
    nextStep(asked, {
      retryAfterSeconds: wait,
      unknownOutcome: answer.unknownOutcome === true,
      location: headers['location'],
      fixedPath: hasFixedPath(context),
      redirected: answer.redirectedTo === undefined ? undefined : context.operation.access,
      explained: words !== '' && headers['www-authenticate'] === undefined,
      signsIn: (asked === 401 || asked === 403) && signsIn(context.operation),
      renewed: answer.renewed === true,
      accountOwner: answer.accountOwner,
      webSocket: asksForWebSocket(answer),
      anonymous: answer.anonymous === true ? whyAnonymous(context) : undefined,
    });
  const next = written === undefined ? step : `${step} ${written}`;
  const content: ContentBlock[] = [{ type: 'text', text: `${prefixOf(context)}${message}\n${next}` }];
  if (body.text !== undefined && body.text.length > MAX_DETAILS_LENGTH) {
    const mimeType = mediaTypeOf(headers['content-type']) || 'text/plain';
    const bytes = () => keptText(answer.body, headers['content-type']);
    const kept = await keepWhole({ bytes, mimeType }, context);
    if (kept.link) content.push(kept.link);
  }
  const details = {
    ...(body.details === undefined ? {} : { body: body.details }),
    ...(wait === undefined ? {} : { retryAfterSeconds: wait }),
    ...answer.advice?.details,
  };
  return {
    kind: 'completed',
    content,
    error: {
      code: 'upstream_status',
      message,
      next,
      status,
      ...(Object.keys(details).length > 0 ? { details } : {}),
    },
    status,
  };
}

/** What to do where the service reads a query otherwise than OpenAPI writes it. */
function writtenStep(words: string, url: string, { operation }: ShapeContext): string | undefined {
  return loneItemStep(words, url, operation) ?? spreadObjectStep(words, url, operation);
}

/** What the service says beside its status. Many say that once more, and nothing else or in words that we do not know. */
function wordsOf({ useful, text = '', details }: ReadBody, { status, headers }: HttpAnswer): string {
  const said = useful.trim() || headers['www-authenticate'] || '';
  const words = withoutPhrase(cutText(printable(said), MAX_MESSAGE_LENGTH).trim(), status);
  if (!isStatusText(words, status)) return words;
  return partsOf(details).some((part) => saysMore(part, status))
    ? cutText(printable(text), MAX_MESSAGE_LENGTH)
    : '';
}

/** RFC 9110 §15.5.6. */
function methodsAllowed({ status, headers }: HttpAnswer): string {
  const methods = status === 405 ? printable(headers['allow'] ?? '').trim() : '';
  return methods === '' ? '' : `it allows ${cutText(methods, MAX_METHODS_LENGTH)} here`;
}

/** The members of a body that are objects and lists. */
function partsOf(body: Json | undefined): readonly Json[] {
  return isObject(body)
    ? Object.values(body).filter((part) => part !== null && typeof part === 'object')
    : [];
}

/**
 * Whether anything in it is not the status once more: Payload answers `{ "errors": [{ "message": "Not Found" }] }`, SAP's
 * CAP with an annotation of OData (`@Common.numericSeverity`) beside it.
 */
function saysMore(part: Json, status: number): boolean {
  if (part !== null && typeof part === 'object')
    return Object.entries(part).some(([name, member]) => !name.startsWith('@') && saysMore(member, status));
  if (typeof part === 'string') return part !== '' && !isStatusText(part, status);
  return typeof part === 'number' && part !== status;
}

/** `404 Not Found`, or its phrase or number alone, in any case and with a full stop; `NotFoundError`. */
function isStatusText(text: string, status: number): boolean {
  const told = statusText(status);
  const phrase = told.slice(4);
  const words = text.replace(/[.]$/, '').toLowerCase();
  const name = phrase.replace(/ /g, '').replace(/Error$/, '');
  return [told, phrase, String(status), `${name}Error`, `${name}Exception`].some(
    (one) => one.toLowerCase() === words,
  );
}

interface ReadBody {
  readonly useful: string;
  /** The whole as text; absent for bytes. */
  readonly text?: string;
  /** Small enough to travel in the error's details. */
  readonly details?: Json;
}

function readBody({ body, headers }: HttpAnswer): ReadBody {
  if (body.length === 0) return { useful: '' };
  const contentType = headers['content-type'];
  const type = mediaTypeOf(contentType);
  const textual = isJsonType(type) || isTextType(type);
  const text = textual ? decodeText(body, contentType) : decodeUtf8(body);
  if (text === undefined) return { useful: `${body.length} bytes of ${type || 'unknown type'}` };
  if (type === 'text/html' || type === 'application/xhtml+xml') return { useful: htmlText(text), text };
  const parsed = isJsonType(type) || /^\s*[{[]/.test(text) ? parseJson(text) : undefined;
  if (parsed === undefined) return { useful: text, text, ...small(text, text) };
  // numbers that a double rounds keep their digits in the text alone
  const details = parsed.rounded ? parsed.text : parsed.value;
  const said = explainProblem(parsed.value);
  const facts = said === undefined || parsed.rounded ? '' : problemData(parsed.value, type, said);
  const useful = said === undefined ? withoutStack(details) : said + facts;
  return { useful, text, ...small(details, parsed.text) };
}

/** The body as text; where in its code a service failed helps nobody who calls it. */
function withoutStack(body: Json): string {
  if (typeof body === 'string') return body;
  if (!isObject(body) || typeof body.stack !== 'string') return JSON.stringify(body);
  const { stack: _stack, ...rest } = body;
  return JSON.stringify(rest);
}

/** NestJS, Fastify, Spring and RFC 9457 say the status in words before what they have to say. */
function withoutPhrase(text: string, status: number): string {
  const phrase = `${statusText(status).slice(4)}; `;
  return text.toLowerCase().startsWith(phrase.toLowerCase()) ? text.slice(phrase.length) : text;
}

function small(value: Json, text: string): { details?: Json } {
  return text.length <= MAX_DETAILS_LENGTH ? { details: value } : {};
}

/** Connectors' failures begin as those of the server that they come from. */
function prefixOf({ operation: { invocation } }: ShapeContext): string {
  if (invocation.kind !== 'azure') return 'upstream_status: ';
  return `Error invoking ${invocation.api}.${invocation.operationId}: `;
}

function asksForWebSocket({ status, headers }: HttpAnswer): boolean {
  if (status !== 400 && status !== 426) return false;
  return headers['sec-websocket-version'] !== undefined || /\bwebsocket\b/i.test(headers['upgrade'] ?? '');
}

function hasFixedPath({ operation: { invocation } }: ShapeContext): boolean {
  return invocation.kind === 'http' && !invocation.path.includes('{');
}

function whyAnonymous({ operation: { invocation } }: ShapeContext): 'unasked' | 'unconfigured' {
  const alternatives = invocation.kind === 'http' ? invocation.security : [];
  return alternatives.every((one) => Object.keys(one).length === 0) ? 'unasked' : 'unconfigured';
}

/** Whole seconds; a date is measured by the service's own clock where it tells it. */
function retryAfterSeconds(headers: HttpAnswer['headers']): number | undefined {
  const clock = Date.parse(headers['date'] ?? '');
  const asked = retryAfterMs(headers, Number.isNaN(clock) ? Date.now() : clock);
  return asked === undefined ? undefined : Math.ceil(asked / 1000);
}

/** Without control characters: an answer must not write escape sequences into a terminal or log. */
function printable(text: string): string {
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, ' ');
}
