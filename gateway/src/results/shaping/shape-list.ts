import { isObject, type Json, type ShapedAnswer, type ShapedCall } from '../../operations/index.ts';
import { clip } from './clip.ts';
import type { FoundRows } from './find-rows.ts';
import { fitRows } from './fit-rows.ts';
import { fitSummary } from './fit-summary.ts';
import { type LongParts, longPartsOf } from './long-parts.ts';
import { whyNone } from './no-match.ts';
import { beyondPage, howToGoOn, pointers } from './pointers.ts';
import { project } from './projection.ts';
import { checkFields, quotedName, suggestion, unknownField } from './row-fields.ts';
import { FEW_ROWS, planRows } from './row-plan.ts';
import { isWithin, type ShapedOutput } from './shaped-output.ts';
import { isSmall, limitsOf, type ShapingContext } from './shaping-context.ts';
import { spelled } from './spelling.ts';
import { summarise } from './summary.ts';
import { tableText } from './tables.ts';

const MAX_ENVELOPE = 2000;
const MAX_UNKNOWN = 5;
const SAMPLE = 10;
/** Rows of a summary in which a field is looked for. */
const LOOKED_AT = 1000;
/** Lines and characters that are shown of a long text. */
const LINES = 100;
const LINE_CHARACTERS = 10_000;

interface Matching {
  readonly row: Json;
  /** Its place in the answer. */
  readonly index: number;
}

/** A list on its way into its shape. */
interface List {
  readonly answer: Json;
  readonly found: FoundRows;
  readonly shaped: ShapedCall;
  readonly context: ShapingContext;
  /** Rows that match in all. */
  readonly total: number;
  /** Those of them that were not seen yet. */
  readonly ahead: readonly Matching[];
  readonly essential: readonly string[] | undefined;
  /** What is to be said at the end. */
  readonly notes: readonly string[];
  /** Stores the whole answer, once. */
  keep(): Promise<string | undefined>;
}

/** The order of things: filter, then a limit or a summary, then fields, then a table, then the client's limits. */
export async function shapeList(
  answer: Json,
  found: FoundRows,
  shaped: ShapedCall,
  context: ShapingContext,
): Promise<ShapedAnswer | undefined> {
  const { request } = shaped;
  const notes: string[] = [];
  const matching = matchingRows(found.rows, context, notes);
  const long = longFieldsOf(matching, request, context);
  if (long !== undefined) {
    const { filters: _used, ...rest } = request;
    const within = { ...context, filter: undefined, store: () => context.store(answer) };
    return await shapeParts(long.asked, long.parts, { ...shaped, request: rest }, within);
  }
  const { offset = 0, filter } = context;
  const none = matching.length === 0 ? filter && whyNone(found.rows, filter) : undefined;
  if (none !== undefined) notes.push(none);
  const ahead = offset === 0 ? matching : matching.filter(({ index }) => index >= offset);
  const essential = request.fields === undefined ? essentialFields(ahead, shaped) : undefined;
  if (request.filters !== undefined && context.nextCursor !== undefined)
    notes.push(
      `The filter saw the ${found.rows.length} rows of this page only; _pages among the operation's arguments reads several.`,
    );
  let stored: Promise<string | undefined> | undefined;
  const keep = () => {
    stored ??= context.store(answer);
    return stored;
  };
  const list: List = {
    answer,
    found,
    shaped,
    context,
    total: matching.length,
    ahead,
    essential,
    notes,
    keep,
  };
  const plan = planRows(ahead.length, request, context);
  if (plan.kind === 'summary') return await summaryOf(list);
  if (plan.take === ahead.length && isWhole(list)) return asItIs(list);
  return await rowsOf(list, plan.take);
}

/**
 * The part of an answer that is too long to show whole: rows as of any list; lines of a text, which are never summed
 * up.
 */
export async function shapeParts(
  asked: Json,
  { found, kind }: LongParts,
  shaped: ShapedCall,
  context: ShapingContext,
): Promise<ShapedAnswer | undefined> {
  const { fields: _taken, ...request } = shaped.request;
  if (kind === 'rows') return await shapeList(asked, found, { ...shaped, request }, context);
  const limit = request.limit ?? (request.off ? found.rows.length : shortLines(found.rows, context.offset));
  return await shapeList(asked, found, { ...shaped, request: { ...request, limit } }, context);
}

function shortLines(lines: readonly Json[], offset = 0): number {
  let left = LINE_CHARACTERS;
  const more = lines.slice(offset, offset + LINES).findIndex((line) => {
    left -= String(line).length;
    return left < 0;
  });
  return more < 0 ? LINES : more;
}

/** The only row that matches, with fields that are too long to show whole: their own rows or lines. */
function longFieldsOf(
  matching: readonly Matching[],
  { fields }: ShapedCall['request'],
  context: ShapingContext,
): { readonly asked: Json; readonly parts: LongParts } | undefined {
  if (matching.length !== 1 || fields === undefined) return undefined;
  const asked = project(plainRows(matching), fields).rows[0]!;
  const parts = isSmall(asked, limitsOf(context)) ? undefined : longPartsOf(asked);
  return parts && { asked, parts };
}

function matchingRows(
  rows: readonly Json[],
  { filter, strict = true, offset = 0 }: ShapingContext,
  notes: string[],
): readonly Matching[] {
  const all = rows.map((row, index) => ({ row, index }));
  if (filter === undefined) return all;
  if (strict && offset === 0) checkFields(rows, filter.fields);
  else {
    const unknown = unknownField(rows, filter.fields);
    if (unknown !== undefined) notes.push(unknown.message);
  }
  return all.filter(({ row }) => filter.matches(row));
}

/** Essential fields, where rows are many and have some of them. */
function essentialFields(
  ahead: readonly Matching[],
  { essential, request }: ShapedCall,
): readonly string[] | undefined {
  if (essential === undefined || essential.length === 0 || request.off || ahead.length <= FEW_ROWS)
    return undefined;
  const { unknown } = project(plainRows(ahead.slice(0, SAMPLE)), essential);
  const present = essential.filter((field) => !unknown.includes(field));
  return present.length === 0 ? undefined : present;
}

/** Nothing is left out, and nothing is behind it. */
function isWhole({ answer, shaped: { request }, essential, context }: List): boolean {
  if (context.always || context.continuing || context.nextCursor !== undefined) return false;
  if (request.filters !== undefined || request.fields !== undefined || essential !== undefined) return false;
  return isSmall(answer, limitsOf(context));
}

/** The service's own structure; its text is a table where that is shorter and rows are not few. */
function asItIs({ answer, found, ahead, shaped, context }: List): ShapedAnswer | undefined {
  if (!isObject(answer) || shaped.request.off || ahead.length <= FEW_ROWS || context.tables === false)
    return undefined;
  const table = tableText(found.rows);
  if (table === undefined) return undefined;
  const text = found.envelope === undefined ? table : `${table}\n\n${JSON.stringify(found.envelope)}`;
  const rendered = { structured: answer, text };
  return text.length < JSON.stringify(answer).length && isWithin(rendered, limitsOf(context))
    ? rendered
    : undefined;
}

async function summaryOf(list: List): Promise<ShapedAnswer> {
  const { ahead, context, notes } = list;
  const responseId = await list.keep();
  const cursor = context.cursorAt?.(ahead[0]!.index, responseId);
  const { total_count: _total, ...summary } = summarise(
    plainRows(ahead),
    list.shaped.request.fields ?? list.essential,
  );
  const rest = howToGoOn(list.shaped, responseId, cursor);
  const rows = plainRows(ahead.slice(0, LOOKED_AT));
  const { fields } = list.shaped.request;
  const unknown = fields === undefined ? [] : unknownFields(project(rows, fields).unknown, rows);
  return fitSummary(
    {
      summary,
      ...aroundRows(list),
      returned_count: 0,
      truncated: true,
      ...pointers(responseId, cursor),
      notes: [
        `${ahead.length} rows are too many to show: this is a summary.${beyondPage(context)}${rest}`,
        ...notes,
        ...unknown,
        ...(context.notes ?? []),
      ],
    },
    limitsOf(context),
  );
}

async function rowsOf(list: List, take: number): Promise<ShapedAnswer> {
  const { ahead, shaped, essential, context } = list;
  const taken = plainRows(ahead.slice(0, take));
  const { fields = essential } = shaped.request;
  const { rows, unknown } = fields === undefined ? { rows: taken, unknown: [] } : project(taken, fields);
  const said = [
    ...(shaped.request.fields === undefined ? [] : unknownFields(unknown, taken)),
    ...(essential === undefined
      ? []
      : [
          `Only ${essential.map(quotedName).join(', ')} are shown; ${spelled('fields', shaped)} names others, "*" means all.`,
        ]),
  ];
  const compose = (shown: readonly Json[], count: number, cut = false) =>
    outputOf(list, shown, count, said, cut);
  return await fitRows(rows, compose, limitsOf(context), context.tables ?? true);
}

/** The output around rows that account for the first `count`; `cut`: not even those are whole. */
async function outputOf(
  list: List,
  data: readonly Json[],
  count: number,
  said: readonly string[],
  cut: boolean,
): Promise<ShapedOutput> {
  const { ahead, shaped, essential, context, notes } = list;
  const { offset = 0, always = false } = context;
  const left = ahead.length - count;
  const hidden = cut || always || left > 0 || essential !== undefined || offset > 0;
  const responseId = hidden ? await list.keep() : undefined;
  const cursor = left > 0 ? context.cursorAt?.(ahead[count]!.index, responseId) : context.nextCursor;
  const all = [
    ...(left > 0
      ? [
          `${count} of ${ahead.length} rows are shown.${beyondPage(context)}${howToGoOn(list.shaped, responseId, cursor)}`,
        ]
      : []),
    ...(left === 0 && cursor !== undefined
      ? [`The service has more rows: call again with ${spelled('cursor', shaped)} = next_cursor.`]
      : []),
    ...notes,
    ...said,
    ...(context.notes ?? []),
  ];
  return {
    data,
    ...aroundRows(list),
    returned_count: data.length,
    ...(left > 0 || cursor !== undefined ? { truncated: true as const } : {}),
    ...pointers(responseId, cursor),
    ...(all.length === 0 ? {} : { notes: all }),
  };
}

function aroundRows({ found, total }: List): Pick<ShapedOutput, 'total_count' | 'envelope'> {
  const { envelope } = found;
  return {
    total_count: total,
    ...(envelope === undefined ? {} : { envelope: clip(envelope, MAX_ENVELOPE) }),
  };
}

function unknownFields(unknown: readonly string[], taken: readonly Json[]): readonly string[] {
  return unknown
    .slice(0, MAX_UNKNOWN)
    .map((name) => `No row has a field ${quotedName(name)}.${suggestion(name, taken)}`);
}

function plainRows(rows: readonly Matching[]): readonly Json[] {
  return rows.map(({ row }) => row);
}
