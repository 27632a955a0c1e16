import { type ContentBlock, UNTRUSTED_META, type UntrustedRule } from '../../operations/index.ts';
import { withoutOwnMeta } from '../../operations/own-meta.ts';
import { cleanValue } from './clean-json.ts';
import { hardenBlock, isJsonText, textRules } from './harden-block.ts';

type ResourceBlock = Extract<ContentBlock, { type: 'resource' }>;

interface Prompt {
  readonly description?: string;
  readonly messages: ReadonlyArray<{ readonly role: 'user' | 'assistant'; readonly content: ContentBlock }>;
}

/** A resource of an upstream server that is read, cleaned as one within a result is, and labelled. */
export function hardenResource<T extends ResourceBlock['resource']>(
  part: T,
  source: string,
  rule: UntrustedRule | undefined,
): T {
  const own = withoutOwnMeta(part);
  if (rule === undefined) return own;
  const block = hardenBlock({ type: 'resource', resource: own }, ...textsOf(rule)) as ResourceBlock;
  const resource = block.resource as T & { readonly _meta?: object };
  if (!rule.label) return resource;
  const label = { untrusted: true, source: cleanValue(source) };
  return { ...resource, _meta: { ...resource._meta, [UNTRUSTED_META]: label } };
}

/** The messages of an upstream server's prompt, cleaned as the text of its results is. */
export function hardenPrompt<T extends Prompt>(prompt: T, rule: UntrustedRule | undefined): T {
  const [text, value] = rule === undefined ? [] : textsOf(rule);
  const messages = prompt.messages.map(({ content, ...message }) => {
    const own = withoutOwnMeta(content);
    return { ...message, content: text && value ? hardenBlock(own, text, value) : own };
  });
  const { description } = prompt;
  return { ...prompt, messages, ...(description && value ? { description: value(description) } : {}) };
}

function textsOf(rule: UntrustedRule): [text: (given: string) => string, value: (given: string) => string] {
  const { prose, value } = textRules(rule);
  return [(given) => (isJsonText(given) ? value(given) : prose(given)), value];
}
