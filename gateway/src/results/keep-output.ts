import type { RawResult } from '../executors/executor.ts';
import {
  type CompletedResult,
  type ContentBlock,
  isObject,
  type Json,
  type Operation,
} from '../operations/index.ts';
import { canonicalJson } from '../operations/json/canonical.ts';
import { once } from '../operations/work/once.ts';
import { keepWhole, type ShapeContext, type WholeAnswer } from './answer-content.ts';
import { keptText } from './decode-text.ts';
import { isJsonType, isTextType, mediaTypeOf } from './media-type.ts';

/** Which outputs are stored beside those that were cut or are binary. */
export interface KeepRule {
  /** Every one. */
  readonly always: boolean;
  /** Those of more bytes. */
  readonly aboveBytes?: number;
}

/** The result with the URIs of its stored output; stores it first where the rule asks for it. */
export async function withArtifacts(
  result: CompletedResult,
  raw: RawResult,
  context: ShapeContext,
  rule: KeepRule | undefined,
): Promise<CompletedResult> {
  const { kept = [], unkept = [] } = context;
  if (rule !== undefined && kept.length + unkept.length === 0 && result.error === undefined) {
    const whole = wholeOf(raw, context.operation);
    const { always, aboveBytes } = rule;
    if (whole !== undefined && (always || (aboveBytes !== undefined && whole.bytes().length > aboveBytes))) {
      const { warning } = await keepWhole(whole, context);
      if (warning !== undefined) return { ...result, warnings: [...(result.warnings ?? []), warning] };
    }
  }
  return kept.length === 0 ? result : { ...result, artifacts: kept };
}

/** What an executor brought back, as it would be stored. Undefined where there is nothing. */
function wholeOf(raw: RawResult, { invocation }: Operation): WholeAnswer | undefined {
  if (raw.kind === 'http') {
    if (raw.body.length === 0) return undefined;
    const contentType = raw.headers['content-type'];
    const mimeType = mediaTypeOf(contentType) || 'application/octet-stream';
    const isText = isJsonType(mimeType) || isTextType(mimeType);
    return { bytes: once(() => (isText ? keptText(raw.body, contentType) : raw.body)), mimeType };
  }
  if (raw.kind !== 'value') return undefined;
  const { content = [], structured } = raw;
  if (structured !== undefined)
    return json(() =>
      // the text of a web answer is our own rendering of it
      invocation.kind === 'web' || content.every((block) => repeats(block, structured))
        ? structured
        : { content, structuredContent: structured },
    );
  const [only] = content;
  if (only === undefined) return undefined;
  return content.length === 1 ? blockOf(only) : json(() => content);
}

/** Servers say the same again for clients that read only texts: all of it as JSON, or the one text that it holds. */
function repeats(block: ContentBlock, structured: Json): boolean {
  if (block.type !== 'text') return false;
  if (isObject(structured) && Object.values(structured).includes(block.text)) return true;
  try {
    return canonicalJson(JSON.parse(block.text)) === canonicalJson(structured);
  } catch {
    return false;
  }
}

function blockOf(block: ContentBlock): WholeAnswer {
  switch (block.type) {
    case 'text':
      return { bytes: once(() => Buffer.from(block.text)), mimeType: 'text/plain' };
    case 'image':
    case 'audio':
      return { bytes: once(() => Buffer.from(block.data, 'base64')), mimeType: block.mimeType };
    default:
      return json(() => block);
  }
}

function json(value: () => unknown): WholeAnswer {
  return { bytes: once(() => Buffer.from(JSON.stringify(value()))), mimeType: 'application/json' };
}
