import { STATUS_CODES } from 'node:http';
import type { HttpAnswer } from '../executors/executor.ts';
import {
  type CompletedResult,
  type ContentBlock,
  isRequest,
  type Json,
  type JsonObject,
  NEXT_PAGE_META,
  type Operation,
} from '../operations/index.ts';
import { MAX_LEVELS } from '../operations/json/is-shallow.ts';
import { readJson } from '../operations/json/read-json.ts';
import { keepWhole, type ShapeContext, type Shaped, shapeText } from './answer-content.ts';
import { headerLines, headersMeta, headersOfEmpty, withHeaders } from './answer-headers.ts';
import { fileNameOf } from './content-disposition.ts';
import { decodePlain, decodeText, decodeUtf8, isBlank, keptText, unreadableAs } from './decode-text.ts';
import { containerOutput } from './framed-stream.ts';
import { isJsonType, isTextType, isUnsaidType, mediaTypeOf } from './media-type.ts';
import { nextPage, nextPageNote } from './next-page.ts';
import { headerPage } from './pagination/header-page.ts';
import { type ParsedJson, parseJson, parseJsonLines } from './parse-json.ts';
import { looksLikeJson, promisedJson, promisedRecords, promisedTypes } from './promised-json.ts';
import { withToldFailure } from './told-failure.ts';
import { wrapsResult } from './wraps-result.ts';

/** Larger images and sounds become artifacts: base64 of more than this fills a model's context. */
const MAX_INLINE_BYTES = 1024 * 1024;

/** A 2xx answer by its media type: JSON, text, image or sound, or a stored artifact. */
export async function successfulAnswer(answer: HttpAnswer, context: ShapeContext): Promise<CompletedResult> {
  const { operation } = context;
  if (isBlank(answer.body, operation.access)) return emptyAnswer(answer, operation);
  return withHeaders(await bodyAnswer(answer, context), answer, operation);
}

function bodyAnswer(answer: HttpAnswer, context: ShapeContext): Promise<CompletedResult> {
  const contentType = answer.headers['content-type'];
  const type = mediaTypeOf(contentType);
  if (isJsonType(type) || isTextType(type)) {
    const text = decodeText(answer.body, contentType);
    const answered = isJsonType(type)
      ? answerInJson(answer, text, context)
      : textAnswer(answer, text, context);
    const charset = unreadableAs(answer.body, contentType, text);
    return charset === undefined ? answered : withUnreadable(answered, charset, answer, context);
  }
  const output = containerOutput(answer.body, type);
  if (output !== undefined && (type !== '' || output !== answer.body)) {
    const headers = { ...answer.headers, 'content-type': 'text/plain' };
    return textAnswer({ ...answer, headers, body: output }, decodeText(output), context);
  }
  if (type === '' || type.includes('*')) {
    const text = decodeUtf8(answer.body);
    return text === undefined
      ? binaryAnswer(answer, 'application/octet-stream', context)
      : textAnswer(answer, text, context);
  }
  const parsed = promisedJson(answer.body, context.operation);
  return parsed ? jsonAnswer(answer, parsed, context) : binaryAnswer(answer, type, context);
}

function emptyAnswer(answer: HttpAnswer, operation: Operation): CompletedResult {
  const told = headersOfEmpty(answer, operation);
  const lines = [`Done: the service answered ${statusText(answer.status)}.`, ...headerLines(told)];
  const meta = headersMeta(answer.headers, told);
  return {
    kind: 'completed',
    content: [{ type: 'text', text: lines.join('\n') }],
    ...noAnswer(operation),
    status: answer.status,
    ...(Object.keys(meta).length === 0 ? {} : { meta }),
  };
}

/** A declared output obliges to structured content, which a body without JSON cannot give. */
function noAnswer(operation: Operation): Pick<CompletedResult, 'structured' | 'outputApplies'> {
  if (operation.output === undefined) return {};
  return { structured: wrapsResult(operation) ? { result: null } : {}, outputApplies: false };
}

/** What cannot be read is not shown as it came: it is kept as it came. */
async function withUnreadable(
  answered: Promise<CompletedResult>,
  charset: string,
  answer: HttpAnswer,
  context: ShapeContext,
): Promise<CompletedResult> {
  const result = await answered;
  const { kept = [], unkept = [] } = context;
  // what was cut is kept already, or said to be not
  const isTried = kept.length + unkept.length > 0;
  const { link, warning: failure } = isTried
    ? {}
    : await keepWhole({ bytes: () => answer.body, mimeType: typeOf(answer) }, context);
  const uri = link?.uri ?? kept[0];
  const where = failure ?? (uri === undefined ? undefined : `The whole answer is ${uri}.`);
  const said = `Some of the answer is no ${charset} and stands as \ufffd.`;
  const warning = where === undefined ? said : `${said} ${where}`;
  const added: ContentBlock[] = [{ type: 'text', text: `Note: ${warning}` }];
  if (link) added.push(link);
  return {
    ...result,
    content: [...result.content, ...added],
    warnings: [...(result.warnings ?? []), warning],
  };
}

function answerInJson(answer: HttpAnswer, text: string, context: ShapeContext): Promise<CompletedResult> {
  const parsed = parseJson(text);
  if (parsed) return jsonAnswer(answer, parsed, context);
  const lines = parseJsonLines(text);
  return lines ? linesAnswer(answer, lines, context) : brokenJson(answer, text, context);
}

/** The schema speaks of the list only where it allows one: many describe a line. */
async function linesAnswer(
  answer: HttpAnswer,
  lines: ParsedJson,
  context: ShapeContext,
): Promise<CompletedResult> {
  const { operation } = context;
  const values = lines.value as Json[];
  const result = withToldFailure(
    await jsonAnswer(answer, lines, context),
    values.at(-1)!,
    operation,
    statusText(answer.status),
  );
  const types = promisedTypes(operation);
  const isList =
    operation.output === undefined ||
    (wrapsResult(operation) && (types.length === 0 || types.includes('array')));
  const type = answer.headers['content-type'];
  const as = type === undefined ? '' : `, as ${type}`;
  const warning = `The service sent ${values.length} JSON texts, one a line${as}; they stand here as one list.`;
  return {
    ...result,
    content: [...result.content, { type: 'text', text: `Note: ${warning}` }],
    warnings: [...(result.warnings ?? []), warning],
    ...(isList ? {} : { outputApplies: false }),
  };
}

async function jsonAnswer(
  answer: HttpAnswer,
  parsed: ParsedJson,
  context: ShapeContext,
): Promise<CompletedResult> {
  const { operation } = context;
  const wrapped = wrapsResult(operation);
  const structured: Json = wrapped ? { result: parsed.value } : parsed.value;
  const text = wrapped ? `{"result":${parsed.text}}` : parsed.text;
  const shaped = await shapeText(
    text,
    { bytes: () => textOf(answer), mimeType: 'application/json' },
    context,
  );
  if (parsed.rounded)
    note(shaped, 'Numbers that no double holds are exact in the text only; use the digits that stand there.');
  const promised = operation.output !== undefined;
  const result = withToldFailure(
    completed(answer, shaped, shaped.cut && !promised ? {} : { structured }),
    parsed.value,
    operation,
    statusText(answer.status),
  );
  const linked = nextPage(answer.headers['link'], answer.url, operation);
  if (linked !== undefined) return withNextPage(result, linked, 'link');
  const isEmpty = Array.isArray(parsed.value) && parsed.value.length === 0;
  const next = isEmpty ? undefined : headerPage(answer.headers, answer.url, operation);
  return next === undefined ? result : withNextPage(result, next, 'header');
}

/** Lists that page by a header say nothing of it in their body. */
function withNextPage(result: CompletedResult, next: JsonObject, by: 'link' | 'header'): CompletedResult {
  return {
    ...result,
    content: [...result.content, { type: 'text', text: nextPageNote(next, by) }],
    meta: { ...result.meta, [NEXT_PAGE_META]: next },
  };
}

async function brokenJson(answer: HttpAnswer, text: string, context: ShapeContext): Promise<CompletedResult> {
  const shaped = await shapeText(text, { bytes: () => textOf(answer), mimeType: 'text/plain' }, context);
  const fault =
    readJson(text) === undefined ? 'not valid JSON' : `nested more than ${MAX_LEVELS} levels deep`;
  note(shaped, `The service calls this ${answer.headers['content-type']}, but it is ${fault}.`);
  return completed(answer, shaped, textInstead(text, typeOf(answer), context.operation));
}

/**
 * A text where JSON is promised is the answer all the same: it is held against the schema, and what shows it says so. A
 * type that the document names beside JSON is no breach.
 */
function textInstead(
  text: string,
  type: string,
  operation: Operation,
): Pick<CompletedResult, 'structured' | 'outputApplies'> {
  const { invocation, output } = operation;
  if (output === undefined) return {};
  const isNamed = isRequest(invocation) && invocation.accept.some((named) => mediaTypeOf(named) === type);
  return {
    structured: wrapsResult(operation) ? { result: text } : text,
    ...(isNamed && !isJsonType(type) ? { outputApplies: false } : {}),
  };
}

/** Some services send JSON under a text type: where the operation promises JSON, that is what it is. */
async function textAnswer(answer: HttpAnswer, text: string, context: ShapeContext): Promise<CompletedResult> {
  const { operation } = context;
  const type = typeOf(answer);
  const records = promisedRecords(text, type, operation);
  if (records) {
    const result = await jsonAnswer(answer, records, context);
    const last = (records.value as Json[]).at(-1);
    return last === undefined ? result : withToldFailure(result, last, operation, statusText(answer.status));
  }
  if (operation.output !== undefined || type === '') {
    const isMeant = looksLikeJson(text, operation);
    const parsed = isMeant ? parseJson(text) : undefined;
    if (parsed) return jsonAnswer(answer, parsed, context);
    const lines = isMeant && type === '' ? parseJsonLines(text) : undefined;
    if (lines) return linesAnswer(answer, lines, context);
  }
  const whole = { bytes: () => textOf(answer), mimeType: type || 'text/plain' };
  const shaped = await shapeText(text, whole, context);
  return completed(answer, shaped, textInstead(text, type, operation));
}

async function binaryAnswer(
  answer: HttpAnswer,
  mimeType: string,
  context: ShapeContext,
): Promise<CompletedResult> {
  const { body, headers } = answer;
  const medium = /^(image|audio)\//.exec(mimeType)?.[1] as 'image' | 'audio' | undefined;
  const shaped: Shaped = { content: [], warnings: [], cut: false };
  if (medium !== undefined && body.length <= MAX_INLINE_BYTES) {
    const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
    shaped.content.push({ type: medium, data: bytes.toString('base64'), mimeType });
    return completed(answer, shaped, noAnswer(context.operation));
  }
  const text = isUnsaidType(mimeType) ? decodePlain(body) : undefined;
  if (text !== undefined) return textOfBytes(answer, text, context);
  const name = fileNameOf(headers['content-disposition']);
  const kept = await keepWhole({ bytes: () => body, mimeType, name }, context);
  const size = `The service answered ${body.length} bytes of ${mimeType}`;
  shaped.content.push({
    type: 'text',
    text: kept.link ? `${size}, stored as ${kept.link.uri}.` : `${size}.`,
  });
  if (kept.link) shaped.content.push(kept.link);
  else note(shaped, kept.warning);
  return completed(answer, shaped, noAnswer(context.operation));
}

/** A log or a file of settings, which many services send as bytes: what it says, and the file as it is. */
async function textOfBytes(
  answer: HttpAnswer,
  text: string,
  context: ShapeContext,
): Promise<CompletedResult> {
  const name = fileNameOf(answer.headers['content-disposition']);
  const whole = { bytes: () => answer.body, mimeType: 'text/plain', name };
  const shaped = await shapeText(text, whole, context);
  const { link } = shaped.cut ? {} : await keepWhole(whole, context);
  if (link) shaped.content.push(link);
  return completed(answer, shaped, noAnswer(context.operation));
}

function completed(
  { status }: HttpAnswer,
  { content, warnings }: Shaped,
  answer: Pick<CompletedResult, 'structured' | 'outputApplies'>,
): CompletedResult {
  return { kind: 'completed', content, ...answer, ...(warnings.length > 0 ? { warnings } : {}), status };
}

function note(shaped: Shaped, warning: string): void {
  shaped.warnings.push(warning);
  shaped.content.push({ type: 'text', text: `Note: ${warning}` });
}

function textOf({ body, headers }: HttpAnswer): Uint8Array {
  return keptText(body, headers['content-type']);
}

function typeOf({ headers }: HttpAnswer): string {
  return mediaTypeOf(headers['content-type']);
}

export function statusText(status: number): string {
  const phrase = STATUS_CODES[status];
  return phrase === undefined ? String(status) : `${status} ${phrase}`;
}
