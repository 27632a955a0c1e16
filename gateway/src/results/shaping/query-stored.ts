import {
  ARTIFACT_URI_PREFIX,
  type CompletedResult,
  canonicalHash,
  isObject,
  MAX_SHAPED_ROWS,
  type StoredQuery,
  UNTRUSTED_META,
} from '../../operations/index.ts';
import { decodeCursor, encodeCursor, invalidCursor } from '../pagination/index.ts';
import type { CompilePattern } from './conditions.ts';
import { compileFilter } from './filter.ts';
import { shapeAnswer } from './shape.ts';
import type { OutputLimits } from './shaped-output.ts';
import type { StoredAnswer } from './stored-answer.ts';

export interface QueryOptions {
  readonly patterns: CompilePattern;
  readonly limits?: () => Partial<OutputLimits>;
}

const DEFAULT_ROWS = 100;

/**
 * Rows of a stored answer: filter, fields, limit, and a cursor that is bound to the answer and to the question. Throws
 * `filter_invalid`, `cursor_invalid`.
 */
export async function queryStored(
  stored: StoredAnswer,
  { responseId, cursor, ...asked }: StoredQuery,
  { patterns, limits }: QueryOptions,
): Promise<CompletedResult> {
  const { filters, fields, limit = DEFAULT_ROWS } = asked;
  const question = canonicalHash({ filters, fields }).slice(-16);
  const offset = cursor === undefined ? 0 : offsetOf(cursor, responseId, question);
  const request = { ...asked, limit: Math.min(Math.max(1, Math.trunc(limit)), MAX_SHAPED_ROWS) };
  const answered = await shapeAnswer(
    stored.structured,
    { request, defaultLimit: DEFAULT_ROWS, byProperties: true },
    {
      ...limits?.(),
      filter: filters && compileFilter(filters, patterns),
      store: async () => responseId,
      offset,
      continuing: cursor !== undefined,
      strict: cursor === undefined,
      always: true,
      tables: stored.tables === true,
      cursorAt: (row) => encodeCursor({ r: responseId, q: question, s: row }),
      notes:
        stored.next === undefined
          ? []
          : ['The service has rows behind this answer: call the operation again with its next_cursor.'],
    },
  );
  const { structured, text } = answered!;
  return {
    kind: 'completed',
    content: [{ type: 'text', text }],
    structured,
    outputApplies: false,
    artifacts: [ARTIFACT_URI_PREFIX + responseId],
    ...(isObject(stored.untrusted) ? { meta: { [UNTRUSTED_META]: stored.untrusted } } : {}),
  };
}

function offsetOf(cursor: string, responseId: string, question: string): number {
  const { r, q, s } = decodeCursor(cursor);
  if (r !== responseId || q !== question)
    throw invalidCursor('The cursor belongs to another stored answer, or to other filters and fields.');
  if (!Number.isSafeInteger(s) || (s as number) < 0) throw invalidCursor('The cursor leads nowhere.');
  return s as number;
}
