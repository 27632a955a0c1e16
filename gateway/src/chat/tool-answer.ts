import { ERRORS, type ErrorCode } from '../errors.ts';
import { type CallError, type CompletedResult, type ContentBlock, isObject } from '../operations/index.ts';
import { cutText } from '../operations/text/cut-text.ts';
import { frameToolResults } from '../results/untrusted/frame-results.ts';
import { MAX_RESULT_CHARACTERS } from './limits.ts';

const CUT_NOTE = '\n… [cut: the result is longer]';

/** Code, place and name of the source, which stand around a message. */
const WORDS_AROUND = 300;

/** Details that are for people who decide, not for the model whose call it is. */
const FOR_PEOPLE: ReadonlySet<string> = new Set(['card', 'link']);

/** A result as the model reads it: data between marks, cut; a failure as an object with its code first. */
export function toolAnswer(tool: string, result: CompletedResult): string {
  const { error, structured, meta } = result;
  const content = error === undefined ? result.content : [failure(error), ...further(result.content, error)];
  const shown = isBlank(content) && structured !== undefined ? [text(JSON.stringify(structured))] : content;
  return frameToolResults([
    {
      tool,
      result: {
        content: cut(shown),
        ...(error === undefined ? {} : { error }),
        ...(meta === undefined ? {} : { meta }),
      },
    },
  ]);
}

/** A call that did not reach its tool. */
export function failedResult(
  code: ErrorCode,
  message: string,
  next: string = ERRORS[code].next,
): CompletedResult {
  return { kind: 'completed', content: [], error: { code, message, next } };
}

function failure({ code, message, next = ERRORS[code].next, status, details }: CallError): ContentBlock {
  const told = Object.entries(details ?? {}).filter(([name]) => !FOR_PEOPLE.has(name));
  return text(
    JSON.stringify({
      ok: false,
      error: code,
      message,
      next,
      ...(status === undefined ? {} : { status }),
      ...(told.length === 0 ? {} : { details: Object.fromEntries(told) }),
    }),
  );
}

/** What a failed call brought beside its error; the error in words is said already. */
function further(content: readonly ContentBlock[], { message, next = '' }: CallError): ContentBlock[] {
  const most = message.length + next.length + WORDS_AROUND;
  return content.filter(
    (block) => block.type !== 'text' || block.text.length > most || !block.text.includes(message),
  );
}

function isBlank(content: readonly ContentBlock[]): boolean {
  return content.every((block) => block.type === 'text' && block.text === '');
}

function text(value: string): ContentBlock {
  return { type: 'text', text: value };
}

/** As much text as there is room for; other content is only named in the frame. */
function cut(content: readonly ContentBlock[]): ContentBlock[] {
  let room = MAX_RESULT_CHARACTERS;
  const kept: ContentBlock[] = [];
  for (const block of content) {
    const length = textLength(block);
    if (length > room) {
      kept.push(text(cutText(textOf(block), room) + CUT_NOTE));
      break;
    }
    room -= length;
    kept.push(block);
  }
  return kept;
}

function textLength(block: ContentBlock): number {
  return textOf(block).length;
}

function textOf(block: ContentBlock): string {
  if (block.type === 'text') return block.text;
  if (block.type === 'resource' && 'text' in block.resource) return block.resource.text;
  return '';
}

/** Id of the approval that a result waits for. */
export function approvalOf({
  error,
}: CompletedResult):
  | { readonly id: string; readonly details: Readonly<Record<string, unknown>> }
  | undefined {
  const details = error?.details;
  if (error?.code !== 'approval_required' || !isObject(details)) return undefined;
  const id = details['approval'];
  return typeof id === 'string' ? { id, details } : undefined;
}
