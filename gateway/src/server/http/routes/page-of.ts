import { z } from 'zod';
import { ToolcribError } from '../../../errors.ts';
import { printable } from '../../../operations/text/printable.ts';

/** What a list of records takes that may be read in pages. */
export const PAGE = {
  after: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('Id of the last record of the page before; of one that is gone: `cursor_invalid`.'),
  limit: z.coerce.number().int().min(1).max(1000).optional().describe('Default: all of them.'),
};

/** The records behind `after`, as many as asked for; `next` where there are more. Throws `cursor_invalid`. */
export function pageOf<T extends { readonly id: string }>(
  records: readonly T[],
  {
    after,
    limit = records.length,
  }: { readonly after?: string | undefined; readonly limit?: number | undefined },
): { readonly page: readonly T[]; readonly next: { readonly next?: string } } {
  const before = after === undefined ? -1 : records.findIndex(({ id }) => id === after);
  if (after !== undefined && before < 0) {
    throw new ToolcribError(
      'cursor_invalid',
      `This list has no record ${printable(after, 64)} to go on behind.`,
      {
        next: 'Read the list again from its beginning, without `after`.',
      },
    );
  }
  const page = records.slice(before + 1, before + 1 + limit);
  const last = page.at(-1);
  const hasMore = last !== undefined && records.length > before + 1 + page.length;
  return { page, next: hasMore ? { next: last.id } : {} };
}
