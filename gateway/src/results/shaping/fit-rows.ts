import type { Json, ShapedAnswer } from '../../operations/index.ts';
import { clip } from './clip.ts';
import { isWithin, type OutputLimits, render, type ShapedOutput } from './shaped-output.ts';
import { estimateTokensFromAbove } from './token-estimate.ts';

/** The output around rows that account for so many of the answer's; `cut`: not even they are whole. */
type Compose = (rows: readonly Json[], count: number, cut?: boolean) => Promise<ShapedOutput>;

/**
 * As many rows as the client takes, at least one: a row that is too long by itself is shown cut, so that a cursor always
 * gets on.
 */
export async function fitRows(
  rows: readonly Json[],
  compose: Compose,
  limits: OutputLimits,
  tables: boolean,
): Promise<ShapedAnswer> {
  let count = likelyCount(rows, limits);
  for (; count > 0; count = Math.floor(count * 0.9)) {
    const output = await compose(rows.slice(0, count), count);
    const rendered = render(output, tables);
    if (isWithin(rendered, limits)) return rendered;
  }
  return rows.length === 0 ? await withoutRows(compose, limits) : await oneRow(rows[0]!, compose, limits);
}

/** By the rows' own length; what stands around them is not counted yet. */
function likelyCount(rows: readonly Json[], { maxCharacters, maxTokens }: OutputLimits): number {
  let characters = 0;
  let tokens = 0;
  for (const [index, row] of rows.entries()) {
    const text = JSON.stringify(row);
    characters += text.length + 1;
    if (characters > maxCharacters) return index;
    tokens += estimateTokensFromAbove(text);
    if (tokens > maxTokens) return index;
  }
  return rows.length;
}

async function oneRow(row: Json, compose: Compose, limits: OutputLimits): Promise<ShapedAnswer> {
  const output = await compose(['…'], 1, true);
  const note =
    'This row is too long and shown cut (…): filters that match it alone, with one of its fields, show that whole.';
  const said: ShapedOutput = { ...output, truncated: true, notes: [note, ...(output.notes ?? [])] };
  for (const share of [4, 16, 64]) {
    const data = [clip(row, Math.floor(limits.maxCharacters / share))];
    const rendered = render({ ...said, data }, false);
    if (isWithin(rendered, limits)) return rendered;
  }
  const { envelope: _envelope, notes: _notes, ...least } = said;
  return render(least, false);
}

async function withoutRows(compose: Compose, limits: OutputLimits): Promise<ShapedAnswer> {
  const output = await compose([], 0);
  const rendered = render(output, false);
  if (isWithin(rendered, limits)) return rendered;
  const { envelope: _envelope, ...least } = output;
  return render(least, false);
}
