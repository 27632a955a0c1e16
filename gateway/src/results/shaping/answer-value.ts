import {
  type CompletedResult,
  isObject,
  isRequest,
  type Json,
  type Operation,
} from '../../operations/index.ts';
import { MAY_BE_LOST } from '../../operations/text/rounded-number.ts';
import { cleanJson } from '../untrusted/clean-json.ts';
import { wrapsResult } from '../wraps-result.ts';
import { exactJson } from './exact-json.ts';

/** The text of a stored output by its URI; undefined where it is gone. */
export type ReadOutput = (uri: string) => Promise<string | undefined>;

/**
 * A result's answer as JSON: its structured content, else its text where that is JSON, else what was stored of a text
 * that was cut. Whole numbers beyond 2^53, and what no double holds, are their digits as text: rows are written anew, and
 * an identifier must not be rounded. Undefined for anything else. `clean`: what was stored is cleaned as the result was.
 */
export async function answerValue(
  result: CompletedResult,
  operation: Operation,
  read: ReadOutput,
  clean: boolean,
): Promise<Json | undefined> {
  const { content, structured, artifacts = [] } = result;
  const texts = content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
  const [text = ''] = texts;
  const isHttp = isRequest(operation.invocation);
  if (structured !== undefined && !(isHttp && MAY_BE_LOST.test(text))) return structured;
  const shown = isHttp || texts.length === 1 ? structureOf(text) : undefined;
  if (shown !== undefined) return shown;
  const [uri] = artifacts;
  const stored = startsJson(text) && uri !== undefined ? await read(uri) : undefined;
  const whole = stored === undefined ? undefined : structureOf(stored);
  if (whole === undefined) return structured;
  const cleaned = clean ? cleanJson(whole) : whole;
  return wrapsResult(operation) ? { result: cleaned } : cleaned;
}

function startsJson(text: string): boolean {
  return /^\s*[[{]/.test(text);
}

/** Undefined for what is neither an object nor a list. */
function structureOf(text: string): Json | undefined {
  const value = startsJson(text) ? exactJson(text) : undefined;
  return Array.isArray(value) || isObject(value) ? value : undefined;
}
