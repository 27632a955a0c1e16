import { ToolcribError } from '../../errors.ts';
import {
  ARTIFACT_URI_PREFIX,
  type Call,
  type CompletedResult,
  type ContentBlock,
  isObject,
  type JsonObject,
  MAX_SHAPED_FIELDS,
  MAX_SHAPED_PAGES,
  MAX_SHAPED_ROWS,
  type Operation,
  operationKey,
  type Result,
  type ShapedCall,
  type StoredQuery,
  storedIdOf,
  UNTRUSTED_META,
} from '../../operations/index.ts';
import { withoutCutNote } from '../answer-content.ts';
import { headersNote } from '../answer-headers.ts';
import { decodeText } from '../decode-text.ts';
import {
  createLinkParameters,
  invalidCursor,
  type LinkParameters,
  type Pagination,
  paginationOf,
} from '../pagination/index.ts';
import { keeper, readingOn, readStored } from './answer-store.ts';
import { answerValue, type ReadOutput } from './answer-value.ts';
import {
  checkPage,
  cursorTo,
  type Place,
  pageDifference,
  placeOf,
  scopeOf,
  withPage,
} from './call-cursor.ts';
import { compileFilter, type RowFilter } from './filter.ts';
import { findRows } from './find-rows.ts';
import { queryStored } from './query-stored.ts';
import { type ReadPages, readPages } from './read-pages.ts';
import { cutOf } from './row-plan.ts';
import { asItCame, shapeAnswer } from './shape.ts';
import type { Reader, ShapingOptions } from './shaping-options.ts';
import { spelled } from './spelling.ts';
import type { StoredAnswer } from './stored-answer.ts';

export interface Shaping {
  /** A call whose answer is shaped; `next` makes it. Throws `filter_invalid`, `cursor_invalid`. */
  call(call: Call, shaped: ShapedCall, next: (call: Call) => Promise<Result>): Promise<Result>;
  /** Rows of a stored answer. Throws `response_unknown`, `filter_invalid`, `cursor_invalid`. */
  query(reader: Reader, query: StoredQuery): Promise<CompletedResult>;
}

/** Rows that a filter should see at least, where the operation's own limit allows it. */
const FILTERED_ROWS = 100;
/** Rows that are shown of several pages. */
const CUT_OF_PAGES = 50;

export function createShaping(options: ShapingOptions): Shaping {
  const links = createLinkParameters();
  return {
    call: (call, shaped, next) =>
      shapedCall(options, call, withinBounds(shaped), throughLinks(links, call, next)),
    async query(reader, query) {
      const stored = await readStored(options, reader, query.responseId);
      if (stored === undefined) {
        throw new ToolcribError(
          'response_unknown',
          `There is no stored answer ${query.responseId.slice(0, 64)}.`,
          {
            details: { response: query.responseId.slice(0, 64) },
          },
        );
      }
      return await queryStored(stored, query, options);
    },
  };
}

/** However it was asked for: rows at once and fields are bounded. */
function withinBounds(shaped: ShapedCall): ShapedCall {
  const { limit, fields = [] } = shaped.request;
  if (fields.length > MAX_SHAPED_FIELDS) {
    throw new ToolcribError('arguments_invalid', `At most ${MAX_SHAPED_FIELDS} fields can be asked for.`);
  }
  if (limit === undefined || limit <= MAX_SHAPED_ROWS) return shaped;
  return { ...shaped, request: { ...shaped.request, limit: MAX_SHAPED_ROWS } };
}

/** A page behind a link may need a parameter that the operation does not describe. */
function throughLinks(
  links: LinkParameters,
  { arguments: given }: Call,
  next: (call: Call) => Promise<Result>,
): (call: Call) => Promise<Result> {
  return (page) => next({ ...page, operation: links.operationFor(page.operation, page.arguments, given) });
}

/** One shaped call on its way: what was asked, and how to go on. */
interface Course {
  readonly options: ShapingOptions;
  readonly call: Call;
  readonly shaped: ShapedCall;
  readonly pagination: Pagination | undefined;
  readonly filter: RowFilter | undefined;
  readonly scope: string;
  readonly place: Place;
}

async function shapedCall(
  options: ShapingOptions,
  call: Call,
  shaped: ShapedCall,
  next: (call: Call) => Promise<Result>,
): Promise<Result> {
  const { operation } = call;
  const { filters, cursor } = shaped.request;
  const filter = filters && compileFilter(filters, options.patterns);
  const pagination = paginationOf(operation);
  const scope = scopeOf(call.arguments, pagination);
  const place = cursor === undefined ? {} : placeOf(cursor, operation, scope);
  if (place.page !== undefined) checkPage(place.page, operation, pagination);
  const course: Course = { options, call, shaped, pagination, filter, scope, place };
  if (place.responseId !== undefined) return await fromStored(course, place.responseId);
  const started = withPage(call.arguments, place.page);
  const args = limited(course, started);
  const asked = isRead(operation) ? (place.pages ?? shaped.request.pages ?? 1) : 1;
  const wanted = Math.min(asked, shaped.maxPages ?? MAX_SHAPED_PAGES);
  const read = await readPages({ ...call, arguments: args }, pagination, wanted, {
    next,
    answerOf: (result) => answerValue(result, operation, storedOutput(options, call), isCleaned(course)),
  });
  if (!('pages' in read)) return read;
  const note = read.note ?? fewerNote(read, asked, wanted);
  return await delivered(course, { ...read, ...(note && { note }) }, args, args !== started);
}

/** Where the configuration, and not the service, ended the reading of a list. */
function fewerNote({ pages, next }: ReadPages, asked: number, allowed: number): string | undefined {
  if (next === undefined || pages < allowed || asked <= allowed) return undefined;
  return `${pages} of ${asked} pages were read: one call reads no more.`;
}

/** A text that was cut is kept whole, as the service wrote it. */
function storedOutput({ artifacts }: ShapingOptions, { principal }: Call): ReadOutput {
  return async (uri) => {
    const id = storedIdOf(uri);
    const stored = id === undefined ? undefined : await artifacts(principal).get(id);
    return stored && decodeText(stored.bytes, stored.mimeType);
  };
}

function isCleaned({ options, call }: Course): boolean {
  return options.untrusted(call.operation)?.clean === true;
}

/**
 * Reads only: a limit that is added to a write could change what it writes. What is filtered is read whole where the
 * service gives all of it without a limit.
 */
function limited({ call, shaped, pagination, place }: Course, args: JsonObject): JsonObject {
  const { off, limit, filters } = shaped.request;
  if (pagination === undefined || place.page !== undefined || off || !isRead(call.operation)) return args;
  const rows = limit ?? shaped.defaultLimit;
  if (filters === undefined) return pagination.limit(args, rows);
  const isWholeWithout = pagination.style === 'object' || pagination.style === 'limit';
  return isWholeWithout ? args : pagination.limit(args, Math.max(rows, FILTERED_ROWS));
}

async function delivered(
  course: Course,
  { result, answer, pages, next, note }: ReadPages,
  args: JsonObject,
  isLimited: boolean,
): Promise<CompletedResult> {
  const { call, shaped, pagination, options, scope, place } = course;
  const { operation } = call;
  if (answer === undefined) return withNotes(result, course, shaped.byProperties ? readingOn(result) : []);
  const label = result.meta?.[UNTRUSTED_META];
  const behind = next && pageDifference(next, call.arguments);
  const context = contextOf(course);
  const stored: StoredAnswer = {
    operation: operationKey(operation),
    source: operation.source,
    structured: answer,
    ...(behind === undefined ? {} : { next: behind }),
    ...(isObject(label) ? { untrusted: label } : {}),
    ...(context.tables ? { tables: true as const } : {}),
  };
  const cut = cutOf(operation, shaped.defaultLimit);
  const pagesNote = note === undefined ? [] : [note];
  const headers = headersNote(result, operation);
  const inForce = `Limit in force: ${pagination?.limitOf(args)} rows a page; ${spelled('limit', shaped)} asks for others.`;
  const read = [...(isLimited ? [inForce] : []), ...pagesNote];
  const notes = [...headers, ...read];
  const keep = keeper(options, call, stored, notes);
  const answered = await shapeAnswer(answer, shaped, {
    ...context,
    store: keep.store,
    offset: place.skip ?? 0,
    strict: isRead(operation) && place.page === undefined && place.skip === undefined,
    cut: pages > 1 ? Math.max(cut, CUT_OF_PAGES) : cut,
    cursorAt: (row, responseId) => {
      if (responseId !== undefined) return cursorTo({ responseId, skip: row }, operation, scope);
      // without a stored answer the rows are read again, which nothing that writes may be
      return isRead(operation)
        ? cursorTo({ page: pageDifference(args, call.arguments), pages, skip: row }, operation, scope)
        : undefined;
    },
    nextCursor: behind && isRead(operation) ? cursorTo({ page: behind }, operation, scope) : undefined,
    notes,
  });
  const full = findRows(answer)?.rows.length === pagination?.limitOf(args);
  const beside = answered !== undefined ? [] : isLimited && full ? read : pagesNote;
  if (answered === undefined && pages === 1) return withNotes(result, course, beside);
  const { text, structured } = answered ?? asItCame(answer);
  const artifacts = [...keep.kept(), ...(result.artifacts ?? [])];
  return withNotes(
    {
      ...withoutCutNote(result),
      content: [
        { type: 'text', text },
        ...result.content.filter((block) => staysBeside(block, result.artifacts)),
      ],
      structured,
      outputApplies: false,
      ...(artifacts.length === 0 ? {} : { artifacts }),
    },
    course,
    answered === undefined ? [...headers, ...beside] : [],
  );
}

/** The rest of an answer that was read before: nothing is called, and no row is seen twice. */
async function fromStored(course: Course, responseId: string): Promise<CompletedResult> {
  const { options, call, shaped, scope, place } = course;
  const { operation, principal, run } = call;
  const stored = await readStored(options, { principal, ...(run === undefined ? {} : { run }) }, responseId);
  if (stored?.operation !== operationKey(operation))
    throw invalidCursor('The answer that the cursor leads into is no longer stored.');
  const answered = await shapeAnswer(stored.structured, shaped, {
    ...contextOf(course),
    store: async () => responseId,
    offset: place.skip ?? 0,
    strict: false,
    always: true,
    cut: cutOf(operation, shaped.defaultLimit),
    cursorAt: (row) => cursorTo({ responseId, skip: row }, operation, scope),
    nextCursor:
      stored.next && isRead(operation) ? cursorTo({ page: stored.next }, operation, scope) : undefined,
  });
  const { structured, text } = answered!;
  return withNotes(
    {
      kind: 'completed',
      content: [{ type: 'text', text }],
      structured,
      outputApplies: false,
      artifacts: [ARTIFACT_URI_PREFIX + responseId],
      ...(stored.untrusted === undefined ? {} : { meta: { [UNTRUSTED_META]: stored.untrusted } }),
    },
    course,
  );
}

/** Text that renders links is never a table: in JSON they are data. */
function contextOf({ options, call, filter, shaped }: Course) {
  const rule = options.untrusted(call.operation);
  return {
    ...options.limits?.(),
    filter,
    tables: rule === undefined || rule.markdown === 'keep',
    continuing: shaped.request.cursor !== undefined,
  };
}

function withNotes(
  result: CompletedResult,
  { options, call }: Course,
  more: readonly string[] = [],
): CompletedResult {
  const notes = [...more, ...(options.notes?.(call.operation) ?? [])];
  if (notes.length === 0) return result;
  return { ...result, content: [...result.content, { type: 'text', text: `Note: ${notes.join(' ')}` }] };
}

function isRead({ access }: Operation): boolean {
  return access === 'read';
}

/** Texts are in the shape, and so is what a link to the whole answer would say. */
function staysBeside(block: ContentBlock, artifacts: readonly string[] = []): boolean {
  return block.type !== 'text' && !(block.type === 'resource_link' && artifacts.includes(block.uri));
}
