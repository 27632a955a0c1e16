import type { ContentBlock, UntrustedRule } from '../../operations/index.ts';
import { cleanText } from '../../operations/text/clean-text.ts';
import { cleanValue } from './clean-json.ts';
import { guardMarkdown } from './guard-markdown.ts';

/** What a rule makes of texts: of prose for a reader, and of values that a program takes. */
export interface TextRules {
  readonly prose: (text: string) => string;
  readonly value: (text: string) => string;
}

export function textRules({ clean, markdown, hosts }: UntrustedRule): TextRules {
  const guard = (text: string): string => (markdown === 'keep' ? text : guardMarkdown(text, markdown, hosts));
  return {
    prose: (text) => guard(clean ? cleanText(text).text : text),
    value: (text) => (clean ? cleanValue(text) : text),
  };
}

export function hardenBlock(
  block: ContentBlock,
  text: (given: string) => string,
  value: (given: string) => string,
): ContentBlock {
  switch (block.type) {
    case 'text': {
      const shown = text(block.text);
      return shown === block.text ? block : { ...block, text: shown };
    }
    case 'resource_link': {
      const words = { name: value(block.name), title: block.title, description: block.description };
      if (words.title !== undefined) words.title = text(words.title);
      if (words.description !== undefined) words.description = text(words.description);
      const same =
        words.name === block.name && words.title === block.title && words.description === block.description;
      return same ? block : ({ ...block, ...defined(words) } as ContentBlock);
    }
    case 'resource': {
      const { resource } = block;
      if (!('text' in resource)) return block;
      const markdown = /^text\/(?:x-)?markdown\b/i.test(resource.mimeType ?? '');
      const shown = (markdown ? text : value)(resource.text);
      return shown === resource.text ? block : { ...block, resource: { ...resource, text: shown } };
    }
    default:
      return block;
  }
}

function defined(words: object): object {
  return Object.fromEntries(Object.entries(words).filter(([, member]) => member !== undefined));
}

/** The very same list where nothing changed. */
export function mapped<T>(items: readonly T[], change: (item: T) => T): readonly T[] {
  let copy: T[] | undefined;
  for (const [index, item] of items.entries()) {
    const changed = change(item);
    if (changed === item) continue;
    copy ??= [...items];
    copy[index] = changed;
  }
  return copy ?? items;
}

/** JSON is data, whoever sends it as text. */
export function isJsonText(text: string): boolean {
  if (!/^\s*[[{"]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
