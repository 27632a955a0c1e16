import {
  type CompletedResult,
  type Json,
  type JsonObject,
  NEXT_PAGE_META,
  UNTRUSTED_META,
} from '../../operations/index.ts';
import { scalarText } from '../../operations/text/scalar-text.ts';
import type { ActionMapping, RecordMapping } from './category.ts';
import { locate, readField, readRecord } from './read-record.ts';

/** Arguments that page a list. */
const LIST_LIMIT = 'limit';
export const CURSOR = 'cursor';

/** What it takes to read a provider's answer. */
export interface Reading {
  /** The source's name. */
  readonly source: string;
  readonly mapping: RecordMapping;
  readonly way: ActionMapping;
  readonly args: JsonObject;
  /** Key of the list, where a list is answered. */
  readonly list?: string;
}

/** The provider's answer in the category's words. */
export function reshape(result: CompletedResult, reading: Reading): CompletedResult {
  if (result.error !== undefined) return result;
  const { source, mapping, way, list } = reading;
  const answer = result.structured ?? null;
  const failure = failureOf(answer, way);
  if (failure !== undefined) {
    return {
      kind: 'completed',
      content: [{ type: 'text', text: `tool_failed: ${failure}` }],
      error: { code: 'tool_failed', message: failure },
      ...labelOf(result),
      ...(result.status === undefined ? {} : { status: result.status }),
    };
  }
  const structured =
    list === undefined
      ? readRecord(locate(answer, way.at) ?? {}, mapping, source)
      : listOf(answer, list, reading, result.meta);
  return {
    kind: 'completed',
    content: [{ type: 'text', text: JSON.stringify(structured) }],
    structured,
    ...labelOf(result),
    ...(result.warnings === undefined ? {} : { warnings: result.warnings }),
    ...(result.status === undefined ? {} : { status: result.status }),
  };
}

/** In other words it is still what strangers wrote. */
function labelOf({ meta }: CompletedResult): Pick<CompletedResult, 'meta'> {
  const label = meta?.[UNTRUSTED_META];
  return label === undefined ? {} : { meta: { [UNTRUSTED_META]: label } };
}

function failureOf(answer: Json, { failure }: ActionMapping): string | undefined {
  if (failure === undefined || readField(answer, failure.at) !== failure.equals) return undefined;
  const said = failure.message === undefined ? undefined : readField(answer, failure.message);
  return typeof said === 'string' ? said : 'The provider says that it failed.';
}

function listOf(
  answer: Json,
  key: string,
  { source, mapping, way, args }: Reading,
  meta: JsonObject | undefined,
): JsonObject {
  const found = locate(answer, way.at);
  const records = Array.isArray(found) ? found : [];
  const next = nextCursor(answer, records.length, way, args, meta);
  return {
    [key]: records.map((record) => readRecord(record, mapping, source)),
    ...(next === undefined ? {} : { nextCursor: next }),
  };
}

function nextCursor(
  answer: Json,
  count: number,
  { next }: ActionMapping,
  args: JsonObject,
  meta: JsonObject | undefined,
): string | undefined {
  if (next === undefined) return undefined;
  if ('value' in next) {
    const token = readField(answer, next.value);
    return scalarText(token);
  }
  if ('link' in next) {
    const parameters = meta?.[NEXT_PAGE_META];
    const token = parameters === undefined ? undefined : readField(parameters, `/${next.link}`);
    return scalarText(token);
  }
  const more =
    next.more === undefined
      ? count > 0 && count >= Number(args[LIST_LIMIT] ?? next.size ?? 100)
      : readField(answer, next.more) === true;
  return more ? String(Number(args[CURSOR] ?? 1) + 1) : undefined;
}
