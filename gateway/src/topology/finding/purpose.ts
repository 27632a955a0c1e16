import type { VisibleOperation } from '../../operations/index.ts';
import { cutText } from '../../operations/text/cut-text.ts';

/** Characters of a description that are looked at for its first sentence. */
const LOOKED_AT = 600;

/** What an operation is for, in one sentence on one line: by its hints, its description, its title. */
export function purposeOf({ facts, tool }: Pick<VisibleOperation, 'facts' | 'tool'>, length: number): string {
  const said = filled(facts.purpose) ?? filled(unmarked(tool.description)) ?? facts.title ?? tool.title;
  return cutWords(firstSentence(said ?? ''), length);
}

function filled(text: string | undefined): string | undefined {
  return text?.trim() ? text : undefined;
}

/** Deprecated operations are marked in front; the line of a hit has no room for it. */
function unmarked(description: string): string {
  return description.trimStart().replace(/^Deprecated\.\s+/, '');
}

/** The first sentence of a text, without line breaks and its full stop. */
function firstSentence(text: string): string {
  const [paragraph = ''] = text
    .slice(0, LOOKED_AT)
    .trim()
    .split(/\n\s*\n/, 1);
  const line = paragraph.replace(/\s+/g, ' ');
  const [sentence = ''] = line.split(/(?<=[^.\s]{2}[.!?]) (?=[^a-z])/, 1);
  return sentence.replace(/[.:]$/, '');
}

/** At most so many characters, cut between words where that leaves half of them. */
export function cutWords(text: string, length: number): string {
  if (text.length <= length) return text;
  const cut = cutText(text, length - 1);
  const space = cut.lastIndexOf(' ');
  return `${(space > length / 2 ? cut.slice(0, space) : cut).trimEnd()}…`;
}
