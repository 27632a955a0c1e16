import { type CategoryRule, type OperationFacts, selects } from '../../operations/index.ts';

/** What an operation's category is called, before sources are told apart. */
export interface CategoryLabel {
  readonly label: string;
  /** The configuration names it: it holds operations of every source. */
  readonly isConfigured: boolean;
}

/** Words at the beginning of a path that say nothing of what it is about. */
const PREFIX = /^(?:api|apis|rest|v\d+(?:\.\d+)*(?:(?:alpha|beta)\d*)?)$/i;

/** The configuration's categories first, then the first tag, then the first word of the path, else the source. */
export function categoryOf(
  facts: OperationFacts,
  categories: Readonly<Record<string, CategoryRule>>,
): CategoryLabel {
  for (const [label, { tags = [], select = [] }] of Object.entries(categories)) {
    const isMeant =
      tags.some((tag) => facts.tags.includes(tag)) || select.some((selector) => selects(selector, facts));
    if (isMeant) return { label, isConfigured: true };
  }
  const tag = facts.tags.find((one) => one.trim() !== '');
  return { label: tag ?? firstWord(facts.http?.path) ?? facts.source, isConfigured: false };
}

function firstWord(path = ''): string | undefined {
  return literalsOf(path).find((word) => !PREFIX.test(word));
}

/** Segments of a path without a placeholder. */
export function literalsOf(path: string): string[] {
  return path
    .replace(/[?#](?![^{]*\}).*$/s, '')
    .split('/')
    .filter((segment) => segment !== '' && !segment.includes('{'));
}
