import { cutText } from '../operations/cut-text.ts';

/** Characters of a tool's description; what a model reads before it chooses. */
export const TOOL_DESCRIPTION_BUDGET = 1200;
/** Characters of one property's description. */
export const PROPERTY_DESCRIPTION_BUDGET = 400;

/**
 * Text within a budget, cut where a paragraph, a sentence or at least a word ends, and marked with `…`.
 * Blank runs are folded first, since layout costs tokens and tells a model nothing.
 */
export function trimText(text: string, budget: number): string {
  if (text.length <= budget && !/[ \t]{2,}|\n{3,}|\s$|^\s/.test(text)) return text;
  const folded = text
    .replace(/[ \t]+$/gm, '')
    .replace(/[ \t]{2,}/g, (run, at: number, whole: string) =>
      at > 0 && /\S/.test(whole[at - 1]!) ? ' ' : run,
    )
    .replace(/\n{3,}/g, '\n\n')
    .trim();
  if (folded.length <= budget) return folded;
  const head = cutText(folded, budget - 2);
  const least = budget / 2;
  const ends = [head.lastIndexOf('\n\n'), lastSentenceEnd(head), head.lastIndexOf(' ')];
  const cut = ends.find((end) => end >= least) ?? head.length;
  return `${head.slice(0, cut).trimEnd()} …`;
}

function lastSentenceEnd(text: string): number {
  for (let at = text.length - 2; at > 0; at--) {
    if ('.!?'.includes(text[at]!) && /\s/.test(text[at + 1]!)) return at + 1;
  }
  return -1;
}
