import { cutText } from '../operations/text/cut-text.ts';
import { trimLineEnds } from '../operations/text/trim-runs.ts';

/** Characters of what a model reads before it chooses. */
export interface DescriptionBudget {
  readonly tool: number;
  /** Of one property. */
  readonly property: number;
}

/** Texts of documents, which are written for people. */
export const DOCUMENT_TEXTS: DescriptionBudget = { tool: 1200, property: 400 };
/** Texts of MCP servers, which are written for models: how to call stands in them, often at their end. */
export const SERVER_TEXTS: DescriptionBudget = { tool: 4096, property: 1200 };

/**
 * Text within a budget, cut where a paragraph, a sentence or at least a word ends, and marked with `…`.
 * Blank runs and the indentation that all lines share are folded first, all indentation before anything is cut, since
 * layout costs tokens and tells a model little.
 */
export function trimText(text: string, budget: number): string {
  if (text.length <= budget && !/[ \t]{2,}|\n{3,}|\s$|^\s/.test(text)) return text;
  const folded = withoutIndentation(trimLineEnds(text))
    .replace(/[ \t]{2,}/g, (run, at: number, whole: string) =>
      at > 0 && /\S/.test(whole[at - 1]!) ? ' ' : run,
    )
    .replace(/\n{3,}/g, '\n\n')
    .trim();
  if (folded.length <= budget) return folded;
  const flush = folded.replace(/^[ \t]+/gm, '');
  if (flush.length <= budget) return flush;
  const head = cutText(flush, budget - 2);
  const least = budget / 2;
  const ends = [head.lastIndexOf('\n\n'), lastSentenceEnd(head), head.lastIndexOf(' ')];
  const cut = ends.find((end) => end >= least) ?? head.length;
  return `${head.slice(0, cut).trimEnd()} …`;
}

/** The first line mostly stands right behind the quote: it does not count. */
function withoutIndentation(text: string): string {
  const indents = text.match(/(?<=\n)[ \t]*(?=[^\s])/g) ?? [];
  const least = indents.reduce((least, { length }) => Math.min(least, length), Number.POSITIVE_INFINITY);
  if (least === 0 || indents.length === 0) return text;
  return text.replace(/(?<=\n)[ \t]+/g, (indent) => indent.slice(least));
}

function lastSentenceEnd(text: string): number {
  for (let at = text.length - 2; at > 0; at--) {
    if ('.!?'.includes(text[at]!) && /\s/.test(text[at + 1]!)) return at + 1;
  }
  return -1;
}
