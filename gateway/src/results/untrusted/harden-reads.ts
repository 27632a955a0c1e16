import {
  type Completion,
  type ContentBlock,
  type JsonObject,
  UNTRUSTED_META,
  type UntrustedRule,
} from '../../operations/index.ts';
import { withoutOwnMeta } from '../../operations/own-meta.ts';
import { cleanJson, cleanValue } from './clean-json.ts';
import { hardenBlock, isJsonText, type TextRules, textRules } from './harden-block.ts';

type ResourceBlock = Extract<ContentBlock, { type: 'resource' }>;

interface Prompt {
  readonly description?: string;
  readonly messages: ReadonlyArray<{ readonly role: 'user' | 'assistant'; readonly content: ContentBlock }>;
}

/**
 * A resource of an upstream server that is read: hidden text is removed, and it is labelled. Its Markdown stays: who reads
 * it wants the document, of which nothing is kept as it came.
 */
export function hardenResource<T extends ResourceBlock['resource']>(
  part: T,
  source: string,
  rule: UntrustedRule | undefined,
): T {
  const own = withoutOwnMeta(part);
  if (rule === undefined) return own;
  const { value } = textRules(rule);
  const resource: T & { readonly _meta?: object } = 'text' in own ? { ...own, text: value(own.text) } : own;
  if (!rule.label) return resource;
  const label = { untrusted: true, source: cleanValue(source) };
  return { ...resource, _meta: { ...resource._meta, [UNTRUSTED_META]: label } };
}

/** The messages of an upstream server's prompt, cleaned as the text of its results is. */
export function hardenPrompt<T extends Prompt>(prompt: T, rule: UntrustedRule | undefined): T {
  const rules = rule && textRules(rule);
  const messages = prompt.messages.map(({ content, ...message }) => {
    const own = withoutOwnMeta(content);
    return { ...message, content: rules === undefined ? own : hardenBlock(own, textOf(rules), rules.value) };
  });
  const { description } = prompt;
  return { ...prompt, messages, ...(description && rules ? { description: rules.value(description) } : {}) };
}

/** What an upstream server says to programs beside a resource or a prompt. */
export function hardenMeta(meta: JsonObject, rule: UntrustedRule | undefined): JsonObject {
  return rule?.clean === true ? (cleanJson(meta) as JsonObject) : meta;
}

/** Values that an upstream server offers stand before a person; one that was nothing but hidden text is none. */
export function hardenCompletion(completion: Completion, rule: UntrustedRule | undefined): Completion {
  if (rule === undefined) return completion;
  const { value } = textRules(rule);
  return {
    ...completion,
    values: completion.values.filter((text) => text === '' || value(text) !== '').map(value),
  };
}

function textOf({ prose, value }: TextRules): (given: string) => string {
  return (given) => (isJsonText(given) ? value(given) : prose(given));
}
