import type { RawResult } from '../../executors/executor.ts';
import {
  type CallError,
  type CompletedResult,
  type ContentBlock,
  isObject,
  type Json,
  type JsonObject,
  type Operation,
  type Result,
  UNTRUSTED_META,
  type UntrustedRule,
} from '../../operations/index.ts';
import { mayHide } from '../../operations/text/clean-text.ts';
import { cleanJson, cleanValue } from './clean-json.ts';
import { hardenBlock, isJsonText, mapped, textRules } from './harden-block.ts';
import { askingRule, hardenQuestions } from './harden-question.ts';
import { originOf } from './origin.ts';

/** What became of a result; `changed` when something that was written is not shown as it was. */
export interface Hardened<R extends Result = Result> {
  readonly result: R;
  readonly changed: boolean;
}

/** A result of strangers as data: cleaned, its links harmless, labelled. Nothing to do costs a look at its texts. */
export function hardenResult(
  result: Result,
  raw: RawResult,
  operation: Operation,
  rule: UntrustedRule,
): Hardened {
  if (raw.kind === 'request') return { result, changed: false };
  if (result.kind === 'input_required') {
    return { result: hardenQuestions(result, operation.source, askingRule(rule, operation)), changed: false };
  }
  const hardening = hardeningOf(result, raw, operation, rule);
  const content = hardening.blocks(result.content);
  const structured = hardening.structured(result.structured);
  const error = result.error === undefined ? undefined : hardening.error(result.error);
  const changed = content !== result.content || structured !== result.structured || error !== result.error;
  const { [UNTRUSTED_META]: _named, ...meta } = (
    result.meta === undefined || !rule.clean ? (result.meta ?? {}) : cleanJson(result.meta)
  ) as JsonObject;
  const label: JsonObject = {
    untrusted: true,
    source: operation.source,
    origin: cleanValue(originOf(raw, operation)),
    ...(changed ? { changed: true } : {}),
  };
  const labelled = rule.label ? { ...meta, [UNTRUSTED_META]: label } : meta;
  return {
    result: {
      ...withoutMeta(result),
      content,
      ...(structured === undefined ? {} : { structured }),
      ...(error === undefined ? {} : { error }),
      ...(Object.keys(labelled).length === 0 ? {} : { meta: labelled }),
    },
    changed,
  };
}

/** What is not shown as it came is kept as it came; the label says where. */
export function withOriginal(result: CompletedResult): CompletedResult {
  const [original] = result.artifacts ?? [];
  const label = result.meta?.[UNTRUSTED_META];
  if (original === undefined || !isObject(label)) return result;
  return { ...result, meta: { ...result.meta, [UNTRUSTED_META]: { ...label, original } } };
}

function withoutMeta({ meta: _meta, ...result }: CompletedResult): CompletedResult {
  return result;
}

interface Hardening {
  blocks(content: readonly ContentBlock[]): readonly ContentBlock[];
  structured(value: Json | undefined): Json | undefined;
  error(error: CallError): CallError;
}

/** Members of our own web answers that hold prose; every other string there is an address, a date or a hash. */
const WEB_PROSE: ReadonlySet<string> = new Set(['title', 'snippet', 'content', 'text', 'byline']);

function hardeningOf(
  result: CompletedResult,
  raw: RawResult,
  { invocation }: Operation,
  rule: UntrustedRule,
): Hardening {
  const { clean, markdown } = rule;
  const { prose, value } = textRules(rule);
  /** Texts that were changed: structured content often says the same again. */
  const known = new Map<string, string>();
  const isProse = invocation.kind === 'web' || invocation.kind === 'mcp' || markdown !== 'keep';
  const text = (given: string): string => {
    const shown = isProse && !isJsonText(given) ? prose(given) : value(given);
    if (shown !== given) known.set(given, shown);
    return shown;
  };
  /** JSON whose text hides nothing, not even by escapes, hides nothing. */
  const isPlain = () =>
    raw.kind === 'http' &&
    result.content.every(
      (block) => block.type === 'text' && !mayHide(block.text) && !/\\[ubf]/.test(block.text),
    );

  return {
    blocks: (content) => mapped(content, (block) => hardenBlock(block, text, value)),
    structured(given) {
      if (given === undefined) return given;
      if (invocation.kind === 'web') return hardenWeb(given, value, prose);
      if (known.size === 0 && (!clean || isPlain())) return given;
      return cleanJson(given, (one) => known.get(one) ?? value(one));
    },
    error(given) {
      // that of a tool that failed is its text once more
      const message = text(given.message);
      const details =
        given.details === undefined || !clean ? given.details : (cleanJson(given.details) as JsonObject);
      if (message === given.message && details === given.details) return given;
      return { ...given, message, ...(details === undefined ? {} : { details }) };
    },
  };
}

/** The prose of a web answer by the names of our own contract. */
function hardenWeb(given: Json, value: (text: string) => string, prose: (text: string) => string): Json {
  if (given === null || typeof given !== 'object') return given;
  if (Array.isArray(given)) return mapped(given, (item) => hardenWeb(item, value, prose)) as Json;
  let copy: JsonObject | undefined;
  for (const [key, member] of Object.entries(given)) {
    const hardened =
      typeof member === 'string'
        ? (WEB_PROSE.has(key) ? prose : value)(member)
        : hardenWeb(member, value, prose);
    if (hardened === member) continue;
    copy ??= { ...given };
    copy[key] = hardened;
  }
  return copy ?? given;
}
