import { ToolcribError } from '../../errors.ts';
import {
  isObject,
  type Json,
  type JsonObject,
  type ShapedAnswer,
  type ShapedCall,
} from '../../operations/index.ts';
import { clip } from './clip.ts';
import { findRows } from './find-rows.ts';
import { fitSummary } from './fit-summary.ts';
import { longPartsOf } from './long-parts.ts';
import { project } from './projection.ts';
import { availableFields, quotedName } from './row-fields.ts';
import { shapeList, shapeParts } from './shape-list.ts';
import { isSmall, limitsOf, type ShapingContext } from './shaping-context.ts';
import { spelled } from './spelling.ts';

const SAMPLE_LENGTH = 4000;
const MAX_FIELDS = 100;
const MAX_LISTS = 10;
const LINES_NOTE = 'These are lines of a long text; filters {"_text": "…"} shows those that hold a text.';

/**
 * A list in the words of `ShapedOutput`: filtered, with the fields asked for, cut or summarised, never above the
 * client's limits. Undefined for what stays as it is. Throws `filter_invalid`.
 */
export async function shapeAnswer(
  answer: Json,
  shaped: ShapedCall,
  context: ShapingContext,
): Promise<ShapedAnswer | undefined> {
  const found = findRows(answer);
  return found === undefined
    ? await shapeOther(answer, shaped, context)
    : await shapeList(answer, found, shaped, context);
}

/** An answer in the form that the service gave it. */
export function asItCame(answer: Json): ShapedAnswer {
  const structured = isObject(answer) ? answer : { result: answer };
  return { structured, text: JSON.stringify(structured) };
}

/** No list: the fields asked for, else as it is while it fits. What is long is read by its rows, or by its lines. */
async function shapeOther(
  answer: Json,
  shaped: ShapedCall,
  context: ShapingContext,
): Promise<ShapedAnswer | undefined> {
  const { request } = shaped;
  const limits = limitsOf(context);
  const asked = request.fields === undefined ? answer : projectOther(answer, request.fields);
  const fits = isSmall(asked, limits);
  const parts = fits && request.filters === undefined ? undefined : longPartsOf(asked);
  if (parts !== undefined) {
    const notes = [...(parts.kind === 'lines' ? [LINES_NOTE] : []), ...(context.notes ?? [])];
    return await shapeParts(asked, parts, shaped, { ...context, notes, store: () => context.store(answer) });
  }
  if (request.filters !== undefined && (context.strict ?? true)) throw notFilterable(asked);
  if (fits) {
    if (asked === answer && !context.always) return undefined;
    return asItCame(asked);
  }
  const responseId = await context.store(answer);
  const fields = isObject(asked) ? [...availableFields([asked], true)] : [];
  return fitSummary(
    {
      summary: { sample_items: [clip(asked, SAMPLE_LENGTH)], available_fields: fields.slice(0, MAX_FIELDS) },
      truncated: true,
      ...(responseId === undefined ? {} : { response_id: responseId }),
      notes: [
        `The answer is too long to show. ${spelled('fields', shaped)}, or query_result with response_id and fields, shows parts of it.`,
        ...(context.notes ?? []),
      ],
    },
    limits,
  );
}

function notFilterable(asked: Json): ToolcribError {
  const lists = isObject(asked) ? Object.keys(asked).filter((name) => Array.isArray(asked[name])) : [];
  const named = lists.slice(0, MAX_LISTS).map(quotedName).join(', ');
  return new ToolcribError(
    'filter_invalid',
    'The answer is no list: there are no rows to filter.',
    lists.length === 0 ? {} : { next: `It holds ${named}: name one of them in fields to filter its rows.` },
  );
}

/** Fields of the object itself, or of the one that it wraps. */
function projectOther(answer: Json, fields: readonly string[]): Json {
  const { rows, unknown } = project([answer], fields);
  const [name, ...others] = isObject(answer) ? Object.keys(answer) : [];
  if (unknown.length < fields.length || name === undefined || others.length > 0) return rows[0]!;
  const inner = (answer as JsonObject)[name]!;
  return isObject(inner) ? { [name]: project([inner], fields).rows[0]! } : rows[0]!;
}
