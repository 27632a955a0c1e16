import { isRequest, type Operation, type ShapingRequest } from '../../operations/index.ts';

/** Rows that are few enough to stay as they are. */
export const FEW_ROWS = 5;
/** Rows of a list of middling length that are shown. */
const CUT_ROWS = 25;
/** Longer lists are summarised. */
const SUMMARY_ABOVE = 50;
/** The same where the caller named its fields: rows are short then. */
const SUMMARY_ABOVE_WITH_FIELDS = 100;

/** What becomes of a list's rows: so many of them, or a summary. */
export type RowPlan = { readonly kind: 'rows'; readonly take: number } | { readonly kind: 'summary' };

/** A caller that named a limit, or goes on from a cursor, wants rows. */
export function planRows(
  rows: number,
  { off = false, limit, fields }: ShapingRequest,
  { cut = CUT_ROWS, continuing = false }: { readonly cut?: number; readonly continuing?: boolean } = {},
): RowPlan {
  const take = (most: number): RowPlan => ({ kind: 'rows', take: Math.min(rows, most) });
  if (limit !== undefined) return take(limit);
  if (off || rows <= FEW_ROWS) return take(rows);
  if (fields !== undefined) {
    if (continuing) return take(SUMMARY_ABOVE_WITH_FIELDS);
    return rows > SUMMARY_ABOVE_WITH_FIELDS ? { kind: 'summary' } : take(rows);
  }
  if (continuing) return take(cut);
  return rows > Math.max(SUMMARY_ABOVE, cut) ? { kind: 'summary' } : take(cut);
}

const CUTS: Readonly<Record<string, number>> = {
  log: 100,
  logs: 100,
  audit: 100,
  audits: 100,
  stat: 75,
  stats: 75,
  statistics: 75,
};

/** Rows that are shown of a list of middling length, by what the operation's path or id is about. */
export function cutOf({ id, invocation }: Operation, defaultLimit: number): number {
  const words = (isRequest(invocation) ? invocation.path : id).toLowerCase().split(/[^a-z]+/);
  const found = words.find((word) => Object.hasOwn(CUTS, word));
  return Math.max(found === undefined ? CUT_ROWS : CUTS[found]!, defaultLimit);
}
