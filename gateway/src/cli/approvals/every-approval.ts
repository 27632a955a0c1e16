import type { Approvals, ShownApproval } from '../../approvals/index.ts';

type Query = Omit<NonNullable<Parameters<Approvals['page']>[1]>, 'before' | 'limit'>;

/** Approvals to the end of the list, newest first, as the owner of the machine sees them. */
export async function everyApproval(
  approvals: Pick<Approvals, 'page'>,
  query: Query = {},
): Promise<readonly ShownApproval[]> {
  const found: ShownApproval[] = [];
  for (let before: string | undefined; ; ) {
    const more = { ...query, limit: 1000, ...(before === undefined ? {} : { before }) };
    const page = await approvals.page({ kind: 'operator' }, more);
    found.push(...page.approvals);
    if (page.next === undefined) return found;
    before = page.next;
  }
}
