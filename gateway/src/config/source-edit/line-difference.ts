import { hideSecrets } from './hidden-secrets.ts';

/** The lines in which two texts differ: one place, since an edit of a source is one. */
export interface LineDifference {
  /** 1-based line of the first that differs. */
  readonly line: number;
  readonly removed: readonly string[];
  readonly added: readonly string[];
}

/** Of two YAML or JSON texts. Secrets that stand in them as text are not shown: `…` stands for them. */
export async function lineDifference(before: string, after: string): Promise<LineDifference> {
  const old = linesOf(before);
  const now = linesOf(after);
  const most = Math.min(old.length, now.length);
  let start = 0;
  while (start < most && old[start] === now[start]) start++;
  let end = 0;
  while (end < most - start && old[old.length - 1 - end] === now[now.length - 1 - end]) end++;
  // hidden in the whole text: a line does not say whose value it goes on with
  const shown = async (text: string) => {
    const lines = linesOf(await hideSecrets(text));
    return lines.slice(start, lines.length - end);
  };
  return { line: start + 1, removed: await shown(before), added: await shown(after) };
}

function linesOf(text: string): readonly string[] {
  const lines = text.split(/\r?\n/);
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}
